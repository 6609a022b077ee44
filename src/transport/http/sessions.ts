/** The sessions of one endpoint: found by their ids, bounded in number, ended when they are idle. */

import type { Principal } from "./application.ts";
import type { Beating, Heart } from "./heart.ts";
import type { HttpSession } from "./http-session.ts";
import type { HttpLimits } from "./limits.ts";

export class Sessions implements Beating {
  readonly #limits: HttpLimits;
  readonly #heart: Heart;
  readonly #now: () => number;
  readonly #byId = new Map<string, HttpSession>();

  constructor(limits: HttpLimits, heart: Heart, now: () => number) {
    this.#limits = limits;
    this.#heart = heart;
    this.#now = now;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Makes room for one more, if need be of a session whose client never came back. Gives whether there is room. */
  makeRoom(): boolean {
    if (this.#byId.size < this.#limits.maxSessions) return true;
    this.#endIdle();
    if (this.#byId.size < this.#limits.maxSessions) return true;
    const forgotten = this.#byId.values().find((one) => !one.isConfirmed && !one.isBusy);
    if (forgotten !== undefined) this.end(forgotten);
    return forgotten !== undefined;
  }

  add(session: HttpSession): void {
    this.#byId.set(session.id, session);
    this.#heart.add(this);
  }

  /** Finds a session that lives, and belongs to the caller: another's id is an id that does not exist. */
  find(id: string, principal: Principal | undefined): HttpSession | undefined {
    const session = this.#byId.get(id);
    if (session === undefined || session.principal?.id !== principal?.id) return undefined;
    if (this.#isIdle(session)) {
      this.end(session);
      return undefined;
    }
    session.isConfirmed = true;
    return session;
  }

  end(session: HttpSession): void {
    this.#byId.delete(session.id);
    void session.close("at once");
  }

  beat(): void {
    this.#endIdle();
    if (this.#byId.size === 0) this.#heart.delete(this);
  }

  /** Ends all of them, each after its running calls have had their time. */
  async close(): Promise<void> {
    const sessions = [...this.#byId.values()];
    await Promise.all(sessions.map((session) => session.close("after its calls")));
    this.#byId.clear();
  }

  #endIdle(): void {
    for (const session of this.#byId.values()) if (this.#isIdle(session)) this.end(session);
  }

  #isIdle(session: HttpSession): boolean {
    return this.#now() - session.lastUsedAt > this.#limits.sessionIdleMs && !session.isBusy;
  }
}
