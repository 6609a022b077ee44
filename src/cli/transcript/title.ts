/** Says in a few words what a message is. */

import {
  nameOfErrorCode,
  toPrintable,
  type JsonObject,
  type Message,
  type RequestId,
} from "../../protocol/index.ts";

/** Remembers the requests of one direction, so that their replies can be named. */
export type OpenRequests = Map<RequestId, string>;

/** @param asked the requests of this message's sender @param answered the requests of the other side */
export function titleOf(message: Message, asked: OpenRequests, answered: OpenRequests): string {
  switch (message.kind) {
    case "request": {
      const what = describeCall(message.method, message.params);
      asked.set(message.id, what);
      return `request ${showId(message.id)} · ${what}`;
    }
    case "notification":
      return `notification · ${describeCall(message.method, message.params)}`;
    case "result": {
      const what = answered.get(message.id) ?? "no such request";
      const mark = message.result["isError"] === true ? " · isError" : "";
      return `result ${showId(message.id)} · ${what}${mark}`;
    }
    case "error": {
      const { id, error } = message;
      const what =
        id === null || id === undefined ? "no id" : (answered.get(id) ?? "no such request");
      const code = [error.code, nameOfErrorCode(error.code)]
        .filter((each) => each !== undefined)
        .join(" ");
      return `error ${showId(id)} · ${what} · ${code}`;
    }
  }
}

function describeCall(method: string, params: JsonObject | undefined): string {
  const name = params?.["name"];
  return toPrintable(typeof name === "string" ? `${method} ${name}` : method, 60);
}

function showId(id: RequestId | null | undefined): string {
  return id === undefined ? "without an id" : toPrintable(JSON.stringify(id), 40);
}
