/** The shapes and rules of JSON-RPC and of every MCP revision; pure. */

export { isWanted, parseChange, toNotification } from "./change.ts";
export type { Change } from "./change.ts";
export {
  describeThrown,
  ErrorCode,
  nameOfErrorCode,
  UsageError,
  WireError,
  refuseParam,
  refuseParams,
} from "./errors.ts";
export {
  createFault,
  codeOfFault,
  faultCatalogue,
  faultOfTrouble,
  isTolerated,
  replyToFault,
} from "./fault.ts";
export type { Fault, FaultName } from "./fault.ts";
export { expectOneOf, findNearest } from "./find-nearest.ts";
export { httpFaultCatalogue, isHttpFaultName } from "./http-fault.ts";
export type { HttpFaultName, HttpTrouble } from "./http-fault.ts";
export { createRecord, describeValue, isObject, isStringArray, jsonTypeOf } from "./json.ts";
export type { JsonObject, JsonValue } from "./json.ts";
export { isAtLeast, isLoggingLevel, loggingLevels } from "./logging.ts";
export type { LoggingLevel } from "./logging.ts";
export { encodeMessage, isRequestId, parseMessage } from "./message.ts";
export type {
  ErrorBody,
  ErrorMessage,
  Message,
  NotificationMessage,
  Outgoing,
  RequestId,
  RequestMessage,
  ResultMessage,
} from "./json-rpc.ts";
export {
  isImplementation,
  MetaKey,
  parseCallerMeta,
  progressTokenOf,
  protocolVersionOf,
  traceContextOf,
} from "./meta.ts";
export type { CallerInfo, TraceContext } from "./meta.ts";
export type { ClientRequestMethod, ServerRequestMethod } from "./method.ts";
export { excerptOf, parseLine } from "./parse-line.ts";
export type { Arrival, Batch } from "./parse-line.ts";
export { scanJson } from "./scan-json.ts";
export type { Revision } from "./revision/revision.ts";
export {
  findRevision,
  latestHandshake,
  latestStateless,
  negotiateHandshake,
  revisions,
  versionsOf,
} from "./revision/revisions.ts";
export type { CacheHints } from "./cache-hints.ts";
export type { ClientCapabilities, Implementation, ServerCapabilities } from "./capabilities.ts";
export type {
  CreateMessageParams,
  CreateMessageResult,
  ElicitFormParams,
  ElicitParams,
  ElicitResult,
  ElicitSchema,
  ElicitUrlParams,
  ListRootsResult,
  ModelPreferences,
  Root,
  SamplingContent,
  SamplingMessage,
} from "./client-features.ts";
export type {
  Annotations,
  AudioContent,
  BlobResourceContents,
  ContentBlock,
  EmbeddedResource,
  Icon,
  ImageContent,
  ResourceContents,
  ResourceLink,
  Role,
  TextContent,
  TextResourceContents,
} from "./content.ts";
export type {
  Completion,
  CompletionReference,
  GetPromptResult,
  Prompt,
  PromptArgument,
  PromptMessage,
} from "./prompt.ts";
export type {
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  SubscriptionFilter,
} from "./resource.ts";
export { escapeJson, showControls, toPrintable, toPrintableLines } from "./terminal-text.ts";
export type { CallToolResult, ObjectSchema, Tool, ToolAnnotations } from "./tool.ts";
export { Underway } from "./underway.ts";
