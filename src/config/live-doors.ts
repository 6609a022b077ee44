/** The doors of a server that serves: those that are open now, and those that others have replaced and that calls still run behind. */

import { closeDoors, type OpenedDoor } from "./open-doors.ts";

export class LiveDoors implements AsyncDisposable {
  #doors: readonly OpenedDoor[];
  readonly #resting = new Map<OpenedDoor, NodeJS.Timeout>();
  readonly #report: (text: string) => void;
  readonly #restMs: number;
  #isClosed = false;

  /** @param restMs how long a door that was replaced stays open at least: a call may have been let in and not have begun */
  constructor(doors: readonly OpenedDoor[], restMs: number, report: (text: string) => void) {
    this.#doors = doors;
    this.#restMs = restMs;
    this.#report = report;
  }

  get doors(): readonly OpenedDoor[] {
    return this.#doors;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Takes the doors that are open from now on; those that are not among them are closed when their calls have ended. */
  replace(doors: readonly OpenedDoor[]): void {
    for (const door of this.#doors) if (!doors.includes(door)) this.#rest(door);
    this.#doors = doors;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#resting.values()) clearTimeout(timer);
    const resting = [...this.#resting.keys()];
    this.#resting.clear();
    await closeDoors([...this.#doors, ...resting]);
  }

  #rest(door: OpenedDoor): void {
    const close = async (): Promise<void> => {
      await door.open.idle?.();
      if (this.#resting.delete(door)) await door.open.close?.();
    };
    const timer = setTimeout(
      () => {
        close().catch((thrown: unknown) => {
          this.#report(
            `Cannot close the door "${door.name}": ${thrown instanceof Error ? thrown.message : "it failed"}`,
          );
        });
      },
      Math.min(this.#restMs, 2 ** 31 - 1),
    );
    this.#resting.set(door, timer.unref());
  }
}
