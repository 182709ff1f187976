/** The shell: it carries out what the kernel decides, and decides nothing itself. */
export type { AttachSettings } from "./agents/attached/settings.ts";
export { hasProgram, programOf } from "./agents/command/find-program.ts";
export {
  type CommandOptions,
  type CommandPack,
  type CommandRunLimits,
  defaultCommandLimits,
} from "./agents/command/settings.ts";
export type { Changeable } from "./api/configuration.ts";
export type { Hub } from "./api/hub.ts";
export {
  type AuditWorker,
  adaptiveAuditWorker,
  inlineAuditWorker,
  threadAuditWorker,
} from "./audit/audit-worker.ts";
export { type AuditOptions, type AuditSchedule, defaultAuditSchedule } from "./audit/auditor.ts";
export { checkFiles } from "./audit/check-files.ts";
export { checkHeadFile, checkHeads } from "./audit/check-heads.ts";
export type { CheckpointTarget } from "./audit/checkpoint-copies.ts";
export { readHeads } from "./audit/head-file.ts";
export type { HubAuditEvent } from "./audit/hub-events.ts";
export { configurationChanged, keyRefused, sandboxDowngraded } from "./audit/hub-events.ts";
export {
  checkSignature,
  keyFileOf,
  makeSigningKey,
  openSigningKey,
  type SigningKey,
} from "./audit/signing-key.ts";
export { type RecordVerdict, type Trust, verifyRecord } from "./audit/walk-record.ts";
export { type ConfigurableHub, createHub, type HubParts } from "./compose/create-hub.ts";
export { refusedByStore } from "./compose/known-packs.ts";
export type { Point } from "./engine/engine.ts";
export { pipelineIdFor } from "./engine/pipeline-id.ts";
export { defaultEngineLimits, type EngineLimits } from "./engine/settings.ts";
export { type CommandVerifierOptions, commandVerifier } from "./evidence/command-verifier.ts";
export {
  defaultPulseLimits,
  defaultVerifyLimits,
  type PulseLimits,
  type VerifyLimits,
} from "./evidence/limits.ts";
export { isHostEntry } from "./lib/host-list.ts";
export { type Form, type Measure, measure, surelyFits } from "./lib/measure-message.ts";
export type { Caller } from "./ports/caller.ts";
export { type Clock, systemClock } from "./ports/clock.ts";
export { HubError, type HubErrorDetail, type HubErrorKind } from "./ports/hub-error.ts";
export type {
  AgentLink,
  Chance,
  ReferenceReader,
  RefreshJob,
  Verifier,
  VerifyJob,
  Workspaces,
} from "./ports/outside.ts";
export type { PublishPulses, Pulse } from "./ports/pulse.ts";
export * from "./ports/store.ts";
export {
  Conflict,
  OutOfSequence,
  type StoreErrorCode,
  type StoreFault,
  StoreUnavailable,
} from "./ports/store-error.ts";
export type { AllowedWorkspaces } from "./processes/allowed-workspaces.ts";
export type { CommandLimits } from "./processes/run-command.ts";
export {
  findSandbox,
  type NoSandbox,
  type SandboxChoice,
  sandboxChoices,
} from "./processes/sandbox/find-sandbox.ts";
export {
  defaultSandboxSettings,
  type Sandbox,
  type SandboxKind,
  type SandboxSettings,
} from "./processes/sandbox/sandbox.ts";
export {
  defaultRedactor,
  type Egress,
  EgressFilter,
  type EgressFilterOptions,
  egressLimits,
  type FailureCount,
  type RedactionAlert,
  redactionLimits,
} from "./redaction/egress-filter.ts";
export { redactError } from "./redaction/redact-error.ts";
export { type StallWatch, watchStalls } from "./redaction/stall-watch.ts";
export { defaultReferenceLimits, type ReferenceLimits } from "./references/limits.ts";
export { type RecordCommand, type RecordCommands, recordFault } from "./references/read-record.ts";
export { type ReferenceReaderOptions, referenceReader } from "./references/reference-reader.ts";
export { defaultRetention, type RetentionOptions } from "./retention/retainer.ts";
export * from "./stores/index.ts";
export type { ChangeHint } from "./watch/change-hints.ts";
export { type EventList, WholeBundle } from "./watch/visible-events.ts";
export { checkPath, type PathCheck } from "./workspaces/files/check-path.ts";
export { type DigestedInside, digestInside } from "./workspaces/files/digest-inside.ts";
export { type OpenedInside, openInside } from "./workspaces/files/open-inside.ts";
export { type GitWorkspacesOptions, gitWorkspaces, workspacesIn } from "./workspaces/git-workspaces.ts";
export { defaultWorkspaceSettings, type WorkspaceSettings } from "./workspaces/settings.ts";
