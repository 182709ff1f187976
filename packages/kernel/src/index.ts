/** Everything the hub decides. Folders are named after the steps of A §3.2 and §4.3; the README lists them. */

export { shortenReason } from "./brief.ts";
export { checkProject, type Finding, type WorkflowIndex } from "./config/check-project.ts";
export { type CommandAgent, type CommandPreset, commandLimits } from "./config/command-agent.ts";
export { readConstitution } from "./config/constitution/constitution-file.ts";
export { type Configuration, describeChanges } from "./config/describe-changes.ts";
export { type ConfigurationKind, configurationSchema, configurationShapes } from "./config/file-schema.ts";
export { readGuardrails } from "./config/guardrails.ts";
export { type ModelAgent, modelAgentLimits, readModelAgent } from "./config/model-agent.ts";
export {
  type CatalogueModel,
  type ModelCatalogue,
  type ModelPrice,
  type ModelProvider,
  modelsLimits,
  readModels,
} from "./config/models.ts";
export { type ProfessionPack, readProfessionPack } from "./config/profession-pack.ts";
export { readRedactionPolicy } from "./config/redaction-policy.ts";
export { type PolicyReading as RoutingPolicyReading, readRoutingPolicy } from "./config/routing-policy.ts";
export { parseDurationMs } from "./config/shape.ts";
export { readSpendLimits } from "./config/spend-limits.ts";
export { type PipelineTemplate, readTemplates } from "./config/templates.ts";
export {
  type CommandTool,
  type HttpTool,
  type McpTools,
  type ToolSource,
  toolLimits,
  variablesOfTools,
} from "./config/tools/model-tools.ts";
export { readWebhooks } from "./config/webhooks.ts";
export { type CompiledWorkflows, compileWorkflows } from "./config/workflows/compile-workflows.ts";
export { readWorkflow, type WorkflowFile } from "./config/workflows/workflow-file.ts";
export { explainFreshness, explainOmitted, explainRoute } from "./dispatch/explain.ts";
export type { RefreshOutcome } from "./dispatch/freshness.ts";
export { openRoutingPolicy } from "./dispatch/open-policy.ts";
export { ageingMs, servingOrderKey } from "./dispatch/rank.ts";
export { explainMissingRoute, matchRoute, type RouteQuestion, route } from "./dispatch/route.ts";
export { fallbackOf, type ReviewPolicy, type Route, type RoutingPolicy } from "./dispatch/routing-policy.ts";
export { type Difference, type PastDispatch, whatIf } from "./dispatch/what-if.ts";
export type { FleetAudit } from "./fleet/decide/audit.ts";
export { decideFleet } from "./fleet/decide/decide-fleet.ts";
export type { FleetDecision } from "./fleet/decide/decision.ts";
export type { FleetInput } from "./fleet/decide/input.ts";
export { type FleetReport, inputsFromReport } from "./fleet/decide/inputs-from-report.ts";
export type { FleetProblem } from "./fleet/decide/problem.ts";
export type { FleetView } from "./fleet/fleet-view.ts";
export { breakerTransitions } from "./fleet/health/breaker.ts";
export { standingTransitions } from "./fleet/health/standing.ts";
export { type AttemptNote, deriveHealth, noteAttempt } from "./fleet/health/synthetic-health.ts";
export { leaseTransitions } from "./fleet/lease/lease.ts";
export { defaultFleetSettings, type FleetSettings } from "./fleet/settings.ts";
export { evolveFleet } from "./fleet/state/evolve-fleet.ts";
export { emptyFleet, type FleetState, type PinnedTool, pinOf, raisedOn } from "./fleet/state/fleet-state.ts";
export { leaseEndReasons } from "./fleet/state/fold-instance.ts";
export { type FleetRecord, recordDurability } from "./fleet/state/record.ts";
export type { EndedAttempt, WorkInfo } from "./fleet/state/work.ts";
export {
  type InstanceInfo,
  instanceInfo,
  instanceWork,
  listInstances,
  withoutStream,
} from "./fleet/view/instance-info.ts";
export { packBreaker, viewFleet } from "./fleet/view/view-fleet.ts";
export * from "./governance/index.ts";
export * from "./graph/index.ts";
export * from "./guardrails/index.ts";
export { checkJsonSchema } from "./json-schema/check-schema.ts";
export { validateValue } from "./json-schema/validate-value.ts";
export { didYouMean, maxNameLength, nameFault } from "./names.ts";
export { stageResult } from "./pipeline/alignment/subject.ts";
export { decide } from "./pipeline/decide.ts";
export type { BranchPlan, Command, Decision, ReviewSubmission } from "./pipeline/decision/command.ts";
export { replyAddresses } from "./pipeline/decision/deliveries.ts";
export type {
  Actor,
  Answer,
  PipelineInput,
  PreparedWorkspace,
  ProvidedWork,
  ReviewVerdict,
  WorkAtRisk,
} from "./pipeline/decision/input.ts";
export type {
  GateCheckFinding,
  GateName,
  SeenSize,
  Verification,
  VerifiedChanges,
  VerifiedCommand,
} from "./pipeline/gate/gate.ts";
export type { VerifiedArtifact } from "./pipeline/gate/left-work.ts";
export type { BaseTests } from "./pipeline/gate/notices.ts";
export { withSeenFiles } from "./pipeline/gate/seen-files.ts";
export { acceptPlan } from "./pipeline/plan/accept-plan.ts";
export { checkContext, checkWork } from "./pipeline/plan/check-work.ts";
export { type PipelinePlan, type PlanResult, planPipeline } from "./pipeline/plan/plan.ts";
export { planDefaults } from "./pipeline/plan/plan-stage.ts";
export type { ModelSpend, SpendDetail } from "./pipeline/plan/spend-detail.ts";
export { limitOf, type Spend, type SpendLimit } from "./pipeline/plan/spending.ts";
export {
  applyMode,
  defaultMode,
  type HubMode,
  hubModes,
  withTaskBudget,
  withTaskRetries,
} from "./pipeline/plan/task-policy.ts";
export { evolve, replay } from "./pipeline/records/evolve.ts";
export type { Move } from "./pipeline/records/moves.ts";
export type { PipelineRecord } from "./pipeline/records/record.ts";
export { type AttemptSpend, spendIn } from "./pipeline/records/spends.ts";
export { type Conduct, countsAsUsed, countsSteps } from "./pipeline/result/enforce-safety.ts";
export {
  branchesAt,
  effectiveVersions,
  planBranches,
  type RecordedBranch,
} from "./pipeline/rewind/branches-at.ts";
export { checkPastVersion, checkUnchangedSince } from "./pipeline/rewind/rewind.ts";
export {
  checkTransitionExists,
  type ListedTransition,
  listTransitions,
  noUsableResult,
} from "./pipeline/rewind/transitions.ts";
export { summarise } from "./pipeline/stage/summarise.ts";
export { causeOf } from "./pipeline/state/cause.ts";
export type { Delivery, Receiver } from "./pipeline/state/delivery.ts";
export { labelsOf } from "./pipeline/state/labels.ts";
export { pipelineTransitions, stageTransitions } from "./pipeline/state/machine.ts";
export { spanIdOf } from "./pipeline/state/span-id.ts";
export {
  type AttemptWorkspace,
  type Sent,
  type StageState,
  sentOf,
  type Wait,
  waitOf,
} from "./pipeline/state/stage-state.ts";
export {
  activeAttempts,
  grantedTo,
  hasEnded,
  isConsultation,
  isWithheld,
  type OpenEscalation,
  type PipelineState,
  type RunLabel,
} from "./pipeline/state/state.ts";
export {
  type KnownStep,
  type ReportedStep,
  type StepStateName,
  type Steps,
  stepKey,
  stepLimits,
  stepsOf,
} from "./pipeline/state/steps.ts";
export { timeoutTimer } from "./pipeline/state/timers.ts";
export { existingBranch, heldWorkspaces, preparesWorkspaces } from "./pipeline/state/workspace.ts";
export { originView } from "./pipeline/submission/rerun.ts";
export type { Problem } from "./problem.ts";
export { effectiveTier } from "./risk-tier.ts";
export {
  type Allowance,
  type AmountLimit,
  type Amounts,
  addAmounts,
  dayOf,
  isLimited,
  limitsOfTenant,
  monthStartOf,
  noAmounts,
  type PeriodRoom,
  roomsOf,
  type SpendLimits,
  type TenantLimits,
} from "./spend-limits.ts";
export { checkpointBytes, entryBytes } from "./trust/audit/canonical/canonical.ts";
export { type ChainHead, chainEntries, emptyChain } from "./trust/audit/chain.ts";
export { type ChainedHash, type Chainer, createChainer } from "./trust/audit/chainer.ts";
export { makeCheckpoint, type VerifySignature } from "./trust/audit/checkpoint.ts";
export type { Digest } from "./trust/audit/digest.ts";
export {
  checkpointLine,
  type ExportHeader,
  entryLine,
  headerLine,
  trailerBytes,
  trailerLine,
} from "./trust/audit/export/format.ts";
export { type CheckSignature, keyIdOf, type PublicKey, trustKeys } from "./trust/audit/key.ts";
export { consistencyProof, consistencyRanges } from "./trust/audit/merkle/consistency.ts";
export { appendLeaf, emptyFrontier, type Frontier, root } from "./trust/audit/merkle/frontier.ts";
export { inclusionProof, inclusionRanges } from "./trust/audit/merkle/inclusion.ts";
export { type NodeHashes, nodesFromEntries, nodesIn } from "./trust/audit/merkle/node-hashes.ts";
export type { TreeNode } from "./trust/audit/merkle/tree-hash.ts";
export { chainVerifier, verifyChain } from "./trust/audit/verify/chain-verifier.ts";
export { verifyEntryProof } from "./trust/audit/verify/entry-proof.ts";
export type { FaultKind } from "./trust/audit/verify/fault.ts";
export { defaultEntropyOptions, entropyOptions } from "./trust/entropy/decline.ts";
export type { EntropyOptions } from "./trust/entropy/entropy.ts";
export * from "./trust/redaction/index.ts";
export {
  endEvents,
  type NotificationFormat,
  type NotificationRule,
  notificationsOf,
  type RunEvent,
  runEvents,
  type SecretSource,
  signingSecrets,
  type WebhookPolicy,
  webhookLimits,
} from "./webhook-policy.ts";
export type { World } from "./world.ts";
