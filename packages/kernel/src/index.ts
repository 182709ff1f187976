/** Everything the hub decides. Folders are named after the steps of A §3.2 and §4.3; the README lists them. */

export { shortenReason } from "./brief.ts";
export { checkProject, type Finding, type ProjectFiles } from "./config/check-project.ts";
export { type CommandAgent, type CommandPreset, commandLimits } from "./config/command-agent.ts";
export { type Configuration, describeChanges } from "./config/describe-changes.ts";
export { parseDurationMs } from "./config/duration.ts";
export { type ConfigurationKind, configurationSchema, configurationShapes } from "./config/file-schema.ts";
export { type PackReading, type ProfessionPack, readProfessionPack } from "./config/profession-pack.ts";
export { type RedactionPolicyReading, readRedactionPolicy } from "./config/redaction-policy.ts";
export { type PolicyReading as RoutingPolicyReading, readRoutingPolicy } from "./config/routing-policy.ts";
export { type PipelineTemplate, readTemplates, type TemplatesReading } from "./config/templates.ts";
export { explainFreshness, explainOmitted, explainRoute } from "./dispatch/explain.ts";
export { type FleetFacts, factsOf, fleetFromFacts } from "./dispatch/fleet-facts.ts";
export type { Refreshed, RefreshOutcome } from "./dispatch/freshness.ts";
export { openRoutingPolicy } from "./dispatch/open-policy.ts";
export { ageingMs, servingOrderKey } from "./dispatch/queue-order.ts";
export {
  explainMissingRoute,
  matchRoute,
  type RouteAnswer,
  type RouteChoice,
  type RouteQuestion,
  type RouteRefusal,
  route,
  type Verdict,
} from "./dispatch/route.ts";
export type {
  AdmissionPolicy,
  ReviewPolicy,
  Route,
  RoutingDefaults,
  RoutingPolicy,
} from "./dispatch/routing-policy.ts";
export { type Difference, type PastDispatch, whatIf } from "./dispatch/what-if.ts";
export type { FleetAudit } from "./fleet/decide/audit.ts";
export { decideFleet } from "./fleet/decide/decide-fleet.ts";
export type { FleetDecision } from "./fleet/decide/decision.ts";
export type { FleetInput, FleetWorld } from "./fleet/decide/input.ts";
export {
  type DispatchOutcome,
  type FleetReport,
  inputsFromReport,
} from "./fleet/decide/inputs-from-report.ts";
export type { FleetProblem, FleetProblemCode } from "./fleet/decide/problem.ts";
export type { BreakerScope, Candidate, FleetView, Profile } from "./fleet/fleet-view.ts";
export { type BreakerSettings, breakerTransitions } from "./fleet/health/breaker.ts";
export { standingTransitions } from "./fleet/health/standing.ts";
export {
  type AttemptNote,
  deriveHealth,
  noteAttempt,
  type SyntheticHealth,
  syntheticHealthRules,
} from "./fleet/health/synthetic-health.ts";
export { leaseTransitions } from "./fleet/lease/lease.ts";
export { defaultFleetSettings, type FleetSettings } from "./fleet/settings.ts";
export { evolveFleet } from "./fleet/state/evolve-fleet.ts";
export { emptyFleet, type FleetState } from "./fleet/state/fleet-state.ts";
export { leaseEndReasons } from "./fleet/state/fold-instance.ts";
export { type FleetRecord, recordDurability } from "./fleet/state/record.ts";
export {
  type AttemptOutcome,
  type EndedAttempt,
  type WorkInfo,
  workLimits,
} from "./fleet/state/work.ts";
export {
  type InstanceInfo,
  instanceInfo,
  instanceWork,
  listInstances,
  withoutStream,
} from "./fleet/view/instance-info.ts";
export { snapshotFleet } from "./fleet/view/snapshot.ts";
export { packBreaker, viewFleet } from "./fleet/view/view-fleet.ts";
export * from "./graph/index.ts";
export { didYouMean, maxNameLength, nameFault } from "./names.ts";
export { decide } from "./pipeline/decide.ts";
export type {
  BranchPlan,
  BranchSet,
  Command,
  Decision,
  ReviewSubmission,
} from "./pipeline/decision/command.ts";
export type {
  Actor,
  Answer,
  PipelineInput,
  PreparedWorkspace,
  ProvidedWork,
  Rerun,
  ReviewVerdict,
  WorkAtRisk,
} from "./pipeline/decision/input.ts";
export {
  type GateCheckFinding,
  type GateName,
  gateNames,
  runGate,
  type SeenSize,
  type Verification,
  type VerifiedChanges,
  type VerifiedCommand,
} from "./pipeline/gate/gate.ts";
export type { VerifiedArtifact } from "./pipeline/gate/left-work.ts";
export type { BaseTests } from "./pipeline/gate/notices.ts";
export { withSeenFiles } from "./pipeline/gate/seen-files.ts";
export { acceptPlan } from "./pipeline/plan/accept-plan.ts";
export { checkContext, checkWork } from "./pipeline/plan/check-work.ts";
export {
  type PipelinePlan,
  type PlanResult,
  planPipeline,
} from "./pipeline/plan/plan.ts";
export { planDefaults, type StagePlan } from "./pipeline/plan/plan-stage.ts";
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
export { type Conduct, countsAsUsed, countsSteps } from "./pipeline/result/enforce-safety.ts";
export {
  branchesAt,
  effectiveVersions,
  planBranches,
  type RecordedBranch,
} from "./pipeline/rewind/branches-at.ts";
export {
  checkPastVersion,
  checkUnchangedSince,
} from "./pipeline/rewind/rewind.ts";
export {
  checkTransitionExists,
  type ListedTransition,
  listTransitions,
  noUsableResult,
} from "./pipeline/rewind/transitions.ts";
export { summarise } from "./pipeline/stage/summarise.ts";
export { causeOf } from "./pipeline/state/cause.ts";
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
  hasEnded,
  type OpenEscalation,
  type PipelineState,
} from "./pipeline/state/state.ts";
export { timeoutTimer } from "./pipeline/state/timers.ts";
export { existingBranch, heldWorkspaces, preparesWorkspaces } from "./pipeline/state/workspace.ts";
export { originView } from "./pipeline/submission/rerun.ts";
export type { Problem, ProblemCode } from "./problem.ts";
export { effectiveTier } from "./risk-tier.ts";
export { checkpointBytes, entryBytes } from "./trust/audit/canonical/canonical.ts";
export { UnknownField } from "./trust/audit/canonical/canonical-writer.ts";
export { type ChainHead, chainEntries, emptyChain } from "./trust/audit/chain.ts";
export { type ChainedEntries, type ChainedHash, type Chainer, createChainer } from "./trust/audit/chainer.ts";
export { makeCheckpoint, type VerifySignature } from "./trust/audit/checkpoint.ts";
export type { Digest } from "./trust/audit/digest.ts";
export {
  checkpointLine,
  type ExportHeader,
  type ExportTrailer,
  entryLine,
  headerLine,
  trailerBytes,
  trailerLine,
} from "./trust/audit/export/format.ts";
export { type CheckSignature, keyIdOf, type PublicKey, trustKeys } from "./trust/audit/key.ts";
export { consistencyProof, consistencyRanges, verifyConsistency } from "./trust/audit/merkle/consistency.ts";
export { appendLeaf, emptyFrontier, type Frontier, root } from "./trust/audit/merkle/frontier.ts";
export { inclusionProof, inclusionRanges, verifyInclusion } from "./trust/audit/merkle/inclusion.ts";
export { type NodeHashes, nodesFromEntries, nodesIn } from "./trust/audit/merkle/node-hashes.ts";
export type { TreeNode } from "./trust/audit/merkle/shape.ts";
export {
  type ChainVerdict,
  type ChainVerifier,
  chainVerifier,
  type VerifyOptions,
  verifyChain,
} from "./trust/audit/verify/chain-verifier.ts";
export { type EntryFrame, frameBytes } from "./trust/audit/verify/entry-frame.ts";
export { verifyEntryProof } from "./trust/audit/verify/entry-proof.ts";
export type { FaultKind } from "./trust/audit/verify/fault.ts";
export type { RetainedStart } from "./trust/audit/verify/retained-start.ts";
export { type Decline, describeDecline } from "./trust/entropy/decline.ts";
export {
  type EntropyOptions,
  type EntropyState,
  initialEntropy,
  observeConfidence,
} from "./trust/entropy/entropy.ts";
export { defaultEntropyOptions, entropyOptions } from "./trust/entropy/options.ts";
export * from "./trust/redaction/index.ts";
export { checkSchemaVersion, type SchemaVersionVerdict } from "./versions/schema-version.ts";
export type { World } from "./world.ts";
