/** Posts what has no reply: notifications, and answers to the server's own requests. */

import { collectBody, maxErrorBytes } from "./body.ts";
import { carry, type Carriage } from "./carriage.ts";
import type { Carrier } from "./carrier.ts";
import { explainStatus } from "./explain.ts";
import type { HttpTrouble } from "../../protocol/index.ts";

/** How many posts without an answer make `drained()` ask for patience: it stops a server that asks and takes no answers. */
const maxUnanswered = 64;

/** How long one post may stay without an answer: what waits for it goes on then. */
export const postTimeoutMs = 10_000;

export interface Parcel {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly url?: URL;
}

export class Outbox {
  readonly #carrier: Carrier;
  readonly #report: (trouble: HttpTrouble) => void;
  readonly #underWay = new Map<Carriage, (trouble: HttpTrouble | undefined) => void>();
  #waiting: (() => void)[] = [];

  constructor(carrier: Carrier, report: (trouble: HttpTrouble) => void) {
    this.#carrier = carrier;
    this.#report = report;
  }

  /** Resolves when it was answered, in whatever way; a refusal is reported. */
  async post(parcel: Parcel): Promise<void> {
    const trouble = await this.carry(parcel);
    if (trouble !== undefined) this.#report(trouble);
  }

  /** Resolves with what went wrong, or with `undefined`. */
  carry({ headers, body, url }: Parcel): Promise<HttpTrouble | undefined> {
    const { promise, resolve } = Promise.withResolvers<HttpTrouble | undefined>();
    const carriage = carry(this.#carrier, {
      method: "POST",
      headers,
      body,
      ...(url === undefined ? {} : { url }),
      isRepeatable: true,
      onTrouble: resolve,
      onResponse: (response) => {
        const { statusCode = 0, statusMessage } = response;
        collectBody(response, maxErrorBytes, (bytes) => {
          const text = carriage.redact(typeof bytes === "string" ? "" : bytes.toString());
          resolve(
            statusCode < 300
              ? describeOdd(statusCode, text)
              : explainStatus(statusCode, statusMessage, response.headers, text),
          );
        });
      },
    });
    const timer = setTimeout(() => {
      carriage.abort();
      const detail = `a notification had no answer within ${postTimeoutMs} ms, expected 202`;
      resolve({ name: "http-oddity", detail });
    }, postTimeoutMs);
    this.#underWay.set(carriage, resolve);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#underWay.delete(carriage);
      this.#wake();
    });
  }

  drained(): Promise<void> | undefined {
    if (this.#underWay.size < maxUnanswered) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves when nothing is under way any more. */
  flushed(): Promise<void> {
    return this.#underWay.size === 0
      ? Promise.resolve()
      : new Promise((resolve) => {
          const look = (): void =>
            void (this.#underWay.size === 0 ? resolve() : this.#waiting.push(look));
          look();
        });
  }

  /** Breaks off what is under way; whoever waits for it goes on. */
  abort(): void {
    for (const [carriage, finish] of this.#underWay) {
      carriage.abort();
      finish(undefined);
    }
  }

  #wake(): void {
    if (this.#underWay.size >= maxUnanswered) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }
}

function describeOdd(status: number, body: string): HttpTrouble | undefined {
  if (status === 202) return undefined;
  const what = body.trim() === "" ? "" : " and a body";
  const detail = `a notification was answered with ${status}${what}, expected 202 and none`;
  return { name: "http-oddity", detail };
}
