/** The errors that an author's function throws or meets. */

import type { ClientCapabilities } from "../protocol/index.ts";

/**
 * A failure that a model can mend: its text becomes a result with `isError: true`.
 *
 * Any other error a tool throws is a fault of the tool: the caller gets `-32603` without its text, and stderr gets the rest.
 */
export class ToolError extends Error {
  override readonly name = "ToolError";
}

/** The client could not be asked, or answered with an error; left uncaught, a tool's caller is told so. */
export class AskError extends ToolError {}

/** The client has not declared a capability that the call needs. */
export class MissingCapabilityError extends Error {
  override readonly name = "MissingCapabilityError";
  readonly required: ClientCapabilities;

  constructor(required: ClientCapabilities) {
    super(
      `This needs a client with ${JSON.stringify(required)} among its capabilities, and this one has not declared it`,
    );
    this.required = required;
  }
}
