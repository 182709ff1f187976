/** The shell: it carries out what the kernel decides, and decides nothing itself. */
export { hasProgram, programOf } from "./agents/command/find-program.ts";
export type { CommandPack } from "./agents/command/settings.ts";
export type { GovernedTasks, SubmitOptions } from "./api/governed-tasks.ts";
export type { Hub } from "./api/hub.ts";
export { inProcessTasks } from "./api/sap/in-process.ts";
export type { SapRefusalCode } from "./api/sap/nack.ts";
export { adaptiveAuditWorker, inlineAuditWorker } from "./audit/audit-worker.ts";
export type { AuditOptions } from "./audit/auditor.ts";
export { checkFiles } from "./audit/check-files.ts";
export { checkHeadFile, checkHeads } from "./audit/check-heads.ts";
export type { CheckpointTarget } from "./audit/checkpoint-copies.ts";
export { readHeads } from "./audit/head-file.ts";
export type { HubAuditEvent } from "./audit/hub-events.ts";
export { configurationChanged, keyRefused, sandboxDowngraded } from "./audit/hub-events.ts";
export { makeSigningKey, openSigningKey } from "./audit/signing-key.ts";
export { type RecordVerdict, verifyRecord } from "./audit/walk-record.ts";
export { type ConfigurableHub, createHub, type HubParts } from "./compose/create-hub.ts";
export { refusedByStore } from "./compose/known-packs.ts";
export type { Point } from "./engine/engine.ts";
export type { EngineLimits } from "./engine/settings.ts";
export { commandVerifier } from "./evidence/command-verifier.ts";
export type { VerifyLimits } from "./evidence/limits.ts";
export type { GuardrailFunction } from "./guardrails/guards.ts";
export { isHostEntry } from "./lib/host-list.ts";
export { type Form, measure, surelyFits } from "./lib/measure-message.ts";
export type { Caller } from "./ports/caller.ts";
export { type Clock, systemClock } from "./ports/clock.ts";
export type { HookMessage, HookSender, SendOutcome } from "./ports/hook-sender.ts";
export { HubError, type HubErrorKind } from "./ports/hub-error.ts";
export type { AgentLink, Chance, ReferenceReader, Verifier, Workspaces } from "./ports/outside.ts";
export * from "./ports/store.ts";
export { Conflict, OutOfSequence, type StoreFault, StoreUnavailable } from "./ports/store-error.ts";
export type { AllowedWorkspaces } from "./processes/allowed-workspaces.ts";
export {
  findSandbox,
  type NoSandbox,
  type SandboxChoice,
  sandboxChoices,
} from "./processes/sandbox/find-sandbox.ts";
export type { Sandbox, SandboxSettings } from "./processes/sandbox/sandbox.ts";
export {
  defaultRedactor,
  type Egress,
  EgressFilter,
  egressLimits,
  redactionLimits,
} from "./redaction/egress-filter.ts";
export { redactError } from "./redaction/redact-error.ts";
export { watchStalls } from "./redaction/stall-watch.ts";
export { type RecordCommand, recordFault } from "./references/read-record.ts";
export { type ReferenceReaderOptions, referenceReader } from "./references/reference-reader.ts";
export { defaultRetention, type RetentionOptions } from "./retention/retainer.ts";
export * from "./stores/index.ts";
export { openUploads } from "./uploads/open-uploads.ts";
export { defaultUploadSettings, type UploadSettings } from "./uploads/settings.ts";
export { UploadError, type UploadErrorCode } from "./uploads/upload-error.ts";
export type { UploadContent, UploadRef, Uploads } from "./uploads/uploads.ts";
export type { ChangeHint } from "./watch/change-hints.ts";
export { type EventList, WholeBundle } from "./watch/visible-events.ts";
export type { ResultBody } from "./webhooks/bodies.ts";
export type { HookOptions } from "./webhooks/open-deliveries.ts";
export { nameOf as nameOfSecret, secretReader } from "./webhooks/secrets.ts";
export { parseKey } from "./webhooks/sign.ts";
export { checkPath } from "./workspaces/files/check-path.ts";
export { type GitWorkspacesOptions, gitWorkspaces, workspacesIn } from "./workspaces/git-workspaces.ts";
