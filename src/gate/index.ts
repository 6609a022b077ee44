/** What happens around every tool call: schema, conduct, grants, budgets, the ledger, deadlines, and one shape of result. */

export type { Artifact, ArtifactOptions } from "./artifact.ts";
export { codes } from "./codes.ts";
export type { Code, CodeEntry, FailureCode } from "./codes.ts";
export type { Conduct } from "./conduct.ts";
export { maxLoopBound } from "./contract.ts";
export { defineTool } from "./define-tool.ts";
export type { Envelope, StepPlace } from "./envelope.ts";
export { ToolFailure } from "./failure.ts";
export type { ToolFailureOptions } from "./failure.ts";
export type { CallFacts, Decision, Feature, Hooks, Outcome, Risk, Step } from "./feature.ts";
export { Gate, openGate } from "./gate.ts";
export type { Grant } from "./grant.ts";
export { Grants, grantLimits } from "./grants.ts";
export type { GrantRequest } from "./grants.ts";
export { defaultGateLimits } from "./limits.ts";
export type { GateLimits, ToolLimits } from "./limits.ts";
export { createList, listSchema } from "./lists.ts";
export type { List, Whole } from "./lists.ts";
export type { GateOptions, PrincipalOptions } from "./options.ts";
export { rules } from "./rules/rules.ts";
export type { Rule } from "./rules/rule.ts";
export { StateError } from "./state-error.ts";
export type { StateFailure } from "./state-error.ts";
export type { Cell, Migrations, Row, Statement, Store } from "./store.ts";
export type { GateCall, GateTool, GateToolDefinition } from "./tool.ts";
