/** What a reader has been told, so that it is told once: which state of the file it reads, and its statements by their places. */

import {
  maxStatements,
  type BoundQuery,
  type ReadRequest,
  type Request,
  type StatementText,
} from "../reader/request.ts";

export class Told {
  #generation: number | undefined;
  readonly #statements: StatementText[] = [];
  /** Where the next new statement goes: to the place of the oldest, when there are so many. */
  #next = 0;

  isReading(generation: number): boolean {
    return this.#generation === generation;
  }

  /** Leaves out the text of a statement that the reader has. */
  toRequest({ text, parameters, maxRows }: BoundQuery, reading: ReadRequest): Request {
    const known = this.#statements.findIndex(
      ({ sql, allows }) => sql === text.sql && allows === text.allows,
    );
    return known === -1
      ? { kind: "query", statement: this.#next, text, parameters, maxRows, ...reading }
      : { kind: "query", statement: known, parameters, maxRows, ...reading };
  }

  /** For when it has replied: what never was is no proof that it got anything. */
  note(request: Request): void {
    this.#generation = request.generation;
    if (request.kind !== "query" || request.text === undefined) return;
    this.#statements[request.statement] = request.text;
    this.#next = (request.statement + 1) % maxStatements;
  }
}
