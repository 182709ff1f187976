/** The shell: it carries out what the kernel decides, and decides nothing itself. */
export type { AttachSettings } from "./agents/attached/settings.ts";
export type { Point } from "./driver/driver.ts";
export { type DriverLimits, defaultDriverLimits } from "./driver/settings.ts";
export type { AllowedWorkspaces } from "./evidence/allowed-workspaces.ts";
export { type CommandVerifierOptions, commandVerifier } from "./evidence/command-verifier.ts";
export { defaultVerifyLimits, type VerifyLimits } from "./evidence/limits.ts";
export type { CommandLimits } from "./evidence/run-command.ts";
export { createHub, type HubParts } from "./hub/create-hub.ts";
export type { Caller, Hub } from "./hub/hub.ts";
export { HubError, type HubErrorDetail, type HubErrorKind } from "./hub/hub-error.ts";
export { pipelineIdFor } from "./hub/submission.ts";
export { type Clock, systemClock } from "./ports/clock.ts";
export type { AgentLink, Chance, ReferenceReader, Verifier, VerifyJob } from "./ports/outside.ts";
export * from "./ports/store.ts";
export { Conflict, type StoreErrorCode, StoreUnavailable } from "./ports/store-error.ts";
export { noReferenceReader } from "./references/no-reader.ts";
export * from "./stores/index.ts";
