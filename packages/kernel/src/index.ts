/** Everything the hub decides. Folders are named after the steps of A §3.2 and §4.3; the README lists them. */

export { checkTogether, type Finding, type ReadFiles } from "./config/check-together.ts";
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
export { openRoutingPolicy } from "./dispatch/open-policy.ts";
export { ageingMs, servedBy } from "./dispatch/queue-order.ts";
export { effectiveTier } from "./dispatch/risk-tier.ts";
export {
  type RouteAnswer,
  type RouteChoice,
  type RouteQuestion,
  type RouteRefusal,
  route,
  type Verdict,
} from "./dispatch/route.ts";
export type { AdmissionPolicy, Route, RoutingDefaults, RoutingPolicy } from "./dispatch/routing-policy.ts";
export { judgeSchemaVersion, type SchemaVersionVerdict } from "./dispatch/schema-version.ts";
export { type Difference, type PastDispatch, whatIf } from "./dispatch/what-if.ts";
export type { FleetAudit } from "./fleet/audit.ts";
export { type BreakerSettings, breakerTransitions } from "./fleet/breaker.ts";
export { decideFleet } from "./fleet/decide-fleet.ts";
export type { FleetDecision } from "./fleet/decision.ts";
export { evolveFleet } from "./fleet/evolve-fleet.ts";
export { emptyFleet, type FleetState } from "./fleet/fleet-state.ts";
export type { BreakerScope, Candidate, FleetView, Profile } from "./fleet/fleet-view.ts";
export { fleetInputsFor } from "./fleet/hear-news.ts";
export type { FleetInput, FleetWorld } from "./fleet/input.ts";
export { type InstanceInfo, instanceInfo, listInstances, withoutStream } from "./fleet/instance-info.ts";
export { leaseTransitions } from "./fleet/lease.ts";
export type { FleetProblem, FleetProblemCode } from "./fleet/problem.ts";
export { type FleetRecord, recordDurability } from "./fleet/record.ts";
export { defaultFleetSettings, type FleetSettings } from "./fleet/settings.ts";
export { snapshotFleet } from "./fleet/snapshot.ts";
export { standingTransitions } from "./fleet/standing.ts";
export {
  type AttemptNote,
  judgeHealth,
  noteAttempt,
  type SyntheticHealth,
  syntheticHealthRules,
} from "./fleet/synthetic-health.ts";
export { packBreaker, viewFleet } from "./fleet/view-fleet.ts";
export * from "./graph/index.ts";
export { longestName, whyNoName } from "./names.ts";
export { didYouMean } from "./nearest-name.ts";
export { acceptPlan } from "./pipeline/accept-plan.ts";
export { branchesAt, planBranches, type RecordedBranch, wayTo } from "./pipeline/branches-at.ts";
export { inShort } from "./pipeline/brief.ts";
export { limitOf, type Spend, type SpendLimit } from "./pipeline/budget.ts";
export { causeOf } from "./pipeline/cause.ts";
export type { Command, Decision, DispatchOutcome, FleetNews } from "./pipeline/command.ts";
export { decide } from "./pipeline/decide.ts";
export { type Conduct, countsAsUsed, countsSteps } from "./pipeline/enforce-safety.ts";
export { evolve, replay } from "./pipeline/evolve.ts";
export {
  type GateCheckFinding,
  type GateName,
  gateNames,
  runGate,
  type SeenSize,
  type Verification,
  type VerifiedChanges,
  type VerifiedCommand,
} from "./pipeline/gate.ts";
export type {
  Actor,
  Answer,
  MadePlace,
  PipelineInput,
  ProvidedWork,
  Refreshed,
  RefreshOutcome,
  ReviewVerdict,
} from "./pipeline/input.ts";
export { judgeContext } from "./pipeline/judge-context.ts";
export type { VerifiedArtifact } from "./pipeline/left-work.ts";
export { pipelineTransitions, stageTransitions } from "./pipeline/machine.ts";
export { defaultMode, type HubMode, hubModes, policyIn } from "./pipeline/mode.ts";
export type { Move } from "./pipeline/moves.ts";
export type { BaseTests } from "./pipeline/notices.ts";
export { heldPlaces, standingBranch, wantsPlaces } from "./pipeline/place-of.ts";
export {
  type PipelinePlan,
  type PlanResult,
  planDefaults,
  planPipeline,
  type StagePlan,
} from "./pipeline/plan.ts";
export type { PipelineRecord } from "./pipeline/record.ts";
export { originView, type Rerun } from "./pipeline/rerun.ts";
export {
  type BranchPlan,
  type BranchSet,
  type WorkAtRisk,
  whyNoSuchPast,
  whyNotAsSeen,
} from "./pipeline/restore.ts";
export type { ReviewSubmission } from "./pipeline/review-task.ts";
export { withSeenFiles } from "./pipeline/seen-files.ts";
export { spanIdOf } from "./pipeline/span-id.ts";
export {
  attemptsUnderWay,
  hasEnded,
  type OpenEscalation,
  type PipelineState,
  type Place,
  type Sent,
  type StageState,
  sentOf,
  type Wait,
  waitOf,
} from "./pipeline/state.ts";
export { summarise } from "./pipeline/summarise.ts";
export { withTaskBudget } from "./pipeline/task-budget.ts";
export { withTaskRetries } from "./pipeline/task-retries.ts";
export { timeoutTimer } from "./pipeline/timer.ts";
export {
  noUsableAnswer,
  type ToldTransition,
  tellTransitions,
  whyNoTransition,
} from "./pipeline/transitions.ts";
export type { Problem, ProblemCode } from "./problem.ts";
export { checkpointBytes, entryBytes } from "./trust/audit/canonical.ts";
export { UnknownField } from "./trust/audit/canonical-writer.ts";
export { type ChainHead, chainEntries, emptyChain } from "./trust/audit/chain.ts";
export {
  type ChainVerdict,
  type ChainVerifier,
  chainVerifier,
  type VerifyOptions,
  verifyChain,
} from "./trust/audit/chain-verifier.ts";
export { makeCheckpoint, type VerifySignature } from "./trust/audit/checkpoint.ts";
export type { Digest } from "./trust/audit/digest.ts";
export { type EntryFrame, frameBytes } from "./trust/audit/entry-frame.ts";
export { verifyEntryProof } from "./trust/audit/entry-proof.ts";
export {
  checkpointLine,
  type ExportHeader,
  type ExportSeal,
  entryLine,
  headerLine,
  sealBytes,
  sealLine,
} from "./trust/audit/export/format.ts";
export type { FaultKind } from "./trust/audit/fault.ts";
export { believeKeys, type CheckSignature, keyIdOf, type PublicKey } from "./trust/audit/key.ts";
export { consistencyProof, consistencyRanges, verifyConsistency } from "./trust/audit/merkle/consistency.ts";
export { appendLeaf, emptyFrontier, type Frontier, root } from "./trust/audit/merkle/frontier.ts";
export { inclusionProof, inclusionRanges, verifyInclusion } from "./trust/audit/merkle/inclusion.ts";
export { type NodeHashes, nodesFromEntries, nodesIn } from "./trust/audit/merkle/node-hashes.ts";
export type { TreeNode } from "./trust/audit/merkle/shape.ts";
export type { RetainedStart } from "./trust/audit/retained-start.ts";
export { createSealer, type Sealed, type SealedEntries, type Sealer } from "./trust/audit/seal.ts";
export { type Decline, describeDecline } from "./trust/entropy/decline.ts";
export {
  type EntropyOptions,
  type EntropyState,
  initialEntropy,
  observeConfidence,
} from "./trust/entropy/entropy.ts";
export { defaultEntropyOptions, entropyOptions } from "./trust/entropy/options.ts";
export * from "./trust/redaction/index.ts";
export type { ReviewPolicy, World } from "./world.ts";
