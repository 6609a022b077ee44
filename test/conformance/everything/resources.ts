/** Resources of text and of bytes, one to watch, and a family of them. */

import type { Server } from "../../../src/index.ts";
import { png } from "./samples.ts";

export function addResources(server: Server): void {
  server.addResource({
    uri: "test://static-text",
    name: "static-text",
    description: "A text that stays the same.",
    mimeType: "text/plain",
    read: () => "This is the content of the static text resource.",
  });

  server.addResource({
    uri: "test://static-binary",
    name: "static-binary",
    description: "A picture that stays the same.",
    mimeType: "image/png",
    read: () => Buffer.from(png, "base64"),
  });

  server.addResource({
    uri: "test://watched-resource",
    name: "watched-resource",
    description: "A text to subscribe to.",
    mimeType: "text/plain",
    read: () => "This is the content of the watched resource.",
  });

  server.addResourceTemplate({
    uriTemplate: "test://template/{id}/data",
    name: "template",
    description: "The data of any id.",
    mimeType: "application/json",
    read: (_uri, { id }) => JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
  });
}
