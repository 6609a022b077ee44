/** Fetches one small document, or posts one small form: what discovery and OAuth need, with every wait and size bounded. */

import type { ClientRequest, IncomingMessage } from "node:http";
import { collectBody } from "./body.ts";
import { explainNetworkError } from "./explain.ts";
import { isRedirect, judgeRedirect } from "./redirect.ts";

export interface DocumentRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface FetchedDocument {
  readonly status: number;
  readonly text: string;
}

export type FetchDocument = (request: DocumentRequest) => Promise<FetchedDocument>;

/** How large a document may be: metadata and tokens are a few kilobytes. */
export const maxDocumentBytes = 256 * 1024;

/** How long one may take. */
const documentTimeoutMs = 15_000;

/** How many redirects a GET follows; a POST follows none, for it carries secrets. */
const maxDocumentRedirects = 3;

/** Rejects with an error fit to be shown when there is no whole response. */
export async function fetchDocument(request: DocumentRequest): Promise<FetchedDocument> {
  let { url } = request;
  for (let redirects = 0; ; redirects++) {
    const { status, text, location } = await fetchOnce({ ...request, url });
    if (request.method === "POST" || !isRedirect(status)) return { status, text };
    const judged = judgeRedirect(url, status, location);
    if (judged.kind === "refuse") throw new Error(`the redirect ${judged.why}`);
    if (redirects >= maxDocumentRedirects)
      throw new Error(
        `over maxDocumentRedirects (${maxDocumentRedirects}) redirects came from ${url.host}`,
      );
    url = judged.url;
  }
}

async function fetchOnce({
  method,
  url,
  headers = {},
  body,
}: DocumentRequest): Promise<FetchedDocument & { readonly location: string | undefined }> {
  const { request: open } =
    url.protocol === "https:" ? await import("node:https") : await import("node:http");
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request: ClientRequest = open(url, {
    method,
    headers: { accept: "application/json", ...headers },
    agent: false,
  });
  const timer = setTimeout(() => {
    request.destroy();
    reject(new Error(`${url.host} did not answer within ${documentTimeoutMs} ms`));
  }, documentTimeoutMs);
  request.on("response", resolve);
  request.on("error", (error) =>
    reject(new Error(explainNetworkError(error, url).detail, { cause: error })),
  );
  request.end(body);
  try {
    const response = await promise;
    const text = await new Promise<string>((done, refuse) => {
      collectBody(response, maxDocumentBytes, (collected) => {
        if (typeof collected !== "string") return done(collected.toString());
        refuse(new Error(`the document of ${url.host} was ${collected}`));
      });
    });
    return { status: response.statusCode ?? 0, text, location: response.headers.location };
  } finally {
    clearTimeout(timer);
    request.destroy();
  }
}
