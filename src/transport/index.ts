/** Bytes in, messages out: lines, standard streams, an in-memory pair, HTTP. */

export { ArrivalQueue } from "./arrival-queue.ts";
export { callOut } from "./call-out.ts";
export type { ChildTransport, StartOptions } from "./child-process.ts";
export { maxTimerMs, readDuration } from "./duration.ts";
export { defaultMaxLineBytes, LineReader } from "./line-reader.ts";
export type { LineReaderOptions } from "./line-reader.ts";
export type { LineObserver, RawLine } from "./line-tap.ts";
export { LineWriter } from "./line-writer.ts";
export type { ExitStatus, StopReport, StopStep, StopTimes } from "./stop-ladder.ts";
export type { Authorizer, Refusal, RefusalVerdict } from "./http-client/authorizer.ts";
export { findBearer } from "./http-client/challenge.ts";
export type { Challenge } from "./http-client/challenge.ts";
export type { DocumentRequest, FetchDocument } from "./http-client/fetch-document.ts";
export type { HttpClientTransport } from "./http-client/http-client-transport.ts";
export { makeFolder } from "./make-folder.ts";
export { isLoopback } from "./http-client/redirect.ts";
export type { LoopbackListener, Welcome } from "./loopback-listener.ts";
export {
  createMemoryPair,
  fetchDocument,
  openHttpClient,
  openLoopbackListener,
  readSecretFile,
  startChild,
  writeSecretFile,
} from "./on-demand.ts";
export { openStdio } from "./stdio.ts";
export type { Stdio } from "./stdio.ts";
export { StreamTransport } from "./stream-transport.ts";
export type { StreamTransportOptions } from "./stream-transport.ts";
export type { Outlet, Transport } from "./transport.ts";
export { within } from "./within.ts";
export type { HttpApplication } from "./http/application.ts";
export type { GuardOptions } from "./http/guard.ts";
export type { HttpLimits } from "./http/limits.ts";
export type { ResourceServerOptions } from "./http/resource-server.ts";
export type { TokenSource } from "./http/token-list.ts";

/** Loads what serves over HTTP; a program that speaks over stdio never reads it. */
export function loadHttp() {
  return import("./http/http.ts");
}
