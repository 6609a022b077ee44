/** What is wrong with a statement's own text; nothing of the database stands in it. */

export class StatementError extends Error {
  override readonly name = "StatementError";
}
