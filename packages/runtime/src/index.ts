/** The shell: it carries out what the kernel decides, and decides nothing itself. */
export type { AttachSettings } from "./agents/attached/settings.ts";
export { hasProgram, programOf } from "./agents/command/find-program.ts";
export {
  type CommandOptions,
  type CommandPack,
  type CommandRunLimits,
  defaultCommandLimits,
} from "./agents/command/settings.ts";
export { type AuditOptions, type AuditRhythm, defaultAuditRhythm } from "./audit/auditor.ts";
export { checkFiles } from "./audit/check-files.ts";
export { checkHeads, checkNote } from "./audit/check-heads.ts";
export type { CheckpointTarget } from "./audit/checkpoint-copies.ts";
export { readHeads } from "./audit/head-file.ts";
export { configurationChanged, keyRefused, sandboxDowngraded } from "./audit/hub-events.ts";
export {
  checkSignature,
  keyFileOf,
  makeSigningKey,
  openSigningKey,
  type SigningKey,
} from "./audit/signing-key.ts";
export { type RecordVerdict, type Trust, verifyRecord } from "./audit/walk-record.ts";
export { type Workshop, workshopHere, workshopInThread } from "./audit/workshop.ts";
export { workshopBeside } from "./audit/workshop-beside.ts";
export type { Point } from "./driver/driver.ts";
export { type DriverLimits, defaultDriverLimits } from "./driver/settings.ts";
export type { HubAuditEvent } from "./driver/work.ts";
export type { AllowedWorkspaces } from "./evidence/allowed-workspaces.ts";
export { type CommandVerifierOptions, commandVerifier } from "./evidence/command-verifier.ts";
export {
  defaultPulseLimits,
  defaultVerifyLimits,
  type PulseLimits,
  type VerifyLimits,
} from "./evidence/limits.ts";
export type { Pulse, TellPulses } from "./evidence/pulses.ts";
export type { CommandLimits } from "./evidence/run-command.ts";
export {
  findSandbox,
  type NoSandbox,
  type SandboxChoice,
  sandboxChoices,
} from "./evidence/sandbox/find-sandbox.ts";
export {
  defaultSandboxSettings,
  type Sandbox,
  type SandboxKind,
  type SandboxSettings,
} from "./evidence/sandbox/sandbox.ts";
export {
  type FailureCount,
  Filter,
  type FilterOptions,
  filterLimits,
  type RedactionAlert,
  usualRedactor,
  type WayOut,
} from "./filter/filter.ts";
export { filterError } from "./filter/filter-error.ts";
export { redactionLimits } from "./filter/redaction-limits.ts";
export { type StallWatch, watchStalls } from "./filter/stall-watch.ts";
export { isHostEntry } from "./hosts/host-list.ts";
export type { Changeable } from "./hub/configuration.ts";
export { type ConfigurableHub, createHub, type HubParts } from "./hub/create-hub.ts";
export type { Caller, Hub } from "./hub/hub.ts";
export { HubError, type HubErrorDetail, type HubErrorKind } from "./hub/hub-error.ts";
export { refusedByStore } from "./hub/known-packs.ts";
export { type EventList, WholeBundle } from "./hub/shown-events.ts";
export type { Stir } from "./hub/stirs.ts";
export { pipelineIdFor } from "./hub/submission.ts";
export { type Clock, systemClock } from "./ports/clock.ts";
export type {
  AgentLink,
  Chance,
  ReferenceReader,
  RefreshJob,
  Verifier,
  VerifyJob,
  Workspaces,
} from "./ports/outside.ts";
export * from "./ports/store.ts";
export { Conflict, type StoreErrorCode, type StoreFault, StoreUnavailable } from "./ports/store-error.ts";
export { defaultReferenceLimits, type ReferenceLimits } from "./references/limits.ts";
export { type RecordCommand, type RecordCommands, recordFault } from "./references/read-record.ts";
export { type ReferenceReaderOptions, referenceReader } from "./references/reference-reader.ts";
export { defaultRetention, type RetentionOptions } from "./retention/retainer.ts";
export * from "./stores/index.ts";
export { type Form, type Measure, measure, surelyFits } from "./views/measure.ts";
export { type DigestedInside, digestInside } from "./workspaces/digest-inside.ts";
export { type GitWorkspacesOptions, gitWorkspaces, placesIn } from "./workspaces/git-workspaces.ts";
export { type OpenedInside, openInside } from "./workspaces/open-inside.ts";
export { checkPath, type PathCheck } from "./workspaces/path-inside.ts";
export { defaultWorkspaceSettings, type WorkspaceSettings } from "./workspaces/settings.ts";
