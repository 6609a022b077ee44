/** What happens around every tool call: schema, conduct, grants, budgets, the ledger, deadlines, and one shape of result. */

export type { ApprovalOptions } from "./approval.ts";
export type { Artifact, ArtifactOptions } from "./artifact.ts";
export { createArchiveReader, createAuditArchive } from "./audit-archive.ts";
export { formatAuditRecord, formatAuditRecordAt } from "./audit-format.ts";
export { formatAuditHead, parseAuditHead } from "./audit-head.ts";
export { AuditLog } from "./audit-log.ts";
export { readAudit } from "./audit-query.ts";
export type { AuditFilter, AuditRecord } from "./audit-query.ts";
export type { AuditEntry, AuditHead, SegmentEntry } from "./audit-record.ts";
export { defaultAuditLimits, rotateAudit } from "./audit-rotation.ts";
export type { AuditLimits, RotationOptions } from "./audit-rotation.ts";
export type { AuditVerdict, ReadArchive, VerifyOptions } from "./audit-verdict.ts";
export { verifyAuditArchive } from "./audit-verify-archives.ts";
export { verifyAudit } from "./audit-verify.ts";
export { canonicalJson } from "./canonical-json.ts";
export { codes, failureCodes } from "./codes.ts";
export type { Code, CodeEntry, FailureCode } from "./codes.ts";
export type { Conduct } from "./conduct.ts";
export { maxLoopBound } from "./contract.ts";
export { defineTool } from "./define-tool.ts";
export { isEnvelope } from "./envelope.ts";
export type { Envelope, StepPlace } from "./envelope.ts";
export { createFeatures } from "./features.ts";
export type { FeatureOptions } from "./features.ts";
export { ToolFailure } from "./failure.ts";
export type { ToolFailureOptions } from "./failure.ts";
export type { CallFacts, Decision, Feature, Hooks, Outcome, Risk, Step } from "./feature.ts";
export { Gate, hostNames, openGate } from "./gate.ts";
export type { Grant } from "./grant.ts";
export { Grants, grantLimits } from "./grants.ts";
export type { GrantRequest } from "./grants.ts";
export { defaultGateLimits, resolveLimits, resolveToolLimits } from "./limits.ts";
export type { GateLimits, ToolLimits } from "./limits.ts";
export { createList, listSchema } from "./lists.ts";
export type { List, Whole } from "./lists.ts";
export type { GateOptions, PrincipalOptions } from "./options.ts";
export { idPattern } from "./published.ts";
export { Redactor } from "./redactor.ts";
export { rules } from "./rules/rules.ts";
export type { Rule } from "./rules/rule.ts";
export { addRemoved, nothingRemoved, sanitiseText } from "./sanitise.ts";
export type { Removed, Sanitised, SanitiseOptions } from "./sanitise.ts";
export { sanitiseUrl } from "./sanitise-url.ts";
export type { SanitisedUrl, UrlPart } from "./sanitise-url.ts";
export {
  dataTrustSchema,
  describeRemoved,
  externalTrust,
  labelExternal,
  sanitiseValue,
} from "./sanitise-value.ts";
export type { SanitisedValue } from "./sanitise-value.ts";
export { parseSecretReference } from "./secret-reference.ts";
export type { Environment, SecretSource } from "./secret-source.ts";
export { Secrets } from "./secrets.ts";
export type { SecretDefinition, SecretsOptions } from "./secrets.ts";
export { openStateDesk } from "./state-desk.ts";
export type { StateDesk, StateDeskOptions } from "./state-desk.ts";
export { StateError } from "./state-error.ts";
export type { StateFailure } from "./state-error.ts";
export type { Cell, Migrations, Row, Statement, Store } from "./store.ts";
export type { GateCall, GateTool, GateToolDefinition } from "./tool.ts";
export { defaultTraceLimits } from "./trace.ts";
export type { Trace, TraceLimits } from "./trace.ts";
export { TraceBook } from "./trace-book.ts";
export type { TraceFilter } from "./trace-book.ts";
export { compareTraces, formatComparison } from "./trace-compare.ts";
export type { ComparedStep, TraceComparison } from "./trace-compare.ts";
export { replayTrace } from "./trace-replay.ts";
export type { Replay, ReplayCall, ReplayOptions } from "./trace-replay.ts";
