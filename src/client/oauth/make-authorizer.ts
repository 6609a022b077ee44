/** Makes the authorizer that an `auth` option asks for. */

import { UsageError } from "../../protocol/index.ts";
import type { Authorizer } from "../../transport/index.ts";
import type { Auth } from "./auth.ts";

export async function makeAuthorizer(auth: Auth, _url: URL): Promise<Authorizer> {
  if ("token" in auth) return holdToken(auth.token);
  throw new UsageError("not-yet", "Cannot authorize: not there yet");
}

/** @see https://www.rfc-editor.org/rfc/rfc6750#section-2.1 */
function holdToken(token: string | (() => string | Promise<string>)): Authorizer {
  const check = (value: string): string => {
    if (/^[\x21-\x7e]+$/.test(value)) return `Bearer ${value}`;
    throw new UsageError(
      "bad-token",
      "Cannot send the token: it holds white space or other characters no header may, expected one word",
    );
  };
  if (typeof token === "string") {
    const header = check(token);
    return { header: () => header, judgeRefusal: async () => ({ kind: "unanswered" }) };
  }
  return {
    header: async () => check(await token()),
    judgeRefusal: async () => ({ kind: "unanswered" }),
  };
}
