/** `genkan.yaml`: reads it, says what is wrong with it and where, explains it, and opens the server it describes. */

export { defaultConfigFile, isOrigin, readConfiguration } from "./configuration.ts";
export type { Configuration, ConfigSettings } from "./configuration.ts";
export { describeReference } from "./describe-reference.ts";
export { explainConfiguration } from "./explain.ts";
export type { ExplainedDoor, ExplainedSecret, ExplainedTool, Explanation } from "./explain.ts";
export { findWarnings } from "./find-warnings.ts";
export { makeConfigSchema } from "./json-schema.ts";
export { openConfigured } from "./open-configured.ts";
export type { Configured, ConfiguredOptions } from "./open-configured.ts";
export { listDatabases, openDoors } from "./open-doors.ts";
export type { OpenedDoors, ServedTool } from "./open-doors.ts";
export { readSecrets } from "./read-secrets.ts";
export { readTokens } from "./read-tokens.ts";
export type { PrincipalTokens } from "./read-tokens.ts";
