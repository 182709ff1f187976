// Written by protoc-gen-plain from the proto files. Do not edit.
import { notPlain } from "../../src/plain/plain-bytes.ts";
import { readData } from "../../src/plain/read-data.ts";
import { asItCame, checkDepth, countElement, type Reading, readInt32 } from "../../src/plain/reading.ts";
import type {
  AbortPipelineRequest,
  AbortPipelineResponse,
  AcceptedResult,
  CancelStageRequest,
  CancelStageResponse,
  ChangeLimitsRequest,
  ChangeLimitsResponse,
  ExplainDispatchRequest,
  ExplainDispatchResponse,
  GetPipelineRequest,
  GetPipelineResponse,
  GetTenantRequest,
  GetTenantResponse,
  LabelPipelineRequest,
  LabelPipelineResponse,
  ListEscalationsRequest,
  ListEscalationsResponse,
  ListPipelinesRequest,
  ListPipelinesResponse,
  OverrideStageRequest,
  OverrideStageResponse,
  PausePipelineRequest,
  PausePipelineResponse,
  PipelinePlan,
  ProvidedResult,
  RaiseSpendLimitRequest,
  RaiseSpendLimitResponse,
  ResolveEscalationRequest,
  ResolveEscalationResponse,
  ResumePipelineRequest,
  ResumePipelineResponse,
  ReviewApproval,
  ReviewRejection,
  ReviewStageRequest,
  ReviewStageResponse,
  SkipStageRequest,
  SkipStageResponse,
  StartTenantRequest,
  StartTenantResponse,
  StopTenantRequest,
  StopTenantResponse,
  SubmitTaskRequest,
  SubmitTaskResponse,
  Tenant,
  WatchEventsRequest,
  WatchEventsResponse,
} from "../vasini/agent/v1/orchestrator_service_pb.js";
import type {
  AcceptToolRequest,
  AcceptToolResponse,
  AgentAttempt,
  AgentInstance,
  AgentWork,
  AttachAcknowledged,
  AttachAgentRequest,
  AttachAgentResponse,
  AttachDrain,
  AttachHello,
  AttachRefused,
  AttachWelcome,
  HeldDispatch,
  ListAgentsRequest,
  ListAgentsResponse,
  ListPinnedToolsRequest,
  ListPinnedToolsResponse,
  ListStepsRequest,
  ListStepsResponse,
  PinToolsRequest,
  PinToolsResponse,
  PinnedTool,
  RegisterAgentRequest,
  RegisterAgentResponse,
  ReportStepRequest,
  ReportStepResponse,
  RestoreAgentRequest,
  RestoreAgentResponse,
  SendHeartbeatRequest,
  SendHeartbeatResponse,
  ToolPin,
} from "../vasini/agent/v1/registry_service_pb.js";
import type {
  AdmissionSnapshot,
  AgentSnapshot,
  AuditActor,
  AuditSnapshot,
  CandidateVerdict,
  ChangeSize,
  DispatchSnapshot,
  EscalationSnapshot,
  GateCheck,
  GateSnapshot,
  GuardrailSnapshot,
  PipelineSnapshot,
  RefFreshnessCheck,
  ResponseSnapshot,
  ResultSnapshot,
  TimeoutSnapshot,
  ToolCallSnapshot,
} from "../vasini/agent/v1/audit_snapshot_pb.js";
import type {
  AgentCapacity,
  AgentEndpoint,
  AgentHealth,
  AgentHeartbeat,
  AgentManifest,
  DefinitionDigest,
  InterfaceContract,
} from "../vasini/agent/v1/registry_pb.js";
import type {
  AgentResult,
  Artifact,
  Blocker,
  Evidence,
  EvidenceItem,
  EvidenceItems,
  ResultStatus,
  ResultTiming,
  StructuredResponse,
  ToolProposal,
} from "../vasini/agent/v1/result_pb.js";
import type {
  AlignmentDifference,
  AttemptSummary,
  CompareConstitutionRequest,
  CompareConstitutionResponse,
  CompareRoutingRequest,
  CompareRoutingResponse,
  ConstitutionRule,
  FileDiff,
  GetAttemptChangesRequest,
  GetAttemptChangesResponse,
  GetAttemptRequest,
  GetAttemptResponse,
  GetAttemptsRequest,
  GetAttemptsResponse,
  GetConstitutionRequest,
  GetConstitutionResponse,
  GetPipelineChangesRequest,
  GetPipelineChangesResponse,
  GetRoutingPolicyRequest,
  GetRoutingPolicyResponse,
  GetSpendRequest,
  GetSpendResponse,
  GetStepsRequest,
  GetStepsResponse,
  GetTemplatesRequest,
  GetTemplatesResponse,
  GetTurnsRequest,
  GetTurnsResponse,
  GetWithheldAnswerRequest,
  GetWithheldAnswerResponse,
  LeftOutPart,
  RouteView,
  RoutingDifference,
  RoutingPolicyView,
  SpendRow,
  StageWait,
  StepRecord,
  Template,
  TurnGap,
  TurnRecord,
} from "../vasini/agent/v1/inspection_service_pb.js";
import type {
  AlignmentReport,
  AlignmentViolation,
  CacheEvidence,
  CachePolicy,
  Consultation,
  Governance,
  PolicyCheck,
  PressureReading,
  TaskAttachment,
  TaskIssuer,
} from "../vasini/agent/v1/governance_pb.js";
import type {
  AuditCheckpoint,
  AuditKey,
  ExportAuditRequest,
  ExportAuditResponse,
  GetAuditCheckpointRequest,
  GetAuditCheckpointResponse,
  GetAuditProofRequest,
  GetAuditProofResponse,
  InclusionProof,
  ListAuditEntriesRequest,
  ListAuditEntriesResponse,
  VerifyAuditRequest,
  VerifyAuditResponse,
} from "../vasini/agent/v1/audit_service_pb.js";
import type {
  AuditEntry,
} from "../vasini/agent/v1/audit_pb.js";
import type {
  BaseTestsRun,
  CheckClaim,
  CheckRun,
  GuardrailVerdict,
} from "../vasini/agent/v1/check_pb.js";
import type {
  BranchRewind,
  CommitLine,
  FileChange,
  GetTransitionsRequest,
  GetTransitionsResponse,
  PreviewRewindRequest,
  PreviewRewindResponse,
  RerunPipelineRequest,
  RerunPipelineResponse,
  RewindPipelineRequest,
  RewindPipelineResponse,
  RewindPreview,
  StageRewind,
  Transition,
  WorkAtRisk,
} from "../vasini/agent/v1/rewind_pb.js";
import type {
  Budget,
  ModelUsage,
  ProtocolVersion,
  TenantSpendLimit,
  TraceContext,
  Usage,
} from "../vasini/agent/v1/protocol_pb.js";
import type {
  CacheRecord,
  CacheRevocation,
  EssenceRule,
  Heuristics,
  Lesson,
  Signal,
} from "../vasini/agent/v1/knowledge_pb.js";
import type {
  CancelAgentRequest,
  CancelAgentResponse,
  RunAgentRequest,
  RunAgentResponse,
} from "../vasini/agent/v1/agent_service_pb.js";
import type {
  ChangeHeuristicsRequest,
  ChangeHeuristicsResponse,
  GetCacheRecordRequest,
  GetCacheRecordResponse,
  GetHeuristicsRequest,
  GetHeuristicsResponse,
  GiveFeedbackRequest,
  GiveFeedbackResponse,
  LessonEffect,
  ListCacheRecordsRequest,
  ListCacheRecordsResponse,
  ListLessonsRequest,
  ListLessonsResponse,
  ListSignalsRequest,
  ListSignalsResponse,
  RatedOutcomes,
  RevokeCacheRecordRequest,
  RevokeCacheRecordResponse,
  WithdrawLessonRequest,
  WithdrawLessonResponse,
} from "../vasini/agent/v1/knowledge_service_pb.js";
import type {
  Clarification,
  Contract,
  Environment,
  Execution,
  FailedCheck,
  FileManifest,
  GivenLesson,
  IOContract,
  ReviewFeedback,
  Routing,
  SafetyContext,
  SecurityFlags,
  TaskEnvelope,
  TestContract,
  ToolDecision,
  Workspace,
} from "../vasini/agent/v1/task_pb.js";
import type {
  ContextIn,
  ContextOut,
  Decision,
  DecisionMemo,
  Ref,
  SnippetRef,
} from "../vasini/agent/v1/context_pb.js";
import type {
  ContextPropagation,
  EdgeDecision,
  Label,
  Pipeline,
  PipelineOrigin,
  PipelinePolicy,
  PipelineSummary,
  RewindEdge,
  Stage,
  StageConfig,
  StageEdge,
} from "../vasini/agent/v1/pipeline_pb.js";
import type {
  Duration,
  Timestamp,
} from "@bufbuild/protobuf/wkt";
import type {
  ErrorDetail,
  FieldViolation,
} from "../vasini/agent/v1/error_pb.js";
import type {
  Escalation,
} from "../vasini/agent/v1/escalation_pb.js";
import type {
  EscalationPolicy,
  FreshnessPolicy,
  HandoffPolicy,
  RetryPolicy,
} from "../vasini/agent/v1/policy_pb.js";
import type {
  Event,
  SandboxPulse,
  TaskTransition,
  ThoughtStream,
  ToolLifecycleCompleted,
  ToolLifecycleInvoked,
} from "../vasini/agent/v1/event_pb.js";
import type {
  EventRecord,
  WatchCaughtUp,
  WatchDropped,
} from "../vasini/agent/v1/watch_pb.js";
import type {
  GivenSteps,
  Step,
} from "../vasini/agent/v1/step_pb.js";
import type {
  TurnContent,
  TurnEnvelope,
  TurnMetadata,
  Withheld,
} from "../vasini/agent/v1/turn_pb.js";

/** What reads a message, by the name of its type. */
export const readers: ReadonlyMap<string, (reading: Reading, end: number, depth: number) => unknown> =
  new Map<string, (reading: Reading, end: number, depth: number) => unknown>([
    ["vasini.agent.v1.AbortPipelineRequest", readAbortPipelineRequest],
    ["vasini.agent.v1.AbortPipelineResponse", readAbortPipelineResponse],
    ["vasini.agent.v1.AcceptToolRequest", readAcceptToolRequest],
    ["vasini.agent.v1.AcceptToolResponse", readAcceptToolResponse],
    ["vasini.agent.v1.AcceptedResult", readAcceptedResult],
    ["vasini.agent.v1.AdmissionSnapshot", readAdmissionSnapshot],
    ["vasini.agent.v1.AgentAttempt", readAgentAttempt],
    ["vasini.agent.v1.AgentCapacity", readAgentCapacity],
    ["vasini.agent.v1.AgentEndpoint", readAgentEndpoint],
    ["vasini.agent.v1.AgentHealth", readAgentHealth],
    ["vasini.agent.v1.AgentHeartbeat", readAgentHeartbeat],
    ["vasini.agent.v1.AgentInstance", readAgentInstance],
    ["vasini.agent.v1.AgentManifest", readAgentManifest],
    ["vasini.agent.v1.AgentResult", readAgentResult],
    ["vasini.agent.v1.AgentSnapshot", readAgentSnapshot],
    ["vasini.agent.v1.AgentWork", readAgentWork],
    ["vasini.agent.v1.AlignmentDifference", readAlignmentDifference],
    ["vasini.agent.v1.AlignmentReport", readAlignmentReport],
    ["vasini.agent.v1.AlignmentViolation", readAlignmentViolation],
    ["vasini.agent.v1.Artifact", readArtifact],
    ["vasini.agent.v1.AttachAcknowledged", readAttachAcknowledged],
    ["vasini.agent.v1.AttachAgentRequest", readAttachAgentRequest],
    ["vasini.agent.v1.AttachAgentResponse", readAttachAgentResponse],
    ["vasini.agent.v1.AttachDrain", readAttachDrain],
    ["vasini.agent.v1.AttachHello", readAttachHello],
    ["vasini.agent.v1.AttachRefused", readAttachRefused],
    ["vasini.agent.v1.AttachWelcome", readAttachWelcome],
    ["vasini.agent.v1.AttemptSummary", readAttemptSummary],
    ["vasini.agent.v1.AuditActor", readAuditActor],
    ["vasini.agent.v1.AuditCheckpoint", readAuditCheckpoint],
    ["vasini.agent.v1.AuditEntry", readAuditEntry],
    ["vasini.agent.v1.AuditKey", readAuditKey],
    ["vasini.agent.v1.AuditSnapshot", readAuditSnapshot],
    ["vasini.agent.v1.BaseTestsRun", readBaseTestsRun],
    ["vasini.agent.v1.Blocker", readBlocker],
    ["vasini.agent.v1.BranchRewind", readBranchRewind],
    ["vasini.agent.v1.Budget", readBudget],
    ["vasini.agent.v1.CacheEvidence", readCacheEvidence],
    ["vasini.agent.v1.CachePolicy", readCachePolicy],
    ["vasini.agent.v1.CacheRecord", readCacheRecord],
    ["vasini.agent.v1.CacheRevocation", readCacheRevocation],
    ["vasini.agent.v1.CancelAgentRequest", readCancelAgentRequest],
    ["vasini.agent.v1.CancelAgentResponse", readCancelAgentResponse],
    ["vasini.agent.v1.CancelStageRequest", readCancelStageRequest],
    ["vasini.agent.v1.CancelStageResponse", readCancelStageResponse],
    ["vasini.agent.v1.CandidateVerdict", readCandidateVerdict],
    ["vasini.agent.v1.ChangeHeuristicsRequest", readChangeHeuristicsRequest],
    ["vasini.agent.v1.ChangeHeuristicsResponse", readChangeHeuristicsResponse],
    ["vasini.agent.v1.ChangeLimitsRequest", readChangeLimitsRequest],
    ["vasini.agent.v1.ChangeLimitsResponse", readChangeLimitsResponse],
    ["vasini.agent.v1.ChangeSize", readChangeSize],
    ["vasini.agent.v1.CheckClaim", readCheckClaim],
    ["vasini.agent.v1.CheckRun", readCheckRun],
    ["vasini.agent.v1.Clarification", readClarification],
    ["vasini.agent.v1.CommitLine", readCommitLine],
    ["vasini.agent.v1.CompareConstitutionRequest", readCompareConstitutionRequest],
    ["vasini.agent.v1.CompareConstitutionResponse", readCompareConstitutionResponse],
    ["vasini.agent.v1.CompareRoutingRequest", readCompareRoutingRequest],
    ["vasini.agent.v1.CompareRoutingResponse", readCompareRoutingResponse],
    ["vasini.agent.v1.ConstitutionRule", readConstitutionRule],
    ["vasini.agent.v1.Consultation", readConsultation],
    ["vasini.agent.v1.ContextIn", readContextIn],
    ["vasini.agent.v1.ContextOut", readContextOut],
    ["vasini.agent.v1.ContextPropagation", readContextPropagation],
    ["vasini.agent.v1.Contract", readContract],
    ["vasini.agent.v1.Decision", readDecision],
    ["vasini.agent.v1.DecisionMemo", readDecisionMemo],
    ["vasini.agent.v1.DefinitionDigest", readDefinitionDigest],
    ["vasini.agent.v1.DispatchSnapshot", readDispatchSnapshot],
    ["google.protobuf.Duration", readDuration],
    ["vasini.agent.v1.EdgeDecision", readEdgeDecision],
    ["vasini.agent.v1.Environment", readEnvironment],
    ["vasini.agent.v1.ErrorDetail", readErrorDetail],
    ["vasini.agent.v1.Escalation", readEscalation],
    ["vasini.agent.v1.EscalationPolicy", readEscalationPolicy],
    ["vasini.agent.v1.EscalationSnapshot", readEscalationSnapshot],
    ["vasini.agent.v1.EssenceRule", readEssenceRule],
    ["vasini.agent.v1.Event", readEvent],
    ["vasini.agent.v1.EventRecord", readEventRecord],
    ["vasini.agent.v1.Evidence", readEvidence],
    ["vasini.agent.v1.EvidenceItem", readEvidenceItem],
    ["vasini.agent.v1.EvidenceItems", readEvidenceItems],
    ["vasini.agent.v1.Execution", readExecution],
    ["vasini.agent.v1.ExplainDispatchRequest", readExplainDispatchRequest],
    ["vasini.agent.v1.ExplainDispatchResponse", readExplainDispatchResponse],
    ["vasini.agent.v1.ExportAuditRequest", readExportAuditRequest],
    ["vasini.agent.v1.ExportAuditResponse", readExportAuditResponse],
    ["vasini.agent.v1.FailedCheck", readFailedCheck],
    ["vasini.agent.v1.FieldViolation", readFieldViolation],
    ["vasini.agent.v1.FileChange", readFileChange],
    ["vasini.agent.v1.FileDiff", readFileDiff],
    ["vasini.agent.v1.FileManifest", readFileManifest],
    ["vasini.agent.v1.FreshnessPolicy", readFreshnessPolicy],
    ["vasini.agent.v1.GateCheck", readGateCheck],
    ["vasini.agent.v1.GateSnapshot", readGateSnapshot],
    ["vasini.agent.v1.GetAttemptChangesRequest", readGetAttemptChangesRequest],
    ["vasini.agent.v1.GetAttemptChangesResponse", readGetAttemptChangesResponse],
    ["vasini.agent.v1.GetAttemptRequest", readGetAttemptRequest],
    ["vasini.agent.v1.GetAttemptResponse", readGetAttemptResponse],
    ["vasini.agent.v1.GetAttemptsRequest", readGetAttemptsRequest],
    ["vasini.agent.v1.GetAttemptsResponse", readGetAttemptsResponse],
    ["vasini.agent.v1.GetAuditCheckpointRequest", readGetAuditCheckpointRequest],
    ["vasini.agent.v1.GetAuditCheckpointResponse", readGetAuditCheckpointResponse],
    ["vasini.agent.v1.GetAuditProofRequest", readGetAuditProofRequest],
    ["vasini.agent.v1.GetAuditProofResponse", readGetAuditProofResponse],
    ["vasini.agent.v1.GetCacheRecordRequest", readGetCacheRecordRequest],
    ["vasini.agent.v1.GetCacheRecordResponse", readGetCacheRecordResponse],
    ["vasini.agent.v1.GetConstitutionRequest", readGetConstitutionRequest],
    ["vasini.agent.v1.GetConstitutionResponse", readGetConstitutionResponse],
    ["vasini.agent.v1.GetHeuristicsRequest", readGetHeuristicsRequest],
    ["vasini.agent.v1.GetHeuristicsResponse", readGetHeuristicsResponse],
    ["vasini.agent.v1.GetPipelineChangesRequest", readGetPipelineChangesRequest],
    ["vasini.agent.v1.GetPipelineChangesResponse", readGetPipelineChangesResponse],
    ["vasini.agent.v1.GetPipelineRequest", readGetPipelineRequest],
    ["vasini.agent.v1.GetPipelineResponse", readGetPipelineResponse],
    ["vasini.agent.v1.GetRoutingPolicyRequest", readGetRoutingPolicyRequest],
    ["vasini.agent.v1.GetRoutingPolicyResponse", readGetRoutingPolicyResponse],
    ["vasini.agent.v1.GetSpendRequest", readGetSpendRequest],
    ["vasini.agent.v1.GetSpendResponse", readGetSpendResponse],
    ["vasini.agent.v1.GetStepsRequest", readGetStepsRequest],
    ["vasini.agent.v1.GetStepsResponse", readGetStepsResponse],
    ["vasini.agent.v1.GetTemplatesRequest", readGetTemplatesRequest],
    ["vasini.agent.v1.GetTemplatesResponse", readGetTemplatesResponse],
    ["vasini.agent.v1.GetTenantRequest", readGetTenantRequest],
    ["vasini.agent.v1.GetTenantResponse", readGetTenantResponse],
    ["vasini.agent.v1.GetTransitionsRequest", readGetTransitionsRequest],
    ["vasini.agent.v1.GetTransitionsResponse", readGetTransitionsResponse],
    ["vasini.agent.v1.GetTurnsRequest", readGetTurnsRequest],
    ["vasini.agent.v1.GetTurnsResponse", readGetTurnsResponse],
    ["vasini.agent.v1.GetWithheldAnswerRequest", readGetWithheldAnswerRequest],
    ["vasini.agent.v1.GetWithheldAnswerResponse", readGetWithheldAnswerResponse],
    ["vasini.agent.v1.GiveFeedbackRequest", readGiveFeedbackRequest],
    ["vasini.agent.v1.GiveFeedbackResponse", readGiveFeedbackResponse],
    ["vasini.agent.v1.GivenLesson", readGivenLesson],
    ["vasini.agent.v1.GivenSteps", readGivenSteps],
    ["vasini.agent.v1.Governance", readGovernance],
    ["vasini.agent.v1.GuardrailSnapshot", readGuardrailSnapshot],
    ["vasini.agent.v1.GuardrailVerdict", readGuardrailVerdict],
    ["vasini.agent.v1.HandoffPolicy", readHandoffPolicy],
    ["vasini.agent.v1.HeldDispatch", readHeldDispatch],
    ["vasini.agent.v1.Heuristics", readHeuristics],
    ["vasini.agent.v1.IOContract", readIOContract],
    ["vasini.agent.v1.InclusionProof", readInclusionProof],
    ["vasini.agent.v1.InterfaceContract", readInterfaceContract],
    ["vasini.agent.v1.Label", readLabel],
    ["vasini.agent.v1.LabelPipelineRequest", readLabelPipelineRequest],
    ["vasini.agent.v1.LabelPipelineResponse", readLabelPipelineResponse],
    ["vasini.agent.v1.LeftOutPart", readLeftOutPart],
    ["vasini.agent.v1.Lesson", readLesson],
    ["vasini.agent.v1.LessonEffect", readLessonEffect],
    ["vasini.agent.v1.ListAgentsRequest", readListAgentsRequest],
    ["vasini.agent.v1.ListAgentsResponse", readListAgentsResponse],
    ["vasini.agent.v1.ListAuditEntriesRequest", readListAuditEntriesRequest],
    ["vasini.agent.v1.ListAuditEntriesResponse", readListAuditEntriesResponse],
    ["vasini.agent.v1.ListCacheRecordsRequest", readListCacheRecordsRequest],
    ["vasini.agent.v1.ListCacheRecordsResponse", readListCacheRecordsResponse],
    ["vasini.agent.v1.ListEscalationsRequest", readListEscalationsRequest],
    ["vasini.agent.v1.ListEscalationsResponse", readListEscalationsResponse],
    ["vasini.agent.v1.ListLessonsRequest", readListLessonsRequest],
    ["vasini.agent.v1.ListLessonsResponse", readListLessonsResponse],
    ["vasini.agent.v1.ListPinnedToolsRequest", readListPinnedToolsRequest],
    ["vasini.agent.v1.ListPinnedToolsResponse", readListPinnedToolsResponse],
    ["vasini.agent.v1.ListPipelinesRequest", readListPipelinesRequest],
    ["vasini.agent.v1.ListPipelinesResponse", readListPipelinesResponse],
    ["vasini.agent.v1.ListSignalsRequest", readListSignalsRequest],
    ["vasini.agent.v1.ListSignalsResponse", readListSignalsResponse],
    ["vasini.agent.v1.ListStepsRequest", readListStepsRequest],
    ["vasini.agent.v1.ListStepsResponse", readListStepsResponse],
    ["vasini.agent.v1.ModelUsage", readModelUsage],
    ["vasini.agent.v1.OverrideStageRequest", readOverrideStageRequest],
    ["vasini.agent.v1.OverrideStageResponse", readOverrideStageResponse],
    ["vasini.agent.v1.PausePipelineRequest", readPausePipelineRequest],
    ["vasini.agent.v1.PausePipelineResponse", readPausePipelineResponse],
    ["vasini.agent.v1.PinToolsRequest", readPinToolsRequest],
    ["vasini.agent.v1.PinToolsResponse", readPinToolsResponse],
    ["vasini.agent.v1.PinnedTool", readPinnedTool],
    ["vasini.agent.v1.Pipeline", readPipeline],
    ["vasini.agent.v1.PipelineOrigin", readPipelineOrigin],
    ["vasini.agent.v1.PipelinePlan", readPipelinePlan],
    ["vasini.agent.v1.PipelinePolicy", readPipelinePolicy],
    ["vasini.agent.v1.PipelineSnapshot", readPipelineSnapshot],
    ["vasini.agent.v1.PipelineSummary", readPipelineSummary],
    ["vasini.agent.v1.PolicyCheck", readPolicyCheck],
    ["vasini.agent.v1.PressureReading", readPressureReading],
    ["vasini.agent.v1.PreviewRewindRequest", readPreviewRewindRequest],
    ["vasini.agent.v1.PreviewRewindResponse", readPreviewRewindResponse],
    ["vasini.agent.v1.ProtocolVersion", readProtocolVersion],
    ["vasini.agent.v1.ProvidedResult", readProvidedResult],
    ["vasini.agent.v1.RaiseSpendLimitRequest", readRaiseSpendLimitRequest],
    ["vasini.agent.v1.RaiseSpendLimitResponse", readRaiseSpendLimitResponse],
    ["vasini.agent.v1.RatedOutcomes", readRatedOutcomes],
    ["vasini.agent.v1.Ref", readRef],
    ["vasini.agent.v1.RefFreshnessCheck", readRefFreshnessCheck],
    ["vasini.agent.v1.RegisterAgentRequest", readRegisterAgentRequest],
    ["vasini.agent.v1.RegisterAgentResponse", readRegisterAgentResponse],
    ["vasini.agent.v1.ReportStepRequest", readReportStepRequest],
    ["vasini.agent.v1.ReportStepResponse", readReportStepResponse],
    ["vasini.agent.v1.RerunPipelineRequest", readRerunPipelineRequest],
    ["vasini.agent.v1.RerunPipelineResponse", readRerunPipelineResponse],
    ["vasini.agent.v1.ResolveEscalationRequest", readResolveEscalationRequest],
    ["vasini.agent.v1.ResolveEscalationResponse", readResolveEscalationResponse],
    ["vasini.agent.v1.ResponseSnapshot", readResponseSnapshot],
    ["vasini.agent.v1.RestoreAgentRequest", readRestoreAgentRequest],
    ["vasini.agent.v1.RestoreAgentResponse", readRestoreAgentResponse],
    ["vasini.agent.v1.ResultSnapshot", readResultSnapshot],
    ["vasini.agent.v1.ResultStatus", readResultStatus],
    ["vasini.agent.v1.ResultTiming", readResultTiming],
    ["vasini.agent.v1.ResumePipelineRequest", readResumePipelineRequest],
    ["vasini.agent.v1.ResumePipelineResponse", readResumePipelineResponse],
    ["vasini.agent.v1.RetryPolicy", readRetryPolicy],
    ["vasini.agent.v1.ReviewApproval", readReviewApproval],
    ["vasini.agent.v1.ReviewFeedback", readReviewFeedback],
    ["vasini.agent.v1.ReviewRejection", readReviewRejection],
    ["vasini.agent.v1.ReviewStageRequest", readReviewStageRequest],
    ["vasini.agent.v1.ReviewStageResponse", readReviewStageResponse],
    ["vasini.agent.v1.RevokeCacheRecordRequest", readRevokeCacheRecordRequest],
    ["vasini.agent.v1.RevokeCacheRecordResponse", readRevokeCacheRecordResponse],
    ["vasini.agent.v1.RewindEdge", readRewindEdge],
    ["vasini.agent.v1.RewindPipelineRequest", readRewindPipelineRequest],
    ["vasini.agent.v1.RewindPipelineResponse", readRewindPipelineResponse],
    ["vasini.agent.v1.RewindPreview", readRewindPreview],
    ["vasini.agent.v1.RouteView", readRouteView],
    ["vasini.agent.v1.Routing", readRouting],
    ["vasini.agent.v1.RoutingDifference", readRoutingDifference],
    ["vasini.agent.v1.RoutingPolicyView", readRoutingPolicyView],
    ["vasini.agent.v1.RunAgentRequest", readRunAgentRequest],
    ["vasini.agent.v1.RunAgentResponse", readRunAgentResponse],
    ["vasini.agent.v1.SafetyContext", readSafetyContext],
    ["vasini.agent.v1.SandboxPulse", readSandboxPulse],
    ["vasini.agent.v1.SecurityFlags", readSecurityFlags],
    ["vasini.agent.v1.SendHeartbeatRequest", readSendHeartbeatRequest],
    ["vasini.agent.v1.SendHeartbeatResponse", readSendHeartbeatResponse],
    ["vasini.agent.v1.Signal", readSignal],
    ["vasini.agent.v1.SkipStageRequest", readSkipStageRequest],
    ["vasini.agent.v1.SkipStageResponse", readSkipStageResponse],
    ["vasini.agent.v1.SnippetRef", readSnippetRef],
    ["vasini.agent.v1.SpendRow", readSpendRow],
    ["vasini.agent.v1.Stage", readStage],
    ["vasini.agent.v1.StageConfig", readStageConfig],
    ["vasini.agent.v1.StageEdge", readStageEdge],
    ["vasini.agent.v1.StageRewind", readStageRewind],
    ["vasini.agent.v1.StageWait", readStageWait],
    ["vasini.agent.v1.StartTenantRequest", readStartTenantRequest],
    ["vasini.agent.v1.StartTenantResponse", readStartTenantResponse],
    ["vasini.agent.v1.Step", readStep],
    ["vasini.agent.v1.StepRecord", readStepRecord],
    ["vasini.agent.v1.StopTenantRequest", readStopTenantRequest],
    ["vasini.agent.v1.StopTenantResponse", readStopTenantResponse],
    ["vasini.agent.v1.StructuredResponse", readStructuredResponse],
    ["vasini.agent.v1.SubmitTaskRequest", readSubmitTaskRequest],
    ["vasini.agent.v1.SubmitTaskResponse", readSubmitTaskResponse],
    ["vasini.agent.v1.TaskAttachment", readTaskAttachment],
    ["vasini.agent.v1.TaskEnvelope", readTaskEnvelope],
    ["vasini.agent.v1.TaskIssuer", readTaskIssuer],
    ["vasini.agent.v1.TaskTransition", readTaskTransition],
    ["vasini.agent.v1.Template", readTemplate],
    ["vasini.agent.v1.Tenant", readTenant],
    ["vasini.agent.v1.TenantSpendLimit", readTenantSpendLimit],
    ["vasini.agent.v1.TestContract", readTestContract],
    ["vasini.agent.v1.ThoughtStream", readThoughtStream],
    ["vasini.agent.v1.TimeoutSnapshot", readTimeoutSnapshot],
    ["google.protobuf.Timestamp", readTimestamp],
    ["vasini.agent.v1.ToolCallSnapshot", readToolCallSnapshot],
    ["vasini.agent.v1.ToolDecision", readToolDecision],
    ["vasini.agent.v1.ToolLifecycleCompleted", readToolLifecycleCompleted],
    ["vasini.agent.v1.ToolLifecycleInvoked", readToolLifecycleInvoked],
    ["vasini.agent.v1.ToolPin", readToolPin],
    ["vasini.agent.v1.ToolProposal", readToolProposal],
    ["vasini.agent.v1.TraceContext", readTraceContext],
    ["vasini.agent.v1.Transition", readTransition],
    ["vasini.agent.v1.TurnContent", readTurnContent],
    ["vasini.agent.v1.TurnEnvelope", readTurnEnvelope],
    ["vasini.agent.v1.TurnGap", readTurnGap],
    ["vasini.agent.v1.TurnMetadata", readTurnMetadata],
    ["vasini.agent.v1.TurnRecord", readTurnRecord],
    ["vasini.agent.v1.Usage", readUsage],
    ["vasini.agent.v1.VerifyAuditRequest", readVerifyAuditRequest],
    ["vasini.agent.v1.VerifyAuditResponse", readVerifyAuditResponse],
    ["vasini.agent.v1.WatchCaughtUp", readWatchCaughtUp],
    ["vasini.agent.v1.WatchDropped", readWatchDropped],
    ["vasini.agent.v1.WatchEventsRequest", readWatchEventsRequest],
    ["vasini.agent.v1.WatchEventsResponse", readWatchEventsResponse],
    ["vasini.agent.v1.WithdrawLessonRequest", readWithdrawLessonRequest],
    ["vasini.agent.v1.WithdrawLessonResponse", readWithdrawLessonResponse],
    ["vasini.agent.v1.Withheld", readWithheld],
    ["vasini.agent.v1.WorkAtRisk", readWorkAtRisk],
    ["vasini.agent.v1.Workspace", readWorkspace],
  ]);

function readAbortPipelineRequest(reading: Reading, end: number, depth: number): AbortPipelineRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AbortPipelineRequest = {
    $typeName: "vasini.agent.v1.AbortPipelineRequest",
    pipelineId: "",
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAbortPipelineResponse(reading: Reading, end: number, depth: number): AbortPipelineResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AbortPipelineResponse = {
    $typeName: "vasini.agent.v1.AbortPipelineResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.pipeline !== undefined) throw notPlain;
        countElement(reading);
        m.pipeline = readPipeline(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAcceptToolRequest(reading: Reading, end: number, depth: number): AcceptToolRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AcceptToolRequest = {
    $typeName: "vasini.agent.v1.AcceptToolRequest",
    packId: "",
    name: "",
    digest: "",
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.packId = from.text(from.end(end));
        break;
      case 18:
        m.name = from.text(from.end(end));
        break;
      case 26:
        m.digest = from.text(from.end(end));
        break;
      case 34:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAcceptToolResponse(reading: Reading, end: number, depth: number): AcceptToolResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AcceptToolResponse = {
    $typeName: "vasini.agent.v1.AcceptToolResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.tool !== undefined) throw notPlain;
        countElement(reading);
        m.tool = readPinnedTool(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAcceptedResult(reading: Reading, end: number, depth: number): AcceptedResult {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AcceptedResult = {
    $typeName: "vasini.agent.v1.AcceptedResult",
  };
  while (from.at < end) {
    switch (from.varint()) {
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAdmissionSnapshot(reading: Reading, end: number, depth: number): AdmissionSnapshot {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AdmissionSnapshot = {
    $typeName: "vasini.agent.v1.AdmissionSnapshot",
    breakerState: "",
    breakerScope: "",
    queueDepth: 0,
    maxQueueDepth: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.breakerState = from.text(from.end(end));
        break;
      case 18:
        m.breakerScope = from.text(from.end(end));
        break;
      case 24:
        m.queueDepth = readInt32(from);
        break;
      case 32:
        m.maxQueueDepth = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAgentAttempt(reading: Reading, end: number, depth: number): AgentAttempt {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AgentAttempt = {
    $typeName: "vasini.agent.v1.AgentAttempt",
    pipelineId: "",
    stageId: "",
    dispatchId: "",
    taskType: "",
    outcome: 0,
    error: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        m.stageId = from.text(from.end(end));
        break;
      case 26:
        m.dispatchId = from.text(from.end(end));
        break;
      case 34:
        m.taskType = from.text(from.end(end));
        break;
      case 40:
        m.outcome = readInt32(from);
        break;
      case 50:
        if (m.startedAt !== undefined) throw notPlain;
        countElement(reading);
        m.startedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 58:
        if (m.endedAt !== undefined) throw notPlain;
        countElement(reading);
        m.endedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 66:
        m.error = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAgentCapacity(reading: Reading, end: number, depth: number): AgentCapacity {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AgentCapacity = {
    $typeName: "vasini.agent.v1.AgentCapacity",
    activeTasks: 0,
    maxTasks: 0,
    queuedTasks: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.activeTasks = readInt32(from);
        break;
      case 16:
        m.maxTasks = readInt32(from);
        break;
      case 24:
        m.queuedTasks = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAgentEndpoint(reading: Reading, end: number, depth: number): AgentEndpoint {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AgentEndpoint = {
    $typeName: "vasini.agent.v1.AgentEndpoint",
    uri: "",
    transport: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.uri = from.text(from.end(end));
        break;
      case 16:
        m.transport = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAgentHealth(reading: Reading, end: number, depth: number): AgentHealth {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AgentHealth = {
    $typeName: "vasini.agent.v1.AgentHealth",
    status: 0,
    errorRate1m: 0,
    degradedTools: [],
    consecutiveInvalidResults: 0,
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.status = readInt32(from);
        break;
      case 17:
        m.errorRate1m = from.double();
        break;
      case 26:
        if (m.avgLatency1m !== undefined) throw notPlain;
        countElement(reading);
        m.avgLatency1m = readDuration(reading, from.end(end), depth + 1);
        break;
      case 34:
        countElement(reading);
        m.degradedTools.push(from.text(from.end(end)));
        break;
      case 40:
        m.consecutiveInvalidResults = readInt32(from);
        break;
      case 90:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAgentHeartbeat(reading: Reading, end: number, depth: number): AgentHeartbeat {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AgentHeartbeat = {
    $typeName: "vasini.agent.v1.AgentHeartbeat",
    packId: "",
    instanceId: "",
    availableTools: [],
    packVersion: "",
    definition: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.packId = from.text(from.end(end));
        break;
      case 18:
        m.instanceId = from.text(from.end(end));
        break;
      case 26:
        if (m.health !== undefined) throw notPlain;
        countElement(reading);
        m.health = readAgentHealth(reading, from.end(end), depth + 1);
        break;
      case 34:
        if (m.capacity !== undefined) throw notPlain;
        countElement(reading);
        m.capacity = readAgentCapacity(reading, from.end(end), depth + 1);
        break;
      case 42:
        if (m.heartbeatAt !== undefined) throw notPlain;
        countElement(reading);
        m.heartbeatAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 50:
        if (m.leaseTtl !== undefined) throw notPlain;
        countElement(reading);
        m.leaseTtl = readDuration(reading, from.end(end), depth + 1);
        break;
      case 90:
        countElement(reading);
        m.availableTools.push(from.text(from.end(end)));
        break;
      case 98:
        if (m.endpoint !== undefined) throw notPlain;
        countElement(reading);
        m.endpoint = readAgentEndpoint(reading, from.end(end), depth + 1);
        break;
      case 106:
        m.packVersion = from.text(from.end(end));
        break;
      case 114:
        countElement(reading);
        m.definition.push(readDefinitionDigest(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAgentInstance(reading: Reading, end: number, depth: number): AgentInstance {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AgentInstance = {
    $typeName: "vasini.agent.v1.AgentInstance",
    attached: false,
    quarantineReason: "",
    disprovedClaims: 0,
    consecutiveDisprovedClaims: 0,
    packDisprovedClaims: 0,
    attachedBy: "",
    breakerState: "",
    sandbox: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.manifest !== undefined) throw notPlain;
        countElement(reading);
        m.manifest = readAgentManifest(reading, from.end(end), depth + 1);
        break;
      case 18:
        if (m.heartbeat !== undefined) throw notPlain;
        countElement(reading);
        m.heartbeat = readAgentHeartbeat(reading, from.end(end), depth + 1);
        break;
      case 26:
        if (m.leaseExpiresAt !== undefined) throw notPlain;
        countElement(reading);
        m.leaseExpiresAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 32:
        m.attached = from.varint() !== 0;
        break;
      case 42:
        m.quarantineReason = from.text(from.end(end));
        break;
      case 48:
        m.disprovedClaims = readInt32(from);
        break;
      case 56:
        m.consecutiveDisprovedClaims = readInt32(from);
        break;
      case 64:
        m.packDisprovedClaims = readInt32(from);
        break;
      case 74:
        m.attachedBy = from.text(from.end(end));
        break;
      case 82:
        m.breakerState = from.text(from.end(end));
        break;
      case 90:
        if (m.goneSince !== undefined) throw notPlain;
        countElement(reading);
        m.goneSince = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 98:
        m.sandbox = from.text(from.end(end));
        break;
      case 106:
        if (m.work !== undefined) throw notPlain;
        countElement(reading);
        m.work = readAgentWork(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAgentManifest(reading: Reading, end: number, depth: number): AgentManifest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AgentManifest = {
    $typeName: "vasini.agent.v1.AgentManifest",
    packId: "",
    packVersion: "",
    capabilitySchemaVersion: "",
    minOrchestratorVersion: "",
    safetyTier: 0,
    supportedTaskTypes: [],
    providedTools: [],
    requiredTools: [],
    ownerDomains: [],
    role: 0,
    description: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.packId = from.text(from.end(end));
        break;
      case 18:
        m.packVersion = from.text(from.end(end));
        break;
      case 26:
        m.capabilitySchemaVersion = from.text(from.end(end));
        break;
      case 34:
        m.minOrchestratorVersion = from.text(from.end(end));
        break;
      case 40:
        m.safetyTier = readInt32(from);
        break;
      case 50:
        countElement(reading);
        m.supportedTaskTypes.push(from.text(from.end(end)));
        break;
      case 58:
        countElement(reading);
        m.providedTools.push(from.text(from.end(end)));
        break;
      case 66:
        countElement(reading);
        m.requiredTools.push(from.text(from.end(end)));
        break;
      case 74:
        countElement(reading);
        m.ownerDomains.push(from.text(from.end(end)));
        break;
      case 82:
        if (m.interface !== undefined) throw notPlain;
        countElement(reading);
        m.interface = readInterfaceContract(reading, from.end(end), depth + 1);
        break;
      case 128:
        m.role = readInt32(from);
        break;
      case 138:
        if (m.dataSchema !== undefined) throw notPlain;
        countElement(reading);
        m.dataSchema = readData(reading, from.end(end), depth + 1);
        break;
      case 146:
        m.description = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAgentResult(reading: Reading, end: number, depth: number): AgentResult {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AgentResult = {
    $typeName: "vasini.agent.v1.AgentResult",
    artifacts: [],
    blockers: [],
    taskId: "",
    dispatchId: "",
    attemptNumber: 0,
    commitSha: "",
    notices: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.protocolVersion !== undefined) throw notPlain;
        countElement(reading);
        m.protocolVersion = readProtocolVersion(reading, from.end(end), depth + 1);
        break;
      case 18:
        if (m.status !== undefined) throw notPlain;
        countElement(reading);
        m.status = readResultStatus(reading, from.end(end), depth + 1);
        break;
      case 26:
        if (m.trace !== undefined) throw notPlain;
        countElement(reading);
        m.trace = readTraceContext(reading, from.end(end), depth + 1);
        break;
      case 34:
        if (m.evidence !== undefined) throw notPlain;
        countElement(reading);
        m.evidence = readEvidence(reading, from.end(end), depth + 1);
        break;
      case 42:
        if (m.timing !== undefined) throw notPlain;
        countElement(reading);
        m.timing = readResultTiming(reading, from.end(end), depth + 1);
        break;
      case 50:
        countElement(reading);
        m.artifacts.push(readArtifact(reading, from.end(end), depth + 1));
        break;
      case 58:
        countElement(reading);
        m.blockers.push(readBlocker(reading, from.end(end), depth + 1));
        break;
      case 66:
        if (m.contextOut !== undefined) throw notPlain;
        countElement(reading);
        m.contextOut = readContextOut(reading, from.end(end), depth + 1);
        break;
      case 122:
        m.taskId = from.text(from.end(end));
        break;
      case 130:
        m.dispatchId = from.text(from.end(end));
        break;
      case 136:
        m.attemptNumber = readInt32(from);
        break;
      case 146:
        if (m.usage !== undefined) throw notPlain;
        countElement(reading);
        m.usage = readUsage(reading, from.end(end), depth + 1);
        break;
      case 154:
        if (m.response !== undefined) throw notPlain;
        countElement(reading);
        m.response = readStructuredResponse(reading, from.end(end), depth + 1);
        break;
      case 162:
        m.commitSha = from.text(from.end(end));
        break;
      case 170:
        countElement(reading);
        m.notices.push(from.text(from.end(end)));
        break;
      case 186:
        if (m.budgetNeeded !== undefined) throw notPlain;
        countElement(reading);
        m.budgetNeeded = readBudget(reading, from.end(end), depth + 1);
        break;
      case 194:
        if (m.approvalNeeded !== undefined) throw notPlain;
        countElement(reading);
        m.approvalNeeded = readToolProposal(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAgentSnapshot(reading: Reading, end: number, depth: number): AgentSnapshot {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AgentSnapshot = {
    $typeName: "vasini.agent.v1.AgentSnapshot",
    instanceId: "",
    consecutiveFailures: 0,
    lastError: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.instanceId = from.text(from.end(end));
        break;
      case 16:
        m.consecutiveFailures = readInt32(from);
        break;
      case 26:
        m.lastError = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAgentWork(reading: Reading, end: number, depth: number): AgentWork {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AgentWork = {
    $typeName: "vasini.agent.v1.AgentWork",
    succeeded: 0,
    failed: 0,
    consecutiveFailures: 0,
    failing: false,
    recentAttempts: [],
    busyShare: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.succeeded = readInt32(from);
        break;
      case 16:
        m.failed = readInt32(from);
        break;
      case 24:
        m.consecutiveFailures = readInt32(from);
        break;
      case 32:
        m.failing = from.varint() !== 0;
        break;
      case 42:
        if (m.lastFailure !== undefined) throw notPlain;
        countElement(reading);
        m.lastFailure = readAgentAttempt(reading, from.end(end), depth + 1);
        break;
      case 50:
        countElement(reading);
        m.recentAttempts.push(readAgentAttempt(reading, from.end(end), depth + 1));
        break;
      case 58:
        if (m.busyWindow !== undefined) throw notPlain;
        countElement(reading);
        m.busyWindow = readDuration(reading, from.end(end), depth + 1);
        break;
      case 65:
        m.busyShare = from.double();
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAlignmentDifference(reading: Reading, end: number, depth: number): AlignmentDifference {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AlignmentDifference = {
    $typeName: "vasini.agent.v1.AlignmentDifference",
    pipelineId: "",
    stageId: "",
    was: 0,
    wouldBe: 0,
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        m.stageId = from.text(from.end(end));
        break;
      case 24:
        m.was = readInt32(from);
        break;
      case 32:
        m.wouldBe = readInt32(from);
        break;
      case 42:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAlignmentReport(reading: Reading, end: number, depth: number): AlignmentReport {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AlignmentReport = {
    $typeName: "vasini.agent.v1.AlignmentReport",
    verdict: 0,
    subject: 0,
    stageId: "",
    dispatchId: "",
    effectiveLevel: 0,
    levelReason: "",
    readings: [],
    checks: [],
    violations: [],
    citations: [],
    constitutionDigest: "",
    consultations: [],
    escalationId: "",
    decidedBy: "",
    decisionReason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.verdict = readInt32(from);
        break;
      case 16:
        m.subject = readInt32(from);
        break;
      case 26:
        m.stageId = from.text(from.end(end));
        break;
      case 34:
        m.dispatchId = from.text(from.end(end));
        break;
      case 40:
        m.effectiveLevel = readInt32(from);
        break;
      case 50:
        m.levelReason = from.text(from.end(end));
        break;
      case 58:
        countElement(reading);
        m.readings.push(readPressureReading(reading, from.end(end), depth + 1));
        break;
      case 66:
        countElement(reading);
        m.checks.push(readPolicyCheck(reading, from.end(end), depth + 1));
        break;
      case 74:
        countElement(reading);
        m.violations.push(readAlignmentViolation(reading, from.end(end), depth + 1));
        break;
      case 82:
        countElement(reading);
        m.citations.push(from.text(from.end(end)));
        break;
      case 90:
        m.constitutionDigest = from.text(from.end(end));
        break;
      case 98:
        if (m.cache !== undefined) throw notPlain;
        countElement(reading);
        m.cache = readCacheEvidence(reading, from.end(end), depth + 1);
        break;
      case 106:
        countElement(reading);
        m.consultations.push(readConsultation(reading, from.end(end), depth + 1));
        break;
      case 114:
        m.escalationId = from.text(from.end(end));
        break;
      case 122:
        m.decidedBy = from.text(from.end(end));
        break;
      case 130:
        m.decisionReason = from.text(from.end(end));
        break;
      case 138:
        if (m.decidedAt !== undefined) throw notPlain;
        countElement(reading);
        m.decidedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAlignmentViolation(reading: Reading, end: number, depth: number): AlignmentViolation {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AlignmentViolation = {
    $typeName: "vasini.agent.v1.AlignmentViolation",
    principle: "",
    severity: "",
    evidence: "",
    check: "",
    path: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.principle = from.text(from.end(end));
        break;
      case 18:
        m.severity = from.text(from.end(end));
        break;
      case 26:
        m.evidence = from.text(from.end(end));
        break;
      case 34:
        m.check = from.text(from.end(end));
        break;
      case 42:
        m.path = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readArtifact(reading: Reading, end: number, depth: number): Artifact {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Artifact = {
    $typeName: "vasini.agent.v1.Artifact",
    path: "",
    action: 0,
    digest: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.path = from.text(from.end(end));
        break;
      case 16:
        m.action = readInt32(from);
        break;
      case 26:
        m.digest = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAttachAcknowledged(reading: Reading, end: number, depth: number): AttachAcknowledged {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AttachAcknowledged = {
    $typeName: "vasini.agent.v1.AttachAcknowledged",
    sequence: 0n,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.sequence = BigInt(from.varint());
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAttachAgentRequest(reading: Reading, end: number, depth: number): AttachAgentRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AttachAgentRequest = {
    $typeName: "vasini.agent.v1.AttachAgentRequest",
    sequence: 0n,
    dispatchId: "",
    message: { case: undefined },
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.sequence = BigInt(from.varint());
        break;
      case 18:
        m.dispatchId = from.text(from.end(end));
        break;
      case 26:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "hello", value: readAttachHello(reading, from.end(end), depth + 1) };
        break;
      case 34:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "heartbeat", value: readAgentHeartbeat(reading, from.end(end), depth + 1) };
        break;
      case 42:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "turn", value: readTurnEnvelope(reading, from.end(end), depth + 1) };
        break;
      case 50:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "event", value: readEvent(reading, from.end(end), depth + 1) };
        break;
      case 58:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "result", value: asItCame(readAgentResult, reading, from.end(end), depth + 1) };
        break;
      case 66:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "cancelled", value: readCancelAgentResponse(reading, from.end(end), depth + 1) };
        break;
      case 74:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "step", value: readStep(reading, from.end(end), depth + 1) };
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAttachAgentResponse(reading: Reading, end: number, depth: number): AttachAgentResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AttachAgentResponse = {
    $typeName: "vasini.agent.v1.AttachAgentResponse",
    message: { case: undefined },
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "welcome", value: readAttachWelcome(reading, from.end(end), depth + 1) };
        break;
      case 18:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "dispatch", value: readTaskEnvelope(reading, from.end(end), depth + 1) };
        break;
      case 26:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "cancel", value: readCancelAgentRequest(reading, from.end(end), depth + 1) };
        break;
      case 34:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "acknowledged", value: readAttachAcknowledged(reading, from.end(end), depth + 1) };
        break;
      case 42:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "refused", value: readAttachRefused(reading, from.end(end), depth + 1) };
        break;
      case 50:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "drain", value: readAttachDrain(reading, from.end(end), depth + 1) };
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAttachDrain(reading: Reading, end: number, depth: number): AttachDrain {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AttachDrain = {
    $typeName: "vasini.agent.v1.AttachDrain",
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.reason = from.text(from.end(end));
        break;
      case 18:
        if (m.grace !== undefined) throw notPlain;
        countElement(reading);
        m.grace = readDuration(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAttachHello(reading: Reading, end: number, depth: number): AttachHello {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AttachHello = {
    $typeName: "vasini.agent.v1.AttachHello",
    resumeSessionId: "",
    heldDispatches: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.manifest !== undefined) throw notPlain;
        countElement(reading);
        m.manifest = readAgentManifest(reading, from.end(end), depth + 1);
        break;
      case 18:
        if (m.heartbeat !== undefined) throw notPlain;
        countElement(reading);
        m.heartbeat = readAgentHeartbeat(reading, from.end(end), depth + 1);
        break;
      case 26:
        m.resumeSessionId = from.text(from.end(end));
        break;
      case 34:
        countElement(reading);
        m.heldDispatches.push(readHeldDispatch(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAttachRefused(reading: Reading, end: number, depth: number): AttachRefused {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AttachRefused = {
    $typeName: "vasini.agent.v1.AttachRefused",
    sequence: 0n,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.sequence = BigInt(from.varint());
        break;
      case 18:
        if (m.error !== undefined) throw notPlain;
        countElement(reading);
        m.error = readErrorDetail(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAttachWelcome(reading: Reading, end: number, depth: number): AttachWelcome {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AttachWelcome = {
    $typeName: "vasini.agent.v1.AttachWelcome",
    sessionId: "",
    acknowledgedSequence: 0n,
    orchestratorVersion: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.sessionId = from.text(from.end(end));
        break;
      case 16:
        m.acknowledgedSequence = BigInt(from.varint());
        break;
      case 26:
        if (m.leaseTtl !== undefined) throw notPlain;
        countElement(reading);
        m.leaseTtl = readDuration(reading, from.end(end), depth + 1);
        break;
      case 34:
        if (m.heartbeatInterval !== undefined) throw notPlain;
        countElement(reading);
        m.heartbeatInterval = readDuration(reading, from.end(end), depth + 1);
        break;
      case 42:
        m.orchestratorVersion = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAttemptSummary(reading: Reading, end: number, depth: number): AttemptSummary {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AttemptSummary = {
    $typeName: "vasini.agent.v1.AttemptSummary",
    dispatchId: "",
    stageId: "",
    attemptNumber: 0,
    packId: "",
    instanceId: "",
    ending: 0,
    reason: "",
    outcome: 0,
    setAside: false,
    unchecked: false,
    checksUnknown: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.dispatchId = from.text(from.end(end));
        break;
      case 18:
        m.stageId = from.text(from.end(end));
        break;
      case 24:
        m.attemptNumber = readInt32(from);
        break;
      case 34:
        m.packId = from.text(from.end(end));
        break;
      case 42:
        m.instanceId = from.text(from.end(end));
        break;
      case 50:
        if (m.sentAt !== undefined) throw notPlain;
        countElement(reading);
        m.sentAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 58:
        if (m.receivedAt !== undefined) throw notPlain;
        countElement(reading);
        m.receivedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 66:
        if (m.reviewAt !== undefined) throw notPlain;
        countElement(reading);
        m.reviewAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 74:
        if (m.endedAt !== undefined) throw notPlain;
        countElement(reading);
        m.endedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 80:
        m.ending = readInt32(from);
        break;
      case 90:
        m.reason = from.text(from.end(end));
        break;
      case 96:
        m.outcome = readInt32(from);
        break;
      case 104:
        m.setAside = from.varint() !== 0;
        break;
      case 112:
        m.unchecked = from.varint() !== 0;
        break;
      case 120:
        m.checksUnknown = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAuditActor(reading: Reading, end: number, depth: number): AuditActor {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AuditActor = {
    $typeName: "vasini.agent.v1.AuditActor",
    type: 0,
    id: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.type = readInt32(from);
        break;
      case 18:
        m.id = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAuditCheckpoint(reading: Reading, end: number, depth: number): AuditCheckpoint {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AuditCheckpoint = {
    $typeName: "vasini.agent.v1.AuditCheckpoint",
    tenantId: "",
    sequence: 0n,
    entryHash: new Uint8Array(0),
    rootHash: new Uint8Array(0),
    keyId: "",
    signature: new Uint8Array(0),
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.tenantId = from.text(from.end(end));
        break;
      case 16:
        m.sequence = BigInt(from.varint());
        break;
      case 26:
        m.entryHash = from.bytes(from.end(end));
        break;
      case 34:
        m.rootHash = from.bytes(from.end(end));
        break;
      case 42:
        if (m.issuedAt !== undefined) throw notPlain;
        countElement(reading);
        m.issuedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 50:
        m.keyId = from.text(from.end(end));
        break;
      case 58:
        m.signature = from.bytes(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAuditEntry(reading: Reading, end: number, depth: number): AuditEntry {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AuditEntry = {
    $typeName: "vasini.agent.v1.AuditEntry",
    auditId: "",
    eventType: 0,
    traceId: "",
    tenantId: "",
    pipelineId: "",
    stageId: "",
    dispatchId: "",
    attemptNumber: 0,
    packId: "",
    action: "",
    rationale: "",
    sequence: 0n,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.auditId = from.text(from.end(end));
        break;
      case 16:
        m.eventType = readInt32(from);
        break;
      case 26:
        if (m.timestamp !== undefined) throw notPlain;
        countElement(reading);
        m.timestamp = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 34:
        if (m.protocolVersion !== undefined) throw notPlain;
        countElement(reading);
        m.protocolVersion = readProtocolVersion(reading, from.end(end), depth + 1);
        break;
      case 42:
        m.traceId = from.text(from.end(end));
        break;
      case 50:
        m.tenantId = from.text(from.end(end));
        break;
      case 58:
        m.pipelineId = from.text(from.end(end));
        break;
      case 66:
        m.stageId = from.text(from.end(end));
        break;
      case 74:
        m.dispatchId = from.text(from.end(end));
        break;
      case 80:
        m.attemptNumber = readInt32(from);
        break;
      case 90:
        m.packId = from.text(from.end(end));
        break;
      case 98:
        if (m.actor !== undefined) throw notPlain;
        countElement(reading);
        m.actor = readAuditActor(reading, from.end(end), depth + 1);
        break;
      case 106:
        m.action = from.text(from.end(end));
        break;
      case 114:
        m.rationale = from.text(from.end(end));
        break;
      case 122:
        if (m.snapshot !== undefined) throw notPlain;
        countElement(reading);
        m.snapshot = readAuditSnapshot(reading, from.end(end), depth + 1);
        break;
      case 184:
        m.sequence = BigInt(from.varint());
        break;
      case 194:
        m.previousHash = from.bytes(from.end(end));
        break;
      case 202:
        m.entryHash = from.bytes(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAuditKey(reading: Reading, end: number, depth: number): AuditKey {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AuditKey = {
    $typeName: "vasini.agent.v1.AuditKey",
    keyId: "",
    publicKey: new Uint8Array(0),
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.keyId = from.text(from.end(end));
        break;
      case 18:
        m.publicKey = from.bytes(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readAuditSnapshot(reading: Reading, end: number, depth: number): AuditSnapshot {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: AuditSnapshot = {
    $typeName: "vasini.agent.v1.AuditSnapshot",
    snapshotPayload: { case: undefined },
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.snapshotPayload.case !== undefined) throw notPlain;
        countElement(reading);
        m.snapshotPayload = { case: "dispatch", value: readDispatchSnapshot(reading, from.end(end), depth + 1) };
        break;
      case 18:
        if (m.snapshotPayload.case !== undefined) throw notPlain;
        countElement(reading);
        m.snapshotPayload = { case: "result", value: readResultSnapshot(reading, from.end(end), depth + 1) };
        break;
      case 26:
        if (m.snapshotPayload.case !== undefined) throw notPlain;
        countElement(reading);
        m.snapshotPayload = { case: "gate", value: readGateSnapshot(reading, from.end(end), depth + 1) };
        break;
      case 34:
        if (m.snapshotPayload.case !== undefined) throw notPlain;
        countElement(reading);
        m.snapshotPayload = { case: "escalation", value: readEscalationSnapshot(reading, from.end(end), depth + 1) };
        break;
      case 130:
        if (m.snapshotPayload.case !== undefined) throw notPlain;
        countElement(reading);
        m.snapshotPayload = { case: "pipeline", value: readPipelineSnapshot(reading, from.end(end), depth + 1) };
        break;
      case 138:
        if (m.snapshotPayload.case !== undefined) throw notPlain;
        countElement(reading);
        m.snapshotPayload = { case: "timeout", value: readTimeoutSnapshot(reading, from.end(end), depth + 1) };
        break;
      case 146:
        if (m.snapshotPayload.case !== undefined) throw notPlain;
        countElement(reading);
        m.snapshotPayload = { case: "agent", value: readAgentSnapshot(reading, from.end(end), depth + 1) };
        break;
      case 154:
        if (m.snapshotPayload.case !== undefined) throw notPlain;
        countElement(reading);
        m.snapshotPayload = { case: "guardrails", value: readGuardrailSnapshot(reading, from.end(end), depth + 1) };
        break;
      case 162:
        if (m.snapshotPayload.case !== undefined) throw notPlain;
        countElement(reading);
        m.snapshotPayload = { case: "alignment", value: readAlignmentReport(reading, from.end(end), depth + 1) };
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readBaseTestsRun(reading: Reading, end: number, depth: number): BaseTestsRun {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: BaseTestsRun = {
    $typeName: "vasini.agent.v1.BaseTestsRun",
    changedTests: [],
    passed: false,
    exitCode: 0,
    output: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.changedTests.push(from.text(from.end(end)));
        break;
      case 16:
        m.passed = from.varint() !== 0;
        break;
      case 24:
        m.exitCode = readInt32(from);
        break;
      case 34:
        m.output = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readBlocker(reading: Reading, end: number, depth: number): Blocker {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Blocker = {
    $typeName: "vasini.agent.v1.Blocker",
    description: "",
    blockerType: 0,
    suggestedResolution: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.description = from.text(from.end(end));
        break;
      case 16:
        m.blockerType = readInt32(from);
        break;
      case 26:
        m.suggestedResolution = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readBranchRewind(reading: Reading, end: number, depth: number): BranchRewind {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: BranchRewind = {
    $typeName: "vasini.agent.v1.BranchRewind",
    branch: "",
    commitNow: "",
    commitThen: "",
    keptAs: "",
    givenUp: [],
    regained: [],
    files: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.branch = from.text(from.end(end));
        break;
      case 18:
        m.commitNow = from.text(from.end(end));
        break;
      case 26:
        m.commitThen = from.text(from.end(end));
        break;
      case 34:
        m.keptAs = from.text(from.end(end));
        break;
      case 42:
        countElement(reading);
        m.givenUp.push(readCommitLine(reading, from.end(end), depth + 1));
        break;
      case 50:
        countElement(reading);
        m.regained.push(readCommitLine(reading, from.end(end), depth + 1));
        break;
      case 58:
        countElement(reading);
        m.files.push(readFileChange(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readBudget(reading: Reading, end: number, depth: number): Budget {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Budget = {
    $typeName: "vasini.agent.v1.Budget",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.maxTokens = BigInt(from.varint());
        break;
      case 16:
        m.maxCostMicroUsd = BigInt(from.varint());
        break;
      case 24:
        m.maxSteps = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readCacheEvidence(reading: Reading, end: number, depth: number): CacheEvidence {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: CacheEvidence = {
    $typeName: "vasini.agent.v1.CacheEvidence",
    hit: false,
    cacheKey: "",
    ageSec: 0n,
    sourceTaskId: "",
    sourcePipelineId: "",
    missReason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.hit = from.varint() !== 0;
        break;
      case 18:
        m.cacheKey = from.text(from.end(end));
        break;
      case 24:
        m.ageSec = BigInt(from.varint());
        break;
      case 34:
        m.sourceTaskId = from.text(from.end(end));
        break;
      case 42:
        m.sourcePipelineId = from.text(from.end(end));
        break;
      case 50:
        m.missReason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readCachePolicy(reading: Reading, end: number, depth: number): CachePolicy {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: CachePolicy = {
    $typeName: "vasini.agent.v1.CachePolicy",
    mode: 0,
    mustAlign: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.mode = readInt32(from);
        break;
      case 18:
        if (m.maxAge !== undefined) throw notPlain;
        countElement(reading);
        m.maxAge = readDuration(reading, from.end(end), depth + 1);
        break;
      case 24:
        m.mustAlign = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readCacheRecord(reading: Reading, end: number, depth: number): CacheRecord {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: CacheRecord = {
    $typeName: "vasini.agent.v1.CacheRecord",
    cacheKey: "",
    producer: "",
    fingerprint: "",
    sapVersion: "",
    capability: "",
    territory: "",
    sourceTaskId: "",
    sourcePipelineId: "",
    riskTier: 0,
    digest: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.cacheKey = from.text(from.end(end));
        break;
      case 18:
        if (m.storedAt !== undefined) throw notPlain;
        countElement(reading);
        m.storedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 26:
        m.producer = from.text(from.end(end));
        break;
      case 34:
        if (m.alignment !== undefined) throw notPlain;
        countElement(reading);
        m.alignment = readAlignmentReport(reading, from.end(end), depth + 1);
        break;
      case 42:
        if (m.result !== undefined) throw notPlain;
        countElement(reading);
        m.result = asItCame(readAgentResult, reading, from.end(end), depth + 1);
        break;
      case 50:
        m.fingerprint = from.text(from.end(end));
        break;
      case 58:
        m.sapVersion = from.text(from.end(end));
        break;
      case 66:
        m.capability = from.text(from.end(end));
        break;
      case 74:
        m.territory = from.text(from.end(end));
        break;
      case 82:
        m.sourceTaskId = from.text(from.end(end));
        break;
      case 90:
        m.sourcePipelineId = from.text(from.end(end));
        break;
      case 96:
        m.riskTier = readInt32(from);
        break;
      case 106:
        if (m.revocation !== undefined) throw notPlain;
        countElement(reading);
        m.revocation = readCacheRevocation(reading, from.end(end), depth + 1);
        break;
      case 114:
        m.digest = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readCacheRevocation(reading: Reading, end: number, depth: number): CacheRevocation {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: CacheRevocation = {
    $typeName: "vasini.agent.v1.CacheRevocation",
    reason: "",
    by: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.reason = from.text(from.end(end));
        break;
      case 18:
        m.by = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readCancelAgentRequest(reading: Reading, end: number, depth: number): CancelAgentRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: CancelAgentRequest = {
    $typeName: "vasini.agent.v1.CancelAgentRequest",
    dispatchId: "",
    attemptNumber: 0,
    reason: 0,
    explanation: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.dispatchId = from.text(from.end(end));
        break;
      case 16:
        m.attemptNumber = readInt32(from);
        break;
      case 24:
        m.reason = readInt32(from);
        break;
      case 34:
        m.explanation = from.text(from.end(end));
        break;
      case 42:
        if (m.trace !== undefined) throw notPlain;
        countElement(reading);
        m.trace = readTraceContext(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readCancelAgentResponse(reading: Reading, end: number, depth: number): CancelAgentResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: CancelAgentResponse = {
    $typeName: "vasini.agent.v1.CancelAgentResponse",
    outcome: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.outcome = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readCancelStageRequest(reading: Reading, end: number, depth: number): CancelStageRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: CancelStageRequest = {
    $typeName: "vasini.agent.v1.CancelStageRequest",
    pipelineId: "",
    stageId: "",
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        m.stageId = from.text(from.end(end));
        break;
      case 26:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readCancelStageResponse(reading: Reading, end: number, depth: number): CancelStageResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: CancelStageResponse = {
    $typeName: "vasini.agent.v1.CancelStageResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.pipeline !== undefined) throw notPlain;
        countElement(reading);
        m.pipeline = readPipeline(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readCandidateVerdict(reading: Reading, end: number, depth: number): CandidateVerdict {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: CandidateVerdict = {
    $typeName: "vasini.agent.v1.CandidateVerdict",
    packId: "",
    instanceId: "",
    eligible: false,
    rank: 0,
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.packId = from.text(from.end(end));
        break;
      case 18:
        m.instanceId = from.text(from.end(end));
        break;
      case 24:
        m.eligible = from.varint() !== 0;
        break;
      case 32:
        m.rank = readInt32(from);
        break;
      case 42:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readChangeHeuristicsRequest(reading: Reading, end: number, depth: number): ChangeHeuristicsRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ChangeHeuristicsRequest = {
    $typeName: "vasini.agent.v1.ChangeHeuristicsRequest",
    harmlessTools: [],
    actingTools: [],
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.essence !== undefined) throw notPlain;
        countElement(reading);
        m.essence = readEssenceRule(reading, from.end(end), depth + 1);
        break;
      case 18:
        countElement(reading);
        m.harmlessTools.push(from.text(from.end(end)));
        break;
      case 26:
        countElement(reading);
        m.actingTools.push(from.text(from.end(end)));
        break;
      case 34:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readChangeHeuristicsResponse(reading: Reading, end: number, depth: number): ChangeHeuristicsResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ChangeHeuristicsResponse = {
    $typeName: "vasini.agent.v1.ChangeHeuristicsResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.heuristics !== undefined) throw notPlain;
        countElement(reading);
        m.heuristics = readHeuristics(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readChangeLimitsRequest(reading: Reading, end: number, depth: number): ChangeLimitsRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ChangeLimitsRequest = {
    $typeName: "vasini.agent.v1.ChangeLimitsRequest",
    pipelineId: "",
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        m.reason = from.text(from.end(end));
        break;
      case 26:
        if (m.budget !== undefined) throw notPlain;
        countElement(reading);
        m.budget = readBudget(reading, from.end(end), depth + 1);
        break;
      case 34:
        if (m.deadline !== undefined) throw notPlain;
        countElement(reading);
        m.deadline = readTimestamp(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readChangeLimitsResponse(reading: Reading, end: number, depth: number): ChangeLimitsResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ChangeLimitsResponse = {
    $typeName: "vasini.agent.v1.ChangeLimitsResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.pipeline !== undefined) throw notPlain;
        countElement(reading);
        m.pipeline = readPipeline(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readChangeSize(reading: Reading, end: number, depth: number): ChangeSize {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ChangeSize = {
    $typeName: "vasini.agent.v1.ChangeSize",
    files: 0,
    addedLines: 0,
    removedLines: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.files = readInt32(from);
        break;
      case 16:
        m.addedLines = readInt32(from);
        break;
      case 24:
        m.removedLines = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readCheckClaim(reading: Reading, end: number, depth: number): CheckClaim {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: CheckClaim = {
    $typeName: "vasini.agent.v1.CheckClaim",
    command: "",
    output: "",
    passed: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.command = from.text(from.end(end));
        break;
      case 18:
        m.output = from.text(from.end(end));
        break;
      case 24:
        m.passed = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readCheckRun(reading: Reading, end: number, depth: number): CheckRun {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: CheckRun = {
    $typeName: "vasini.agent.v1.CheckRun",
    command: "",
    passed: false,
    exitCode: 0,
    output: "",
    sandbox: "",
    sandboxWarning: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.command = from.text(from.end(end));
        break;
      case 16:
        m.passed = from.varint() !== 0;
        break;
      case 24:
        m.exitCode = readInt32(from);
        break;
      case 34:
        m.output = from.text(from.end(end));
        break;
      case 42:
        if (m.duration !== undefined) throw notPlain;
        countElement(reading);
        m.duration = readDuration(reading, from.end(end), depth + 1);
        break;
      case 50:
        m.sandbox = from.text(from.end(end));
        break;
      case 58:
        m.sandboxWarning = from.text(from.end(end));
        break;
      case 66:
        if (m.baseTests !== undefined) throw notPlain;
        countElement(reading);
        m.baseTests = readBaseTestsRun(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readClarification(reading: Reading, end: number, depth: number): Clarification {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Clarification = {
    $typeName: "vasini.agent.v1.Clarification",
    question: "",
    answer: "",
    answeredBy: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.question = from.text(from.end(end));
        break;
      case 18:
        m.answer = from.text(from.end(end));
        break;
      case 26:
        m.answeredBy = from.text(from.end(end));
        break;
      case 34:
        if (m.answeredAt !== undefined) throw notPlain;
        countElement(reading);
        m.answeredAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 42:
        if (m.tool !== undefined) throw notPlain;
        countElement(reading);
        m.tool = readToolDecision(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readCommitLine(reading: Reading, end: number, depth: number): CommitLine {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: CommitLine = {
    $typeName: "vasini.agent.v1.CommitLine",
    commit: "",
    subject: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.commit = from.text(from.end(end));
        break;
      case 18:
        m.subject = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readCompareConstitutionRequest(reading: Reading, end: number, depth: number): CompareConstitutionRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: CompareConstitutionRequest = {
    $typeName: "vasini.agent.v1.CompareConstitutionRequest",
    decisions: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.file !== undefined) throw notPlain;
        countElement(reading);
        m.file = readData(reading, from.end(end), depth + 1);
        break;
      case 16:
        m.decisions = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readCompareConstitutionResponse(reading: Reading, end: number, depth: number): CompareConstitutionResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: CompareConstitutionResponse = {
    $typeName: "vasini.agent.v1.CompareConstitutionResponse",
    decisionsSeen: 0,
    differences: [],
    notRun: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.decisionsSeen = readInt32(from);
        break;
      case 18:
        countElement(reading);
        m.differences.push(readAlignmentDifference(reading, from.end(end), depth + 1));
        break;
      case 26:
        countElement(reading);
        m.notRun.push(from.text(from.end(end)));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readCompareRoutingRequest(reading: Reading, end: number, depth: number): CompareRoutingRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: CompareRoutingRequest = {
    $typeName: "vasini.agent.v1.CompareRoutingRequest",
    pipelines: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.route !== undefined) throw notPlain;
        countElement(reading);
        m.route = readRouteView(reading, from.end(end), depth + 1);
        break;
      case 16:
        m.pipelines = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readCompareRoutingResponse(reading: Reading, end: number, depth: number): CompareRoutingResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: CompareRoutingResponse = {
    $typeName: "vasini.agent.v1.CompareRoutingResponse",
    dispatchesSeen: 0,
    differences: [],
    pipelinesLookedAt: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.dispatchesSeen = readInt32(from);
        break;
      case 18:
        countElement(reading);
        m.differences.push(readRoutingDifference(reading, from.end(end), depth + 1));
        break;
      case 24:
        m.pipelinesLookedAt = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readConstitutionRule(reading: Reading, end: number, depth: number): ConstitutionRule {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ConstitutionRule = {
    $typeName: "vasini.agent.v1.ConstitutionRule",
    principle: "",
    isConstraint: false,
    description: "",
    severity: "",
    check: "",
    kind: "",
    on: "",
    checked: 0,
    fired: 0,
    escalated: 0,
    overruled: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.principle = from.text(from.end(end));
        break;
      case 16:
        m.isConstraint = from.varint() !== 0;
        break;
      case 26:
        m.description = from.text(from.end(end));
        break;
      case 34:
        m.severity = from.text(from.end(end));
        break;
      case 42:
        m.check = from.text(from.end(end));
        break;
      case 50:
        m.kind = from.text(from.end(end));
        break;
      case 58:
        m.on = from.text(from.end(end));
        break;
      case 64:
        m.checked = readInt32(from);
        break;
      case 72:
        m.fired = readInt32(from);
        break;
      case 80:
        m.escalated = readInt32(from);
        break;
      case 88:
        m.overruled = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readConsultation(reading: Reading, end: number, depth: number): Consultation {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Consultation = {
    $typeName: "vasini.agent.v1.Consultation",
    pipelineId: "",
    packId: "",
    verdict: 0,
    notes: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        m.packId = from.text(from.end(end));
        break;
      case 24:
        m.verdict = readInt32(from);
        break;
      case 34:
        m.notes = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readContextIn(reading: Reading, end: number, depth: number): ContextIn {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ContextIn = {
    $typeName: "vasini.agent.v1.ContextIn",
    sharedContext: "",
    taskDelta: "",
    criticalSnippets: [],
    unresolvedAssumptions: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.sharedContext = from.text(from.end(end));
        break;
      case 18:
        m.taskDelta = from.text(from.end(end));
        break;
      case 26:
        if (m.decisionMemo !== undefined) throw notPlain;
        countElement(reading);
        m.decisionMemo = readDecisionMemo(reading, from.end(end), depth + 1);
        break;
      case 34:
        countElement(reading);
        m.criticalSnippets.push(readSnippetRef(reading, from.end(end), depth + 1));
        break;
      case 42:
        countElement(reading);
        m.unresolvedAssumptions.push(from.text(from.end(end)));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readContextOut(reading: Reading, end: number, depth: number): ContextOut {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ContextOut = {
    $typeName: "vasini.agent.v1.ContextOut",
    decisionsMade: [],
    risksIdentified: [],
    assumptionsMade: [],
    rollbackNotes: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.decisionsMade.push(readDecision(reading, from.end(end), depth + 1));
        break;
      case 18:
        countElement(reading);
        m.risksIdentified.push(from.text(from.end(end)));
        break;
      case 26:
        countElement(reading);
        m.assumptionsMade.push(from.text(from.end(end)));
        break;
      case 34:
        m.rollbackNotes = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readContextPropagation(reading: Reading, end: number, depth: number): ContextPropagation {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ContextPropagation = {
    $typeName: "vasini.agent.v1.ContextPropagation",
    mode: 0,
    carryFields: [],
    carryArtifacts: false,
    carryDecisions: false,
    carryRisks: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.mode = readInt32(from);
        break;
      case 18:
        countElement(reading);
        m.carryFields.push(from.text(from.end(end)));
        break;
      case 24:
        m.carryArtifacts = from.varint() !== 0;
        break;
      case 32:
        m.carryDecisions = from.varint() !== 0;
        break;
      case 40:
        m.carryRisks = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readContract(reading: Reading, end: number, depth: number): Contract {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Contract = {
    $typeName: "vasini.agent.v1.Contract",
    taskId: "",
    title: "",
    ownerDomain: "",
    acceptanceCriteria: [],
    nonGoals: [],
    definitionOfDone: [],
    requiredTools: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.taskId = from.text(from.end(end));
        break;
      case 18:
        m.title = from.text(from.end(end));
        break;
      case 26:
        m.ownerDomain = from.text(from.end(end));
        break;
      case 34:
        countElement(reading);
        m.acceptanceCriteria.push(from.text(from.end(end)));
        break;
      case 42:
        countElement(reading);
        m.nonGoals.push(from.text(from.end(end)));
        break;
      case 50:
        if (m.expectedFiles !== undefined) throw notPlain;
        countElement(reading);
        m.expectedFiles = readFileManifest(reading, from.end(end), depth + 1);
        break;
      case 58:
        if (m.tests !== undefined) throw notPlain;
        countElement(reading);
        m.tests = readTestContract(reading, from.end(end), depth + 1);
        break;
      case 66:
        if (m.io !== undefined) throw notPlain;
        countElement(reading);
        m.io = readIOContract(reading, from.end(end), depth + 1);
        break;
      case 74:
        if (m.environment !== undefined) throw notPlain;
        countElement(reading);
        m.environment = readEnvironment(reading, from.end(end), depth + 1);
        break;
      case 82:
        countElement(reading);
        m.definitionOfDone.push(from.text(from.end(end)));
        break;
      case 130:
        countElement(reading);
        m.requiredTools.push(from.text(from.end(end)));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readDecision(reading: Reading, end: number, depth: number): Decision {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Decision = {
    $typeName: "vasini.agent.v1.Decision",
    decisionId: "",
    description: "",
    rationale: "",
    sourceTask: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.decisionId = from.text(from.end(end));
        break;
      case 18:
        m.description = from.text(from.end(end));
        break;
      case 26:
        m.rationale = from.text(from.end(end));
        break;
      case 34:
        m.sourceTask = from.text(from.end(end));
        break;
      case 42:
        if (m.decidedAt !== undefined) throw notPlain;
        countElement(reading);
        m.decidedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readDecisionMemo(reading: Reading, end: number, depth: number): DecisionMemo {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: DecisionMemo = {
    $typeName: "vasini.agent.v1.DecisionMemo",
    decisions: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.decisions.push(readDecision(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readDefinitionDigest(reading: Reading, end: number, depth: number): DefinitionDigest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: DefinitionDigest = {
    $typeName: "vasini.agent.v1.DefinitionDigest",
    part: "",
    digest: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.part = from.text(from.end(end));
        break;
      case 18:
        m.digest = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readDispatchSnapshot(reading: Reading, end: number, depth: number): DispatchSnapshot {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: DispatchSnapshot = {
    $typeName: "vasini.agent.v1.DispatchSnapshot",
    selectedPackId: "",
    candidatePackIds: [],
    routingPolicyVersion: "",
    rejectionReasons: "",
    contextLevelApplied: 0,
    attemptNumber: 0,
    refFreshness: [],
    candidates: [],
    selectedInstanceId: "",
    usedFallback: false,
    omittedContext: [],
    baseCommit: "",
    definition: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.selectedPackId = from.text(from.end(end));
        break;
      case 18:
        countElement(reading);
        m.candidatePackIds.push(from.text(from.end(end)));
        break;
      case 26:
        m.routingPolicyVersion = from.text(from.end(end));
        break;
      case 34:
        m.rejectionReasons = from.text(from.end(end));
        break;
      case 40:
        m.contextLevelApplied = readInt32(from);
        break;
      case 48:
        m.attemptNumber = readInt32(from);
        break;
      case 58:
        countElement(reading);
        m.refFreshness.push(readRefFreshnessCheck(reading, from.end(end), depth + 1));
        break;
      case 90:
        countElement(reading);
        m.candidates.push(readCandidateVerdict(reading, from.end(end), depth + 1));
        break;
      case 98:
        m.selectedInstanceId = from.text(from.end(end));
        break;
      case 104:
        m.usedFallback = from.varint() !== 0;
        break;
      case 114:
        countElement(reading);
        m.omittedContext.push(from.text(from.end(end)));
        break;
      case 122:
        m.baseCommit = from.text(from.end(end));
        break;
      case 130:
        countElement(reading);
        m.definition.push(readDefinitionDigest(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readDuration(reading: Reading, end: number, depth: number): Duration {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Duration = {
    $typeName: "google.protobuf.Duration",
    seconds: 0n,
    nanos: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.seconds = BigInt(from.varint());
        break;
      case 16:
        m.nanos = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readEdgeDecision(reading: Reading, end: number, depth: number): EdgeDecision {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: EdgeDecision = {
    $typeName: "vasini.agent.v1.EdgeDecision",
    fromStageId: "",
    toStageId: "",
    kind: 0,
    condition: "",
    taken: false,
    reason: "",
    timesTaken: 0,
    maxTimes: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.fromStageId = from.text(from.end(end));
        break;
      case 18:
        m.toStageId = from.text(from.end(end));
        break;
      case 24:
        m.kind = readInt32(from);
        break;
      case 34:
        m.condition = from.text(from.end(end));
        break;
      case 40:
        m.taken = from.varint() !== 0;
        break;
      case 50:
        if (m.values !== undefined) throw notPlain;
        countElement(reading);
        m.values = readData(reading, from.end(end), depth + 1);
        break;
      case 58:
        m.reason = from.text(from.end(end));
        break;
      case 66:
        if (m.at !== undefined) throw notPlain;
        countElement(reading);
        m.at = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 72:
        m.timesTaken = readInt32(from);
        break;
      case 80:
        m.maxTimes = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readEnvironment(reading: Reading, end: number, depth: number): Environment {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Environment = {
    $typeName: "vasini.agent.v1.Environment",
    lintCommand: "",
    typecheckCommand: "",
    testCommand: "",
    buildCommand: "",
    securityCommand: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.lintCommand = from.text(from.end(end));
        break;
      case 18:
        m.typecheckCommand = from.text(from.end(end));
        break;
      case 26:
        m.testCommand = from.text(from.end(end));
        break;
      case 34:
        m.buildCommand = from.text(from.end(end));
        break;
      case 130:
        m.securityCommand = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readErrorDetail(reading: Reading, end: number, depth: number): ErrorDetail {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ErrorDetail = {
    $typeName: "vasini.agent.v1.ErrorDetail",
    code: "",
    message: "",
    fix: "",
    violations: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.code = from.text(from.end(end));
        break;
      case 18:
        m.message = from.text(from.end(end));
        break;
      case 26:
        m.fix = from.text(from.end(end));
        break;
      case 34:
        countElement(reading);
        m.violations.push(readFieldViolation(reading, from.end(end), depth + 1));
        break;
      case 42:
        if (m.retryAfter !== undefined) throw notPlain;
        countElement(reading);
        m.retryAfter = readDuration(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readEscalation(reading: Reading, end: number, depth: number): Escalation {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Escalation = {
    $typeName: "vasini.agent.v1.Escalation",
    escalationId: "",
    kind: 0,
    pipelineId: "",
    stageId: "",
    dispatchId: "",
    riskTier: 0,
    pipelineName: "",
    packId: "",
    cause: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.escalationId = from.text(from.end(end));
        break;
      case 16:
        m.kind = readInt32(from);
        break;
      case 26:
        m.pipelineId = from.text(from.end(end));
        break;
      case 34:
        m.stageId = from.text(from.end(end));
        break;
      case 42:
        m.dispatchId = from.text(from.end(end));
        break;
      case 50:
        if (m.snapshot !== undefined) throw notPlain;
        countElement(reading);
        m.snapshot = readEscalationSnapshot(reading, from.end(end), depth + 1);
        break;
      case 58:
        if (m.raisedAt !== undefined) throw notPlain;
        countElement(reading);
        m.raisedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 66:
        if (m.resolvedAt !== undefined) throw notPlain;
        countElement(reading);
        m.resolvedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 72:
        m.riskTier = readInt32(from);
        break;
      case 82:
        m.pipelineName = from.text(from.end(end));
        break;
      case 90:
        m.packId = from.text(from.end(end));
        break;
      case 98:
        m.cause = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readEscalationPolicy(reading: Reading, end: number, depth: number): EscalationPolicy {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: EscalationPolicy = {
    $typeName: "vasini.agent.v1.EscalationPolicy",
    autoEscalateOnSecurityFlag: [],
    escalateOnPolicyBlocked: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.autoEscalateOnSecurityFlag.push(from.text(from.end(end)));
        break;
      case 16:
        m.escalateOnPolicyBlocked = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readEscalationSnapshot(reading: Reading, end: number, depth: number): EscalationSnapshot {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: EscalationSnapshot = {
    $typeName: "vasini.agent.v1.EscalationSnapshot",
    problem: "",
    impact: "",
    options: [],
    recommended: "",
    blocking: false,
    resolution: "",
    resolvedBy: "",
    notices: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.problem = from.text(from.end(end));
        break;
      case 18:
        m.impact = from.text(from.end(end));
        break;
      case 26:
        countElement(reading);
        m.options.push(from.text(from.end(end)));
        break;
      case 34:
        m.recommended = from.text(from.end(end));
        break;
      case 40:
        m.blocking = from.varint() !== 0;
        break;
      case 50:
        m.resolution = from.text(from.end(end));
        break;
      case 58:
        m.resolvedBy = from.text(from.end(end));
        break;
      case 130:
        if (m.admission !== undefined) throw notPlain;
        countElement(reading);
        m.admission = readAdmissionSnapshot(reading, from.end(end), depth + 1);
        break;
      case 138:
        if (m.change !== undefined) throw notPlain;
        countElement(reading);
        m.change = readChangeSize(reading, from.end(end), depth + 1);
        break;
      case 146:
        countElement(reading);
        m.notices.push(from.text(from.end(end)));
        break;
      case 154:
        if (m.toolCall !== undefined) throw notPlain;
        countElement(reading);
        m.toolCall = readToolCallSnapshot(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readEssenceRule(reading: Reading, end: number, depth: number): EssenceRule {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: EssenceRule = {
    $typeName: "vasini.agent.v1.EssenceRule",
    capability: "",
    pointers: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.capability = from.text(from.end(end));
        break;
      case 18:
        countElement(reading);
        m.pointers.push(from.text(from.end(end)));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readEvent(reading: Reading, end: number, depth: number): Event {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Event = {
    $typeName: "vasini.agent.v1.Event",
    eventId: "",
    sessionId: "",
    payload: { case: undefined },
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.eventId = from.text(from.end(end));
        break;
      case 18:
        m.sessionId = from.text(from.end(end));
        break;
      case 26:
        if (m.payload.case !== undefined) throw notPlain;
        countElement(reading);
        m.payload = { case: "thoughtStream", value: readThoughtStream(reading, from.end(end), depth + 1) };
        break;
      case 34:
        if (m.payload.case !== undefined) throw notPlain;
        countElement(reading);
        m.payload = { case: "toolInvoked", value: readToolLifecycleInvoked(reading, from.end(end), depth + 1) };
        break;
      case 42:
        if (m.payload.case !== undefined) throw notPlain;
        countElement(reading);
        m.payload = { case: "toolCompleted", value: readToolLifecycleCompleted(reading, from.end(end), depth + 1) };
        break;
      case 50:
        if (m.payload.case !== undefined) throw notPlain;
        countElement(reading);
        m.payload = { case: "taskTransition", value: readTaskTransition(reading, from.end(end), depth + 1) };
        break;
      case 58:
        if (m.payload.case !== undefined) throw notPlain;
        countElement(reading);
        m.payload = { case: "sandboxPulse", value: readSandboxPulse(reading, from.end(end), depth + 1) };
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readEventRecord(reading: Reading, end: number, depth: number): EventRecord {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: EventRecord = {
    $typeName: "vasini.agent.v1.EventRecord",
    sequence: 0n,
    pipelineId: "",
    stageId: "",
    dispatchId: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.sequence = BigInt(from.varint());
        break;
      case 18:
        if (m.recordedAt !== undefined) throw notPlain;
        countElement(reading);
        m.recordedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 26:
        m.pipelineId = from.text(from.end(end));
        break;
      case 34:
        m.stageId = from.text(from.end(end));
        break;
      case 42:
        m.dispatchId = from.text(from.end(end));
        break;
      case 50:
        if (m.event !== undefined) throw notPlain;
        countElement(reading);
        m.event = readEvent(reading, from.end(end), depth + 1);
        break;
      case 58:
        if (m.withheld !== undefined) throw notPlain;
        countElement(reading);
        m.withheld = readWithheld(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readEvidence(reading: Reading, end: number, depth: number): Evidence {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Evidence = {
    $typeName: "vasini.agent.v1.Evidence",
    evidencePayload: { case: undefined },
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.evidencePayload.case !== undefined) throw notPlain;
        countElement(reading);
        m.evidencePayload = { case: "items", value: readEvidenceItems(reading, from.end(end), depth + 1) };
        break;
      case 18:
        if (m.evidencePayload.case !== undefined) throw notPlain;
        m.evidencePayload = { case: "noneWithReason", value: from.text(from.end(end)) };
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readEvidenceItem(reading: Reading, end: number, depth: number): EvidenceItem {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: EvidenceItem = {
    $typeName: "vasini.agent.v1.EvidenceItem",
    type: 0,
    command: "",
    output: "",
    passed: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.type = readInt32(from);
        break;
      case 18:
        m.command = from.text(from.end(end));
        break;
      case 26:
        m.output = from.text(from.end(end));
        break;
      case 32:
        m.passed = from.varint() !== 0;
        break;
      case 72:
        m.exitCode = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readEvidenceItems(reading: Reading, end: number, depth: number): EvidenceItems {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: EvidenceItems = {
    $typeName: "vasini.agent.v1.EvidenceItems",
    items: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.items.push(readEvidenceItem(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readExecution(reading: Reading, end: number, depth: number): Execution {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Execution = {
    $typeName: "vasini.agent.v1.Execution",
    idempotencyKey: "",
    dispatchId: "",
    attemptNumber: 0,
    priority: 0,
    riskTier: 0,
    patchSizeLimit: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.idempotencyKey = from.text(from.end(end));
        break;
      case 18:
        m.dispatchId = from.text(from.end(end));
        break;
      case 24:
        m.attemptNumber = readInt32(from);
        break;
      case 34:
        if (m.deadline !== undefined) throw notPlain;
        countElement(reading);
        m.deadline = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 42:
        if (m.timeout !== undefined) throw notPlain;
        countElement(reading);
        m.timeout = readDuration(reading, from.end(end), depth + 1);
        break;
      case 48:
        m.priority = readInt32(from);
        break;
      case 56:
        m.riskTier = readInt32(from);
        break;
      case 64:
        m.patchSizeLimit = readInt32(from);
        break;
      case 122:
        if (m.budget !== undefined) throw notPlain;
        countElement(reading);
        m.budget = readBudget(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readExplainDispatchRequest(reading: Reading, end: number, depth: number): ExplainDispatchRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ExplainDispatchRequest = {
    $typeName: "vasini.agent.v1.ExplainDispatchRequest",
    dispatchId: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.dispatchId = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readExplainDispatchResponse(reading: Reading, end: number, depth: number): ExplainDispatchResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ExplainDispatchResponse = {
    $typeName: "vasini.agent.v1.ExplainDispatchResponse",
    explanation: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.snapshot !== undefined) throw notPlain;
        countElement(reading);
        m.snapshot = readDispatchSnapshot(reading, from.end(end), depth + 1);
        break;
      case 18:
        m.explanation = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readExportAuditRequest(reading: Reading, end: number, depth: number): ExportAuditRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ExportAuditRequest = {
    $typeName: "vasini.agent.v1.ExportAuditRequest",
    pipelineId: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        if (m.since !== undefined) throw notPlain;
        countElement(reading);
        m.since = readAuditCheckpoint(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readExportAuditResponse(reading: Reading, end: number, depth: number): ExportAuditResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ExportAuditResponse = {
    $typeName: "vasini.agent.v1.ExportAuditResponse",
    piece: new Uint8Array(0),
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.piece = from.bytes(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readFailedCheck(reading: Reading, end: number, depth: number): FailedCheck {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: FailedCheck = {
    $typeName: "vasini.agent.v1.FailedCheck",
    checkName: "",
    reason: "",
    evidence: "",
    disproved: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.checkName = from.text(from.end(end));
        break;
      case 18:
        m.reason = from.text(from.end(end));
        break;
      case 26:
        m.evidence = from.text(from.end(end));
        break;
      case 34:
        if (m.claim !== undefined) throw notPlain;
        countElement(reading);
        m.claim = readCheckClaim(reading, from.end(end), depth + 1);
        break;
      case 42:
        if (m.run !== undefined) throw notPlain;
        countElement(reading);
        m.run = readCheckRun(reading, from.end(end), depth + 1);
        break;
      case 48:
        m.disproved = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readFieldViolation(reading: Reading, end: number, depth: number): FieldViolation {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: FieldViolation = {
    $typeName: "vasini.agent.v1.FieldViolation",
    field: "",
    rule: "",
    message: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.field = from.text(from.end(end));
        break;
      case 18:
        m.rule = from.text(from.end(end));
        break;
      case 26:
        m.message = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readFileChange(reading: Reading, end: number, depth: number): FileChange {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: FileChange = {
    $typeName: "vasini.agent.v1.FileChange",
    path: "",
    action: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.path = from.text(from.end(end));
        break;
      case 16:
        m.action = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readFileDiff(reading: Reading, end: number, depth: number): FileDiff {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: FileDiff = {
    $typeName: "vasini.agent.v1.FileDiff",
    path: "",
    oldPath: "",
    action: 0,
    addedLines: 0,
    removedLines: 0,
    test: false,
    binary: false,
    oldMode: "",
    newMode: "",
    diff: "",
    linesLeftOut: 0,
    hiddenCharacters: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.path = from.text(from.end(end));
        break;
      case 18:
        m.oldPath = from.text(from.end(end));
        break;
      case 24:
        m.action = readInt32(from);
        break;
      case 32:
        m.addedLines = readInt32(from);
        break;
      case 40:
        m.removedLines = readInt32(from);
        break;
      case 48:
        m.test = from.varint() !== 0;
        break;
      case 56:
        m.binary = from.varint() !== 0;
        break;
      case 66:
        m.oldMode = from.text(from.end(end));
        break;
      case 74:
        m.newMode = from.text(from.end(end));
        break;
      case 82:
        m.diff = from.text(from.end(end));
        break;
      case 88:
        m.linesLeftOut = readInt32(from);
        break;
      case 96:
        m.hiddenCharacters = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readFileManifest(reading: Reading, end: number, depth: number): FileManifest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: FileManifest = {
    $typeName: "vasini.agent.v1.FileManifest",
    create: [],
    modify: [],
    delete: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.create.push(from.text(from.end(end)));
        break;
      case 18:
        countElement(reading);
        m.modify.push(from.text(from.end(end)));
        break;
      case 26:
        countElement(reading);
        m.delete.push(from.text(from.end(end)));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readFreshnessPolicy(reading: Reading, end: number, depth: number): FreshnessPolicy {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: FreshnessPolicy = {
    $typeName: "vasini.agent.v1.FreshnessPolicy",
    requireDigest: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.maxRefStaleness !== undefined) throw notPlain;
        countElement(reading);
        m.maxRefStaleness = readDuration(reading, from.end(end), depth + 1);
        break;
      case 16:
        m.requireDigest = from.varint() !== 0;
        break;
      case 58:
        if (m.hardMaxRefStaleness !== undefined) throw notPlain;
        countElement(reading);
        m.hardMaxRefStaleness = readDuration(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGateCheck(reading: Reading, end: number, depth: number): GateCheck {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GateCheck = {
    $typeName: "vasini.agent.v1.GateCheck",
    gateName: "",
    passed: false,
    evidence: "",
    status: 0,
    disproved: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.gateName = from.text(from.end(end));
        break;
      case 16:
        m.passed = from.varint() !== 0;
        break;
      case 26:
        m.evidence = from.text(from.end(end));
        break;
      case 128:
        m.status = readInt32(from);
        break;
      case 138:
        if (m.claim !== undefined) throw notPlain;
        countElement(reading);
        m.claim = readCheckClaim(reading, from.end(end), depth + 1);
        break;
      case 146:
        if (m.run !== undefined) throw notPlain;
        countElement(reading);
        m.run = readCheckRun(reading, from.end(end), depth + 1);
        break;
      case 152:
        m.disproved = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGateSnapshot(reading: Reading, end: number, depth: number): GateSnapshot {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GateSnapshot = {
    $typeName: "vasini.agent.v1.GateSnapshot",
    checks: [],
    tier: "",
    passed: false,
    rejectReason: "",
    rewindTargetStage: "",
    attemptsRemaining: 0,
    commit: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.checks.push(readGateCheck(reading, from.end(end), depth + 1));
        break;
      case 18:
        m.tier = from.text(from.end(end));
        break;
      case 24:
        m.passed = from.varint() !== 0;
        break;
      case 34:
        m.rejectReason = from.text(from.end(end));
        break;
      case 42:
        m.rewindTargetStage = from.text(from.end(end));
        break;
      case 128:
        m.attemptsRemaining = readInt32(from);
        break;
      case 138:
        if (m.reviewer !== undefined) throw notPlain;
        countElement(reading);
        m.reviewer = readAuditActor(reading, from.end(end), depth + 1);
        break;
      case 146:
        m.commit = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetAttemptChangesRequest(reading: Reading, end: number, depth: number): GetAttemptChangesRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetAttemptChangesRequest = {
    $typeName: "vasini.agent.v1.GetAttemptChangesRequest",
    dispatchId: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.dispatchId = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetAttemptChangesResponse(reading: Reading, end: number, depth: number): GetAttemptChangesResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetAttemptChangesResponse = {
    $typeName: "vasini.agent.v1.GetAttemptChangesResponse",
    patch: "",
    truncated: false,
    reason: "",
    baseCommit: "",
    commit: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.patch = from.text(from.end(end));
        break;
      case 16:
        m.truncated = from.varint() !== 0;
        break;
      case 26:
        m.reason = from.text(from.end(end));
        break;
      case 34:
        m.baseCommit = from.text(from.end(end));
        break;
      case 42:
        m.commit = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetAttemptRequest(reading: Reading, end: number, depth: number): GetAttemptRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetAttemptRequest = {
    $typeName: "vasini.agent.v1.GetAttemptRequest",
    dispatchId: "",
    part: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.dispatchId = from.text(from.end(end));
        break;
      case 16:
        m.part = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetAttemptResponse(reading: Reading, end: number, depth: number): GetAttemptResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetAttemptResponse = {
    $typeName: "vasini.agent.v1.GetAttemptResponse",
    explanation: "",
    disregarded: [],
    leftOut: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.summary !== undefined) throw notPlain;
        countElement(reading);
        m.summary = readAttemptSummary(reading, from.end(end), depth + 1);
        break;
      case 18:
        if (m.envelope !== undefined) throw notPlain;
        countElement(reading);
        m.envelope = readTaskEnvelope(reading, from.end(end), depth + 1);
        break;
      case 26:
        if (m.result !== undefined) throw notPlain;
        countElement(reading);
        m.result = asItCame(readAgentResult, reading, from.end(end), depth + 1);
        break;
      case 34:
        if (m.gate !== undefined) throw notPlain;
        countElement(reading);
        m.gate = readGateSnapshot(reading, from.end(end), depth + 1);
        break;
      case 42:
        if (m.dispatch !== undefined) throw notPlain;
        countElement(reading);
        m.dispatch = readDispatchSnapshot(reading, from.end(end), depth + 1);
        break;
      case 50:
        m.explanation = from.text(from.end(end));
        break;
      case 58:
        countElement(reading);
        m.disregarded.push(from.text(from.end(end)));
        break;
      case 66:
        countElement(reading);
        m.leftOut.push(readLeftOutPart(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetAttemptsRequest(reading: Reading, end: number, depth: number): GetAttemptsRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetAttemptsRequest = {
    $typeName: "vasini.agent.v1.GetAttemptsRequest",
    pipelineId: "",
    stageId: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        m.stageId = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetAttemptsResponse(reading: Reading, end: number, depth: number): GetAttemptsResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetAttemptsResponse = {
    $typeName: "vasini.agent.v1.GetAttemptsResponse",
    attempts: [],
    waits: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.attempts.push(readAttemptSummary(reading, from.end(end), depth + 1));
        break;
      case 18:
        countElement(reading);
        m.waits.push(readStageWait(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetAuditCheckpointRequest(reading: Reading, end: number, depth: number): GetAuditCheckpointRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetAuditCheckpointRequest = {
    $typeName: "vasini.agent.v1.GetAuditCheckpointRequest",
  };
  while (from.at < end) {
    switch (from.varint()) {
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetAuditCheckpointResponse(reading: Reading, end: number, depth: number): GetAuditCheckpointResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetAuditCheckpointResponse = {
    $typeName: "vasini.agent.v1.GetAuditCheckpointResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.checkpoint !== undefined) throw notPlain;
        countElement(reading);
        m.checkpoint = readAuditCheckpoint(reading, from.end(end), depth + 1);
        break;
      case 18:
        if (m.key !== undefined) throw notPlain;
        countElement(reading);
        m.key = readAuditKey(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetAuditProofRequest(reading: Reading, end: number, depth: number): GetAuditProofRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetAuditProofRequest = {
    $typeName: "vasini.agent.v1.GetAuditProofRequest",
    auditId: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.auditId = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetAuditProofResponse(reading: Reading, end: number, depth: number): GetAuditProofResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetAuditProofResponse = {
    $typeName: "vasini.agent.v1.GetAuditProofResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.entry !== undefined) throw notPlain;
        countElement(reading);
        m.entry = readAuditEntry(reading, from.end(end), depth + 1);
        break;
      case 18:
        if (m.proof !== undefined) throw notPlain;
        countElement(reading);
        m.proof = readInclusionProof(reading, from.end(end), depth + 1);
        break;
      case 26:
        if (m.key !== undefined) throw notPlain;
        countElement(reading);
        m.key = readAuditKey(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetCacheRecordRequest(reading: Reading, end: number, depth: number): GetCacheRecordRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetCacheRecordRequest = {
    $typeName: "vasini.agent.v1.GetCacheRecordRequest",
    cacheKey: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.cacheKey = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetCacheRecordResponse(reading: Reading, end: number, depth: number): GetCacheRecordResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetCacheRecordResponse = {
    $typeName: "vasini.agent.v1.GetCacheRecordResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.record !== undefined) throw notPlain;
        countElement(reading);
        m.record = readCacheRecord(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetConstitutionRequest(reading: Reading, end: number, depth: number): GetConstitutionRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetConstitutionRequest = {
    $typeName: "vasini.agent.v1.GetConstitutionRequest",
  };
  while (from.at < end) {
    switch (from.varint()) {
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetConstitutionResponse(reading: Reading, end: number, depth: number): GetConstitutionResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetConstitutionResponse = {
    $typeName: "vasini.agent.v1.GetConstitutionResponse",
    digest: "",
    version: "",
    description: "",
    rules: [],
    decisions: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.digest = from.text(from.end(end));
        break;
      case 18:
        m.version = from.text(from.end(end));
        break;
      case 26:
        m.description = from.text(from.end(end));
        break;
      case 34:
        countElement(reading);
        m.rules.push(readConstitutionRule(reading, from.end(end), depth + 1));
        break;
      case 40:
        m.decisions = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetHeuristicsRequest(reading: Reading, end: number, depth: number): GetHeuristicsRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetHeuristicsRequest = {
    $typeName: "vasini.agent.v1.GetHeuristicsRequest",
  };
  while (from.at < end) {
    switch (from.varint()) {
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetHeuristicsResponse(reading: Reading, end: number, depth: number): GetHeuristicsResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetHeuristicsResponse = {
    $typeName: "vasini.agent.v1.GetHeuristicsResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.heuristics !== undefined) throw notPlain;
        countElement(reading);
        m.heuristics = readHeuristics(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetPipelineChangesRequest(reading: Reading, end: number, depth: number): GetPipelineChangesRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetPipelineChangesRequest = {
    $typeName: "vasini.agent.v1.GetPipelineChangesRequest",
    dispatchId: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.dispatchId = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetPipelineChangesResponse(reading: Reading, end: number, depth: number): GetPipelineChangesResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetPipelineChangesResponse = {
    $typeName: "vasini.agent.v1.GetPipelineChangesResponse",
    baseCommit: "",
    commit: "",
    repository: "",
    files: [],
    filesLeftOut: 0,
    linesLeftOut: 0,
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.baseCommit = from.text(from.end(end));
        break;
      case 18:
        m.commit = from.text(from.end(end));
        break;
      case 26:
        m.repository = from.text(from.end(end));
        break;
      case 34:
        countElement(reading);
        m.files.push(readFileDiff(reading, from.end(end), depth + 1));
        break;
      case 42:
        if (m.size !== undefined) throw notPlain;
        countElement(reading);
        m.size = readChangeSize(reading, from.end(end), depth + 1);
        break;
      case 48:
        m.filesLeftOut = readInt32(from);
        break;
      case 56:
        m.linesLeftOut = readInt32(from);
        break;
      case 66:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetPipelineRequest(reading: Reading, end: number, depth: number): GetPipelineRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetPipelineRequest = {
    $typeName: "vasini.agent.v1.GetPipelineRequest",
    pipelineId: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetPipelineResponse(reading: Reading, end: number, depth: number): GetPipelineResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetPipelineResponse = {
    $typeName: "vasini.agent.v1.GetPipelineResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.pipeline !== undefined) throw notPlain;
        countElement(reading);
        m.pipeline = readPipeline(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetRoutingPolicyRequest(reading: Reading, end: number, depth: number): GetRoutingPolicyRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetRoutingPolicyRequest = {
    $typeName: "vasini.agent.v1.GetRoutingPolicyRequest",
  };
  while (from.at < end) {
    switch (from.varint()) {
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetRoutingPolicyResponse(reading: Reading, end: number, depth: number): GetRoutingPolicyResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetRoutingPolicyResponse = {
    $typeName: "vasini.agent.v1.GetRoutingPolicyResponse",
    open: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.policy !== undefined) throw notPlain;
        countElement(reading);
        m.policy = readRoutingPolicyView(reading, from.end(end), depth + 1);
        break;
      case 16:
        m.open = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetSpendRequest(reading: Reading, end: number, depth: number): GetSpendRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetSpendRequest = {
    $typeName: "vasini.agent.v1.GetSpendRequest",
    fromDay: "",
    toDay: "",
    byDay: false,
    byModel: false,
    byPack: false,
    byTemplate: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.fromDay = from.text(from.end(end));
        break;
      case 18:
        m.toDay = from.text(from.end(end));
        break;
      case 24:
        m.byDay = from.varint() !== 0;
        break;
      case 32:
        m.byModel = from.varint() !== 0;
        break;
      case 40:
        m.byPack = from.varint() !== 0;
        break;
      case 48:
        m.byTemplate = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetSpendResponse(reading: Reading, end: number, depth: number): GetSpendResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetSpendResponse = {
    $typeName: "vasini.agent.v1.GetSpendResponse",
    rows: [],
    moreRows: false,
    fromDay: "",
    toDay: "",
    limits: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.rows.push(readSpendRow(reading, from.end(end), depth + 1));
        break;
      case 18:
        if (m.total !== undefined) throw notPlain;
        countElement(reading);
        m.total = readSpendRow(reading, from.end(end), depth + 1);
        break;
      case 24:
        m.moreRows = from.varint() !== 0;
        break;
      case 34:
        m.fromDay = from.text(from.end(end));
        break;
      case 42:
        m.toDay = from.text(from.end(end));
        break;
      case 50:
        countElement(reading);
        m.limits.push(readTenantSpendLimit(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetStepsRequest(reading: Reading, end: number, depth: number): GetStepsRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetStepsRequest = {
    $typeName: "vasini.agent.v1.GetStepsRequest",
    pipelineId: "",
    stageId: "",
    attemptNumber: 0,
    pageSize: 0,
    pageToken: "",
    withValues: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        m.stageId = from.text(from.end(end));
        break;
      case 24:
        m.attemptNumber = readInt32(from);
        break;
      case 32:
        m.pageSize = readInt32(from);
        break;
      case 42:
        m.pageToken = from.text(from.end(end));
        break;
      case 48:
        m.withValues = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetStepsResponse(reading: Reading, end: number, depth: number): GetStepsResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetStepsResponse = {
    $typeName: "vasini.agent.v1.GetStepsResponse",
    steps: [],
    nextPageToken: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.steps.push(readStepRecord(reading, from.end(end), depth + 1));
        break;
      case 18:
        m.nextPageToken = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetTemplatesRequest(reading: Reading, end: number, depth: number): GetTemplatesRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetTemplatesRequest = {
    $typeName: "vasini.agent.v1.GetTemplatesRequest",
  };
  while (from.at < end) {
    switch (from.varint()) {
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetTemplatesResponse(reading: Reading, end: number, depth: number): GetTemplatesResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetTemplatesResponse = {
    $typeName: "vasini.agent.v1.GetTemplatesResponse",
    templates: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.templates.push(readTemplate(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetTenantRequest(reading: Reading, end: number, depth: number): GetTenantRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetTenantRequest = {
    $typeName: "vasini.agent.v1.GetTenantRequest",
  };
  while (from.at < end) {
    switch (from.varint()) {
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetTenantResponse(reading: Reading, end: number, depth: number): GetTenantResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetTenantResponse = {
    $typeName: "vasini.agent.v1.GetTenantResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.tenant !== undefined) throw notPlain;
        countElement(reading);
        m.tenant = readTenant(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetTransitionsRequest(reading: Reading, end: number, depth: number): GetTransitionsRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetTransitionsRequest = {
    $typeName: "vasini.agent.v1.GetTransitionsRequest",
    pipelineId: "",
    stageId: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        m.stageId = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetTransitionsResponse(reading: Reading, end: number, depth: number): GetTransitionsResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetTransitionsResponse = {
    $typeName: "vasini.agent.v1.GetTransitionsResponse",
    transitions: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.transitions.push(readTransition(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetTurnsRequest(reading: Reading, end: number, depth: number): GetTurnsRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetTurnsRequest = {
    $typeName: "vasini.agent.v1.GetTurnsRequest",
    pipelineId: "",
    stageId: "",
    attemptNumber: 0,
    pageSize: 0,
    pageToken: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        m.stageId = from.text(from.end(end));
        break;
      case 24:
        m.attemptNumber = readInt32(from);
        break;
      case 32:
        m.pageSize = readInt32(from);
        break;
      case 42:
        m.pageToken = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetTurnsResponse(reading: Reading, end: number, depth: number): GetTurnsResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetTurnsResponse = {
    $typeName: "vasini.agent.v1.GetTurnsResponse",
    turns: [],
    gaps: [],
    nextPageToken: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.turns.push(readTurnRecord(reading, from.end(end), depth + 1));
        break;
      case 18:
        countElement(reading);
        m.gaps.push(readTurnGap(reading, from.end(end), depth + 1));
        break;
      case 26:
        m.nextPageToken = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetWithheldAnswerRequest(reading: Reading, end: number, depth: number): GetWithheldAnswerRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetWithheldAnswerRequest = {
    $typeName: "vasini.agent.v1.GetWithheldAnswerRequest",
    escalationId: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.escalationId = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGetWithheldAnswerResponse(reading: Reading, end: number, depth: number): GetWithheldAnswerResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GetWithheldAnswerResponse = {
    $typeName: "vasini.agent.v1.GetWithheldAnswerResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.result !== undefined) throw notPlain;
        countElement(reading);
        m.result = asItCame(readAgentResult, reading, from.end(end), depth + 1);
        break;
      case 18:
        if (m.alignment !== undefined) throw notPlain;
        countElement(reading);
        m.alignment = readAlignmentReport(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGiveFeedbackRequest(reading: Reading, end: number, depth: number): GiveFeedbackRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GiveFeedbackRequest = {
    $typeName: "vasini.agent.v1.GiveFeedbackRequest",
    pipelineId: "",
    rating: 0,
    note: "",
    approval: 0,
    correctionJson: "",
    lesson: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 16:
        m.rating = readInt32(from);
        break;
      case 26:
        m.note = from.text(from.end(end));
        break;
      case 32:
        m.approval = readInt32(from);
        break;
      case 42:
        m.correctionJson = from.text(from.end(end));
        break;
      case 48:
        m.lesson = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGiveFeedbackResponse(reading: Reading, end: number, depth: number): GiveFeedbackResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GiveFeedbackResponse = {
    $typeName: "vasini.agent.v1.GiveFeedbackResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.signal !== undefined) throw notPlain;
        countElement(reading);
        m.signal = readSignal(reading, from.end(end), depth + 1);
        break;
      case 18:
        if (m.lesson !== undefined) throw notPlain;
        countElement(reading);
        m.lesson = readLesson(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGivenLesson(reading: Reading, end: number, depth: number): GivenLesson {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GivenLesson = {
    $typeName: "vasini.agent.v1.GivenLesson",
    lessonId: "",
    kind: "",
    version: 0,
    text: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.lessonId = from.text(from.end(end));
        break;
      case 18:
        m.kind = from.text(from.end(end));
        break;
      case 24:
        m.version = readInt32(from);
        break;
      case 34:
        m.text = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGivenSteps(reading: Reading, end: number, depth: number): GivenSteps {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GivenSteps = {
    $typeName: "vasini.agent.v1.GivenSteps",
    count: 0,
    steps: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.count = readInt32(from);
        break;
      case 18:
        countElement(reading);
        m.steps.push(readStep(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGovernance(reading: Reading, end: number, depth: number): Governance {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Governance = {
    $typeName: "vasini.agent.v1.Governance",
    sapVersion: "",
    taskId: "",
    parentTaskId: "",
    correlationId: "",
    capability: "",
    packId: "",
    territory: "",
    principles: [],
    pressure: [],
    constraints: [],
    pressureLevel: 0,
    riskTolerance: 0,
    replyTo: [],
    attachments: [],
    references: [],
    outputFormat: "",
    tags: [],
    deepTrace: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.sapVersion = from.text(from.end(end));
        break;
      case 18:
        m.taskId = from.text(from.end(end));
        break;
      case 26:
        m.parentTaskId = from.text(from.end(end));
        break;
      case 34:
        m.correlationId = from.text(from.end(end));
        break;
      case 42:
        if (m.issuedAt !== undefined) throw notPlain;
        countElement(reading);
        m.issuedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 50:
        if (m.issuer !== undefined) throw notPlain;
        countElement(reading);
        m.issuer = readTaskIssuer(reading, from.end(end), depth + 1);
        break;
      case 58:
        m.capability = from.text(from.end(end));
        break;
      case 66:
        m.packId = from.text(from.end(end));
        break;
      case 74:
        m.territory = from.text(from.end(end));
        break;
      case 82:
        countElement(reading);
        m.principles.push(from.text(from.end(end)));
        break;
      case 90:
        countElement(reading);
        m.pressure.push(readPressureReading(reading, from.end(end), depth + 1));
        break;
      case 98:
        countElement(reading);
        m.constraints.push(from.text(from.end(end)));
        break;
      case 104:
        m.pressureLevel = readInt32(from);
        break;
      case 112:
        m.riskTolerance = readInt32(from);
        break;
      case 122:
        if (m.cachePolicy !== undefined) throw notPlain;
        countElement(reading);
        m.cachePolicy = readCachePolicy(reading, from.end(end), depth + 1);
        break;
      case 130:
        countElement(reading);
        m.replyTo.push(from.text(from.end(end)));
        break;
      case 138:
        countElement(reading);
        m.attachments.push(readTaskAttachment(reading, from.end(end), depth + 1));
        break;
      case 146:
        countElement(reading);
        m.references.push(from.text(from.end(end)));
        break;
      case 154:
        if (m.outputSchema !== undefined) throw notPlain;
        countElement(reading);
        m.outputSchema = readData(reading, from.end(end), depth + 1);
        break;
      case 162:
        m.outputFormat = from.text(from.end(end));
        break;
      case 170:
        countElement(reading);
        m.tags.push(from.text(from.end(end)));
        break;
      case 176:
        m.deepTrace = from.varint() !== 0;
        break;
      case 186:
        if (m.rest !== undefined) throw notPlain;
        countElement(reading);
        m.rest = readData(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGuardrailSnapshot(reading: Reading, end: number, depth: number): GuardrailSnapshot {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GuardrailSnapshot = {
    $typeName: "vasini.agent.v1.GuardrailSnapshot",
    verdicts: [],
    blocked: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.verdicts.push(readGuardrailVerdict(reading, from.end(end), depth + 1));
        break;
      case 16:
        m.blocked = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readGuardrailVerdict(reading: Reading, end: number, depth: number): GuardrailVerdict {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: GuardrailVerdict = {
    $typeName: "vasini.agent.v1.GuardrailVerdict",
    name: "",
    decision: 0,
    rule: "",
    reason: "",
    path: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.name = from.text(from.end(end));
        break;
      case 16:
        m.decision = readInt32(from);
        break;
      case 26:
        m.rule = from.text(from.end(end));
        break;
      case 34:
        m.reason = from.text(from.end(end));
        break;
      case 42:
        m.path = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readHandoffPolicy(reading: Reading, end: number, depth: number): HandoffPolicy {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: HandoffPolicy = {
    $typeName: "vasini.agent.v1.HandoffPolicy",
    contextLevel: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.contextLevel = readInt32(from);
        break;
      case 18:
        if (m.escalation !== undefined) throw notPlain;
        countElement(reading);
        m.escalation = readEscalationPolicy(reading, from.end(end), depth + 1);
        break;
      case 26:
        if (m.retry !== undefined) throw notPlain;
        countElement(reading);
        m.retry = readRetryPolicy(reading, from.end(end), depth + 1);
        break;
      case 34:
        if (m.freshness !== undefined) throw notPlain;
        countElement(reading);
        m.freshness = readFreshnessPolicy(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readHeldDispatch(reading: Reading, end: number, depth: number): HeldDispatch {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: HeldDispatch = {
    $typeName: "vasini.agent.v1.HeldDispatch",
    dispatchId: "",
    attemptNumber: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.dispatchId = from.text(from.end(end));
        break;
      case 16:
        m.attemptNumber = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readHeuristics(reading: Reading, end: number, depth: number): Heuristics {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Heuristics = {
    $typeName: "vasini.agent.v1.Heuristics",
    version: 0n,
    essence: [],
    harmlessTools: [],
    reason: "",
    by: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.version = BigInt(from.varint());
        break;
      case 18:
        countElement(reading);
        m.essence.push(readEssenceRule(reading, from.end(end), depth + 1));
        break;
      case 26:
        countElement(reading);
        m.harmlessTools.push(from.text(from.end(end)));
        break;
      case 34:
        m.reason = from.text(from.end(end));
        break;
      case 42:
        m.by = from.text(from.end(end));
        break;
      case 50:
        if (m.at !== undefined) throw notPlain;
        countElement(reading);
        m.at = readTimestamp(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readIOContract(reading: Reading, end: number, depth: number): IOContract {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: IOContract = {
    $typeName: "vasini.agent.v1.IOContract",
    dependencies: [],
    artifacts: [],
    expectedInterfaces: [],
    breakingChange: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.dependencies.push(from.text(from.end(end)));
        break;
      case 18:
        countElement(reading);
        m.artifacts.push(from.text(from.end(end)));
        break;
      case 26:
        countElement(reading);
        m.expectedInterfaces.push(from.text(from.end(end)));
        break;
      case 32:
        m.breakingChange = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readInclusionProof(reading: Reading, end: number, depth: number): InclusionProof {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: InclusionProof = {
    $typeName: "vasini.agent.v1.InclusionProof",
    leafIndex: 0n,
    hashes: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.leafIndex = BigInt(from.varint());
        break;
      case 18:
        countElement(reading);
        m.hashes.push(from.bytes(from.end(end)));
        break;
      case 26:
        if (m.checkpoint !== undefined) throw notPlain;
        countElement(reading);
        m.checkpoint = readAuditCheckpoint(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readInterfaceContract(reading: Reading, end: number, depth: number): InterfaceContract {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: InterfaceContract = {
    $typeName: "vasini.agent.v1.InterfaceContract",
    supportedSchemaVersions: [],
    acceptedRiskTiers: [],
    maxConcurrentTasks: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.supportedSchemaVersions.push(from.text(from.end(end)));
        break;
      case 18:
        countElement(reading);
        m.acceptedRiskTiers.push(from.text(from.end(end)));
        break;
      case 24:
        m.maxConcurrentTasks = readInt32(from);
        break;
      case 34:
        if (m.maxTaskDuration !== undefined) throw notPlain;
        countElement(reading);
        m.maxTaskDuration = readDuration(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readLabel(reading: Reading, end: number, depth: number): Label {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Label = {
    $typeName: "vasini.agent.v1.Label",
    name: "",
    value: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.name = from.text(from.end(end));
        break;
      case 18:
        m.value = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readLabelPipelineRequest(reading: Reading, end: number, depth: number): LabelPipelineRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: LabelPipelineRequest = {
    $typeName: "vasini.agent.v1.LabelPipelineRequest",
    pipelineId: "",
    labels: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        countElement(reading);
        m.labels.push(readLabel(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readLabelPipelineResponse(reading: Reading, end: number, depth: number): LabelPipelineResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: LabelPipelineResponse = {
    $typeName: "vasini.agent.v1.LabelPipelineResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.pipeline !== undefined) throw notPlain;
        countElement(reading);
        m.pipeline = readPipeline(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readLeftOutPart(reading: Reading, end: number, depth: number): LeftOutPart {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: LeftOutPart = {
    $typeName: "vasini.agent.v1.LeftOutPart",
    part: 0,
    bytes: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.part = readInt32(from);
        break;
      case 16:
        m.bytes = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readLesson(reading: Reading, end: number, depth: number): Lesson {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Lesson = {
    $typeName: "vasini.agent.v1.Lesson",
    lessonId: "",
    kind: 0,
    version: 0,
    text: "",
    capability: "",
    territory: "",
    fingerprint: "",
    sourcePipelineId: "",
    by: "",
    withdrawnReason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.lessonId = from.text(from.end(end));
        break;
      case 16:
        m.kind = readInt32(from);
        break;
      case 24:
        m.version = readInt32(from);
        break;
      case 34:
        m.text = from.text(from.end(end));
        break;
      case 42:
        m.capability = from.text(from.end(end));
        break;
      case 50:
        m.territory = from.text(from.end(end));
        break;
      case 58:
        m.fingerprint = from.text(from.end(end));
        break;
      case 66:
        m.sourcePipelineId = from.text(from.end(end));
        break;
      case 74:
        m.by = from.text(from.end(end));
        break;
      case 82:
        if (m.at !== undefined) throw notPlain;
        countElement(reading);
        m.at = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 90:
        m.withdrawnReason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readLessonEffect(reading: Reading, end: number, depth: number): LessonEffect {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: LessonEffect = {
    $typeName: "vasini.agent.v1.LessonEffect",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.lesson !== undefined) throw notPlain;
        countElement(reading);
        m.lesson = readLesson(reading, from.end(end), depth + 1);
        break;
      case 18:
        if (m.withLessons !== undefined) throw notPlain;
        countElement(reading);
        m.withLessons = readRatedOutcomes(reading, from.end(end), depth + 1);
        break;
      case 26:
        if (m.withoutLessons !== undefined) throw notPlain;
        countElement(reading);
        m.withoutLessons = readRatedOutcomes(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readListAgentsRequest(reading: Reading, end: number, depth: number): ListAgentsRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ListAgentsRequest = {
    $typeName: "vasini.agent.v1.ListAgentsRequest",
    pageSize: 0,
    pageToken: "",
    filter: "",
    orderBy: "",
    recentAttempts: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.pageSize = readInt32(from);
        break;
      case 18:
        m.pageToken = from.text(from.end(end));
        break;
      case 26:
        m.filter = from.text(from.end(end));
        break;
      case 34:
        m.orderBy = from.text(from.end(end));
        break;
      case 40:
        m.recentAttempts = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readListAgentsResponse(reading: Reading, end: number, depth: number): ListAgentsResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ListAgentsResponse = {
    $typeName: "vasini.agent.v1.ListAgentsResponse",
    agents: [],
    nextPageToken: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.agents.push(readAgentInstance(reading, from.end(end), depth + 1));
        break;
      case 18:
        m.nextPageToken = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readListAuditEntriesRequest(reading: Reading, end: number, depth: number): ListAuditEntriesRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ListAuditEntriesRequest = {
    $typeName: "vasini.agent.v1.ListAuditEntriesRequest",
    pageSize: 0,
    pageToken: "",
    filter: "",
    orderBy: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.pageSize = readInt32(from);
        break;
      case 18:
        m.pageToken = from.text(from.end(end));
        break;
      case 26:
        m.filter = from.text(from.end(end));
        break;
      case 34:
        m.orderBy = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readListAuditEntriesResponse(reading: Reading, end: number, depth: number): ListAuditEntriesResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ListAuditEntriesResponse = {
    $typeName: "vasini.agent.v1.ListAuditEntriesResponse",
    entries: [],
    nextPageToken: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.entries.push(readAuditEntry(reading, from.end(end), depth + 1));
        break;
      case 18:
        m.nextPageToken = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readListCacheRecordsRequest(reading: Reading, end: number, depth: number): ListCacheRecordsRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ListCacheRecordsRequest = {
    $typeName: "vasini.agent.v1.ListCacheRecordsRequest",
    cacheKey: "",
    pageSize: 0,
    pageToken: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.cacheKey = from.text(from.end(end));
        break;
      case 16:
        m.pageSize = readInt32(from);
        break;
      case 26:
        m.pageToken = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readListCacheRecordsResponse(reading: Reading, end: number, depth: number): ListCacheRecordsResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ListCacheRecordsResponse = {
    $typeName: "vasini.agent.v1.ListCacheRecordsResponse",
    records: [],
    nextPageToken: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.records.push(readCacheRecord(reading, from.end(end), depth + 1));
        break;
      case 18:
        m.nextPageToken = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readListEscalationsRequest(reading: Reading, end: number, depth: number): ListEscalationsRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ListEscalationsRequest = {
    $typeName: "vasini.agent.v1.ListEscalationsRequest",
    pageSize: 0,
    pageToken: "",
    filter: "",
    orderBy: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.pageSize = readInt32(from);
        break;
      case 18:
        m.pageToken = from.text(from.end(end));
        break;
      case 26:
        m.filter = from.text(from.end(end));
        break;
      case 34:
        m.orderBy = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readListEscalationsResponse(reading: Reading, end: number, depth: number): ListEscalationsResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ListEscalationsResponse = {
    $typeName: "vasini.agent.v1.ListEscalationsResponse",
    escalations: [],
    nextPageToken: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.escalations.push(readEscalation(reading, from.end(end), depth + 1));
        break;
      case 18:
        m.nextPageToken = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readListLessonsRequest(reading: Reading, end: number, depth: number): ListLessonsRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ListLessonsRequest = {
    $typeName: "vasini.agent.v1.ListLessonsRequest",
  };
  while (from.at < end) {
    switch (from.varint()) {
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readListLessonsResponse(reading: Reading, end: number, depth: number): ListLessonsResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ListLessonsResponse = {
    $typeName: "vasini.agent.v1.ListLessonsResponse",
    lessons: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.lessons.push(readLessonEffect(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readListPinnedToolsRequest(reading: Reading, end: number, depth: number): ListPinnedToolsRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ListPinnedToolsRequest = {
    $typeName: "vasini.agent.v1.ListPinnedToolsRequest",
    packId: "",
    changedOnly: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.packId = from.text(from.end(end));
        break;
      case 16:
        m.changedOnly = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readListPinnedToolsResponse(reading: Reading, end: number, depth: number): ListPinnedToolsResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ListPinnedToolsResponse = {
    $typeName: "vasini.agent.v1.ListPinnedToolsResponse",
    tools: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.tools.push(readPinnedTool(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readListPipelinesRequest(reading: Reading, end: number, depth: number): ListPipelinesRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ListPipelinesRequest = {
    $typeName: "vasini.agent.v1.ListPipelinesRequest",
    pageSize: 0,
    pageToken: "",
    filter: "",
    orderBy: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.pageSize = readInt32(from);
        break;
      case 18:
        m.pageToken = from.text(from.end(end));
        break;
      case 26:
        m.filter = from.text(from.end(end));
        break;
      case 34:
        m.orderBy = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readListPipelinesResponse(reading: Reading, end: number, depth: number): ListPipelinesResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ListPipelinesResponse = {
    $typeName: "vasini.agent.v1.ListPipelinesResponse",
    pipelines: [],
    nextPageToken: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.pipelines.push(readPipeline(reading, from.end(end), depth + 1));
        break;
      case 18:
        m.nextPageToken = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readListSignalsRequest(reading: Reading, end: number, depth: number): ListSignalsRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ListSignalsRequest = {
    $typeName: "vasini.agent.v1.ListSignalsRequest",
    pageSize: 0,
    pageToken: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.pageSize = readInt32(from);
        break;
      case 18:
        m.pageToken = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readListSignalsResponse(reading: Reading, end: number, depth: number): ListSignalsResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ListSignalsResponse = {
    $typeName: "vasini.agent.v1.ListSignalsResponse",
    signals: [],
    nextPageToken: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.signals.push(readSignal(reading, from.end(end), depth + 1));
        break;
      case 18:
        m.nextPageToken = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readListStepsRequest(reading: Reading, end: number, depth: number): ListStepsRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ListStepsRequest = {
    $typeName: "vasini.agent.v1.ListStepsRequest",
    packId: "",
    instanceId: "",
    dispatchId: "",
    after: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.packId = from.text(from.end(end));
        break;
      case 18:
        m.instanceId = from.text(from.end(end));
        break;
      case 26:
        m.dispatchId = from.text(from.end(end));
        break;
      case 32:
        m.after = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readListStepsResponse(reading: Reading, end: number, depth: number): ListStepsResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ListStepsResponse = {
    $typeName: "vasini.agent.v1.ListStepsResponse",
    steps: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.steps.push(readStep(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readModelUsage(reading: Reading, end: number, depth: number): ModelUsage {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ModelUsage = {
    $typeName: "vasini.agent.v1.ModelUsage",
    provider: "",
    model: "",
    calls: 0,
    inputTokens: 0n,
    outputTokens: 0n,
    cacheReadTokens: 0n,
    cacheWriteTokens: 0n,
    reasoningTokens: 0n,
    costMicroUsd: 0n,
    costUnknown: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.provider = from.text(from.end(end));
        break;
      case 18:
        m.model = from.text(from.end(end));
        break;
      case 24:
        m.calls = readInt32(from);
        break;
      case 32:
        m.inputTokens = BigInt(from.varint());
        break;
      case 40:
        m.outputTokens = BigInt(from.varint());
        break;
      case 48:
        m.cacheReadTokens = BigInt(from.varint());
        break;
      case 56:
        m.cacheWriteTokens = BigInt(from.varint());
        break;
      case 64:
        m.reasoningTokens = BigInt(from.varint());
        break;
      case 72:
        m.costMicroUsd = BigInt(from.varint());
        break;
      case 80:
        m.costUnknown = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readOverrideStageRequest(reading: Reading, end: number, depth: number): OverrideStageRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: OverrideStageRequest = {
    $typeName: "vasini.agent.v1.OverrideStageRequest",
    pipelineId: "",
    stageId: "",
    reason: "",
    result: { case: undefined },
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        m.stageId = from.text(from.end(end));
        break;
      case 26:
        m.reason = from.text(from.end(end));
        break;
      case 34:
        if (m.result.case !== undefined) throw notPlain;
        countElement(reading);
        m.result = { case: "accepted", value: readAcceptedResult(reading, from.end(end), depth + 1) };
        break;
      case 42:
        if (m.result.case !== undefined) throw notPlain;
        countElement(reading);
        m.result = { case: "provided", value: readProvidedResult(reading, from.end(end), depth + 1) };
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readOverrideStageResponse(reading: Reading, end: number, depth: number): OverrideStageResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: OverrideStageResponse = {
    $typeName: "vasini.agent.v1.OverrideStageResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.pipeline !== undefined) throw notPlain;
        countElement(reading);
        m.pipeline = readPipeline(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readPausePipelineRequest(reading: Reading, end: number, depth: number): PausePipelineRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: PausePipelineRequest = {
    $typeName: "vasini.agent.v1.PausePipelineRequest",
    pipelineId: "",
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readPausePipelineResponse(reading: Reading, end: number, depth: number): PausePipelineResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: PausePipelineResponse = {
    $typeName: "vasini.agent.v1.PausePipelineResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.pipeline !== undefined) throw notPlain;
        countElement(reading);
        m.pipeline = readPipeline(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readPinToolsRequest(reading: Reading, end: number, depth: number): PinToolsRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: PinToolsRequest = {
    $typeName: "vasini.agent.v1.PinToolsRequest",
    packId: "",
    instanceId: "",
    tools: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.packId = from.text(from.end(end));
        break;
      case 18:
        m.instanceId = from.text(from.end(end));
        break;
      case 26:
        countElement(reading);
        m.tools.push(readToolPin(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readPinToolsResponse(reading: Reading, end: number, depth: number): PinToolsResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: PinToolsResponse = {
    $typeName: "vasini.agent.v1.PinToolsResponse",
    accepted: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.accepted.push(from.text(from.end(end)));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readPinnedTool(reading: Reading, end: number, depth: number): PinnedTool {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: PinnedTool = {
    $typeName: "vasini.agent.v1.PinnedTool",
    packId: "",
    name: "",
    digest: "",
    definitionJson: "",
    acceptedBy: "",
    changedDigest: "",
    changedDefinitionJson: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.packId = from.text(from.end(end));
        break;
      case 18:
        m.name = from.text(from.end(end));
        break;
      case 26:
        m.digest = from.text(from.end(end));
        break;
      case 34:
        m.definitionJson = from.text(from.end(end));
        break;
      case 42:
        if (m.acceptedAt !== undefined) throw notPlain;
        countElement(reading);
        m.acceptedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 50:
        m.acceptedBy = from.text(from.end(end));
        break;
      case 58:
        m.changedDigest = from.text(from.end(end));
        break;
      case 66:
        m.changedDefinitionJson = from.text(from.end(end));
        break;
      case 74:
        if (m.changedAt !== undefined) throw notPlain;
        countElement(reading);
        m.changedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readPipeline(reading: Reading, end: number, depth: number): Pipeline {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Pipeline = {
    $typeName: "vasini.agent.v1.Pipeline",
    pipelineId: "",
    pipelineName: "",
    sourceTaskId: "",
    status: 0,
    stages: [],
    templateId: "",
    statusReason: "",
    revision: 0n,
    waitsForPerson: false,
    labels: [],
    riskTier: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        m.pipelineName = from.text(from.end(end));
        break;
      case 26:
        m.sourceTaskId = from.text(from.end(end));
        break;
      case 32:
        m.status = readInt32(from);
        break;
      case 42:
        countElement(reading);
        m.stages.push(readStage(reading, from.end(end), depth + 1));
        break;
      case 50:
        if (m.trace !== undefined) throw notPlain;
        countElement(reading);
        m.trace = readTraceContext(reading, from.end(end), depth + 1);
        break;
      case 58:
        if (m.policy !== undefined) throw notPlain;
        countElement(reading);
        m.policy = readPipelinePolicy(reading, from.end(end), depth + 1);
        break;
      case 66:
        if (m.createdAt !== undefined) throw notPlain;
        countElement(reading);
        m.createdAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 74:
        if (m.updatedAt !== undefined) throw notPlain;
        countElement(reading);
        m.updatedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 130:
        m.templateId = from.text(from.end(end));
        break;
      case 138:
        m.statusReason = from.text(from.end(end));
        break;
      case 146:
        if (m.summary !== undefined) throw notPlain;
        countElement(reading);
        m.summary = readPipelineSummary(reading, from.end(end), depth + 1);
        break;
      case 152:
        m.revision = BigInt(from.varint());
        break;
      case 162:
        if (m.origin !== undefined) throw notPlain;
        countElement(reading);
        m.origin = readPipelineOrigin(reading, from.end(end), depth + 1);
        break;
      case 168:
        m.waitsForPerson = from.varint() !== 0;
        break;
      case 176:
        m.rejectionsLeft = readInt32(from);
        break;
      case 186:
        countElement(reading);
        m.labels.push(readLabel(reading, from.end(end), depth + 1));
        break;
      case 192:
        m.riskTier = readInt32(from);
        break;
      case 202:
        if (m.governance !== undefined) throw notPlain;
        countElement(reading);
        m.governance = readGovernance(reading, from.end(end), depth + 1);
        break;
      case 210:
        if (m.alignment !== undefined) throw notPlain;
        countElement(reading);
        m.alignment = readAlignmentReport(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readPipelineOrigin(reading: Reading, end: number, depth: number): PipelineOrigin {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: PipelineOrigin = {
    $typeName: "vasini.agent.v1.PipelineOrigin",
    pipelineId: "",
    stageId: "",
    revision: 0n,
    reason: "",
    takenStages: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        m.stageId = from.text(from.end(end));
        break;
      case 24:
        m.revision = BigInt(from.varint());
        break;
      case 34:
        m.reason = from.text(from.end(end));
        break;
      case 42:
        countElement(reading);
        m.takenStages.push(from.text(from.end(end)));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readPipelinePlan(reading: Reading, end: number, depth: number): PipelinePlan {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: PipelinePlan = {
    $typeName: "vasini.agent.v1.PipelinePlan",
    name: "",
    stages: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.name = from.text(from.end(end));
        break;
      case 18:
        countElement(reading);
        m.stages.push(readStage(reading, from.end(end), depth + 1));
        break;
      case 26:
        if (m.policy !== undefined) throw notPlain;
        countElement(reading);
        m.policy = readPipelinePolicy(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readPipelinePolicy(reading: Reading, end: number, depth: number): PipelinePolicy {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: PipelinePolicy = {
    $typeName: "vasini.agent.v1.PipelinePolicy",
    maxTotalRetries: 0,
    maxRejections: 0,
    failureStrategy: 0,
    requireAllStages: false,
    serial: false,
    softDeadline: false,
    noRetries: false,
    noRejections: false,
    parallel: false,
    hardDeadline: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.maxTotalRetries = readInt32(from);
        break;
      case 16:
        m.maxRejections = readInt32(from);
        break;
      case 26:
        if (m.pipelineDeadline !== undefined) throw notPlain;
        countElement(reading);
        m.pipelineDeadline = readDuration(reading, from.end(end), depth + 1);
        break;
      case 32:
        m.failureStrategy = readInt32(from);
        break;
      case 40:
        m.requireAllStages = from.varint() !== 0;
        break;
      case 88:
        m.serial = from.varint() !== 0;
        break;
      case 96:
        m.softDeadline = from.varint() !== 0;
        break;
      case 106:
        if (m.budget !== undefined) throw notPlain;
        countElement(reading);
        m.budget = readBudget(reading, from.end(end), depth + 1);
        break;
      case 112:
        m.noRetries = from.varint() !== 0;
        break;
      case 120:
        m.noRejections = from.varint() !== 0;
        break;
      case 128:
        m.parallel = from.varint() !== 0;
        break;
      case 136:
        m.hardDeadline = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readPipelineSnapshot(reading: Reading, end: number, depth: number): PipelineSnapshot {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: PipelineSnapshot = {
    $typeName: "vasini.agent.v1.PipelineSnapshot",
    templateId: "",
    stageCount: 0,
    rewoundFrom: 0n,
    rewoundTo: 0n,
    discarded: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.templateId = from.text(from.end(end));
        break;
      case 16:
        m.stageCount = readInt32(from);
        break;
      case 26:
        if (m.policy !== undefined) throw notPlain;
        countElement(reading);
        m.policy = readPipelinePolicy(reading, from.end(end), depth + 1);
        break;
      case 34:
        if (m.summary !== undefined) throw notPlain;
        countElement(reading);
        m.summary = readPipelineSummary(reading, from.end(end), depth + 1);
        break;
      case 40:
        m.rewoundFrom = BigInt(from.varint());
        break;
      case 48:
        m.rewoundTo = BigInt(from.varint());
        break;
      case 58:
        countElement(reading);
        m.discarded.push(from.text(from.end(end)));
        break;
      case 66:
        if (m.origin !== undefined) throw notPlain;
        countElement(reading);
        m.origin = readPipelineOrigin(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readPipelineSummary(reading: Reading, end: number, depth: number): PipelineSummary {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: PipelineSummary = {
    $typeName: "vasini.agent.v1.PipelineSummary",
    artifacts: [],
    decisions: [],
    risks: [],
    stagesCompleted: 0,
    stagesSkipped: 0,
    totalRetries: 0,
    totalRejections: 0,
    leftOut: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.artifacts.push(readArtifact(reading, from.end(end), depth + 1));
        break;
      case 18:
        countElement(reading);
        m.decisions.push(readDecision(reading, from.end(end), depth + 1));
        break;
      case 26:
        countElement(reading);
        m.risks.push(from.text(from.end(end)));
        break;
      case 34:
        if (m.timing !== undefined) throw notPlain;
        countElement(reading);
        m.timing = readResultTiming(reading, from.end(end), depth + 1);
        break;
      case 40:
        m.stagesCompleted = readInt32(from);
        break;
      case 48:
        m.stagesSkipped = readInt32(from);
        break;
      case 56:
        m.totalRetries = readInt32(from);
        break;
      case 64:
        m.totalRejections = readInt32(from);
        break;
      case 74:
        if (m.usage !== undefined) throw notPlain;
        countElement(reading);
        m.usage = readUsage(reading, from.end(end), depth + 1);
        break;
      case 80:
        m.leftOut = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readPolicyCheck(reading: Reading, end: number, depth: number): PolicyCheck {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: PolicyCheck = {
    $typeName: "vasini.agent.v1.PolicyCheck",
    principle: "",
    check: "",
    kind: "",
    status: 0,
    notes: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.principle = from.text(from.end(end));
        break;
      case 18:
        m.check = from.text(from.end(end));
        break;
      case 26:
        m.kind = from.text(from.end(end));
        break;
      case 32:
        m.status = readInt32(from);
        break;
      case 42:
        m.notes = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readPressureReading(reading: Reading, end: number, depth: number): PressureReading {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: PressureReading = {
    $typeName: "vasini.agent.v1.PressureReading",
    principle: "",
    psi: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.principle = from.text(from.end(end));
        break;
      case 16:
        m.psi = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readPreviewRewindRequest(reading: Reading, end: number, depth: number): PreviewRewindRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: PreviewRewindRequest = {
    $typeName: "vasini.agent.v1.PreviewRewindRequest",
    pipelineId: "",
    toRevision: 0n,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 16:
        m.toRevision = BigInt(from.varint());
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readPreviewRewindResponse(reading: Reading, end: number, depth: number): PreviewRewindResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: PreviewRewindResponse = {
    $typeName: "vasini.agent.v1.PreviewRewindResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.preview !== undefined) throw notPlain;
        countElement(reading);
        m.preview = readRewindPreview(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readProtocolVersion(reading: Reading, end: number, depth: number): ProtocolVersion {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ProtocolVersion = {
    $typeName: "vasini.agent.v1.ProtocolVersion",
    schemaVersion: "",
    policyVersion: "",
    capabilitySchemaVersion: "",
    packVersion: "",
    minOrchestratorVersion: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.schemaVersion = from.text(from.end(end));
        break;
      case 18:
        m.policyVersion = from.text(from.end(end));
        break;
      case 26:
        m.capabilitySchemaVersion = from.text(from.end(end));
        break;
      case 34:
        m.packVersion = from.text(from.end(end));
        break;
      case 42:
        m.minOrchestratorVersion = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readProvidedResult(reading: Reading, end: number, depth: number): ProvidedResult {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ProvidedResult = {
    $typeName: "vasini.agent.v1.ProvidedResult",
    summary: "",
    commitSha: "",
    artifacts: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.summary = from.text(from.end(end));
        break;
      case 18:
        m.commitSha = from.text(from.end(end));
        break;
      case 26:
        countElement(reading);
        m.artifacts.push(readArtifact(reading, from.end(end), depth + 1));
        break;
      case 34:
        if (m.contextOut !== undefined) throw notPlain;
        countElement(reading);
        m.contextOut = readContextOut(reading, from.end(end), depth + 1);
        break;
      case 42:
        if (m.data !== undefined) throw notPlain;
        countElement(reading);
        m.data = readData(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRaiseSpendLimitRequest(reading: Reading, end: number, depth: number): RaiseSpendLimitRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RaiseSpendLimitRequest = {
    $typeName: "vasini.agent.v1.RaiseSpendLimitRequest",
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.tokens = BigInt(from.varint());
        break;
      case 16:
        m.costMicroUsd = BigInt(from.varint());
        break;
      case 26:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRaiseSpendLimitResponse(reading: Reading, end: number, depth: number): RaiseSpendLimitResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RaiseSpendLimitResponse = {
    $typeName: "vasini.agent.v1.RaiseSpendLimitResponse",
    limits: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.limits.push(readTenantSpendLimit(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRatedOutcomes(reading: Reading, end: number, depth: number): RatedOutcomes {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RatedOutcomes = {
    $typeName: "vasini.agent.v1.RatedOutcomes",
    count: 0,
    meanRating: 0,
    approved: 0,
    rejected: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.count = readInt32(from);
        break;
      case 17:
        m.meanRating = from.double();
        break;
      case 24:
        m.approved = readInt32(from);
        break;
      case 32:
        m.rejected = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRef(reading: Reading, end: number, depth: number): Ref {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Ref = {
    $typeName: "vasini.agent.v1.Ref",
    uriOrLocator: "",
    versionOrSha: "",
    digest: "",
    refType: 0,
    degraded: false,
    degradedReason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.uriOrLocator = from.text(from.end(end));
        break;
      case 18:
        m.versionOrSha = from.text(from.end(end));
        break;
      case 26:
        m.digest = from.text(from.end(end));
        break;
      case 34:
        if (m.fetchedAt !== undefined) throw notPlain;
        countElement(reading);
        m.fetchedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 40:
        m.refType = readInt32(from);
        break;
      case 72:
        m.degraded = from.varint() !== 0;
        break;
      case 82:
        m.degradedReason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRefFreshnessCheck(reading: Reading, end: number, depth: number): RefFreshnessCheck {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RefFreshnessCheck = {
    $typeName: "vasini.agent.v1.RefFreshnessCheck",
    uriOrLocator: "",
    wasStale: false,
    refreshSucceeded: false,
    dispatchedWithDegraded: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.uriOrLocator = from.text(from.end(end));
        break;
      case 16:
        m.wasStale = from.varint() !== 0;
        break;
      case 24:
        m.refreshSucceeded = from.varint() !== 0;
        break;
      case 32:
        m.dispatchedWithDegraded = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRegisterAgentRequest(reading: Reading, end: number, depth: number): RegisterAgentRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RegisterAgentRequest = {
    $typeName: "vasini.agent.v1.RegisterAgentRequest",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.manifest !== undefined) throw notPlain;
        countElement(reading);
        m.manifest = readAgentManifest(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRegisterAgentResponse(reading: Reading, end: number, depth: number): RegisterAgentResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RegisterAgentResponse = {
    $typeName: "vasini.agent.v1.RegisterAgentResponse",
    alreadyRegistered: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.alreadyRegistered = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readReportStepRequest(reading: Reading, end: number, depth: number): ReportStepRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ReportStepRequest = {
    $typeName: "vasini.agent.v1.ReportStepRequest",
    packId: "",
    instanceId: "",
    dispatchId: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.packId = from.text(from.end(end));
        break;
      case 18:
        m.instanceId = from.text(from.end(end));
        break;
      case 26:
        m.dispatchId = from.text(from.end(end));
        break;
      case 34:
        if (m.step !== undefined) throw notPlain;
        countElement(reading);
        m.step = readStep(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readReportStepResponse(reading: Reading, end: number, depth: number): ReportStepResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ReportStepResponse = {
    $typeName: "vasini.agent.v1.ReportStepResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRerunPipelineRequest(reading: Reading, end: number, depth: number): RerunPipelineRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RerunPipelineRequest = {
    $typeName: "vasini.agent.v1.RerunPipelineRequest",
    pipelineId: "",
    stageId: "",
    idempotencyKey: "",
    reason: "",
    mergeInputs: false,
    instructions: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        m.stageId = from.text(from.end(end));
        break;
      case 26:
        m.idempotencyKey = from.text(from.end(end));
        break;
      case 34:
        m.reason = from.text(from.end(end));
        break;
      case 42:
        if (m.inputs !== undefined) throw notPlain;
        countElement(reading);
        m.inputs = readData(reading, from.end(end), depth + 1);
        break;
      case 48:
        m.mergeInputs = from.varint() !== 0;
        break;
      case 58:
        countElement(reading);
        m.instructions.push(from.text(from.end(end)));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRerunPipelineResponse(reading: Reading, end: number, depth: number): RerunPipelineResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RerunPipelineResponse = {
    $typeName: "vasini.agent.v1.RerunPipelineResponse",
    existing: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.pipeline !== undefined) throw notPlain;
        countElement(reading);
        m.pipeline = readPipeline(reading, from.end(end), depth + 1);
        break;
      case 16:
        m.existing = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readResolveEscalationRequest(reading: Reading, end: number, depth: number): ResolveEscalationRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ResolveEscalationRequest = {
    $typeName: "vasini.agent.v1.ResolveEscalationRequest",
    escalationId: "",
    resolution: "",
    reason: "",
    sameCause: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.escalationId = from.text(from.end(end));
        break;
      case 18:
        m.resolution = from.text(from.end(end));
        break;
      case 26:
        m.reason = from.text(from.end(end));
        break;
      case 32:
        m.sameCause = from.varint() !== 0;
        break;
      case 42:
        if (m.arguments !== undefined) throw notPlain;
        countElement(reading);
        m.arguments = readData(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readResolveEscalationResponse(reading: Reading, end: number, depth: number): ResolveEscalationResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ResolveEscalationResponse = {
    $typeName: "vasini.agent.v1.ResolveEscalationResponse",
    alsoResolved: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.escalation !== undefined) throw notPlain;
        countElement(reading);
        m.escalation = readEscalation(reading, from.end(end), depth + 1);
        break;
      case 18:
        countElement(reading);
        m.alsoResolved.push(from.text(from.end(end)));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readResponseSnapshot(reading: Reading, end: number, depth: number): ResponseSnapshot {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ResponseSnapshot = {
    $typeName: "vasini.agent.v1.ResponseSnapshot",
    thought: "",
    status: 0,
    dataJson: "",
    message: "",
    nextStepHint: "",
    dataLeftOutChars: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.thought = from.text(from.end(end));
        break;
      case 16:
        m.status = readInt32(from);
        break;
      case 26:
        m.dataJson = from.text(from.end(end));
        break;
      case 34:
        m.message = from.text(from.end(end));
        break;
      case 42:
        m.nextStepHint = from.text(from.end(end));
        break;
      case 48:
        m.dataLeftOutChars = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRestoreAgentRequest(reading: Reading, end: number, depth: number): RestoreAgentRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RestoreAgentRequest = {
    $typeName: "vasini.agent.v1.RestoreAgentRequest",
    packId: "",
    instanceId: "",
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.packId = from.text(from.end(end));
        break;
      case 18:
        m.instanceId = from.text(from.end(end));
        break;
      case 26:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRestoreAgentResponse(reading: Reading, end: number, depth: number): RestoreAgentResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RestoreAgentResponse = {
    $typeName: "vasini.agent.v1.RestoreAgentResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.agent !== undefined) throw notPlain;
        countElement(reading);
        m.agent = readAgentInstance(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readResultSnapshot(reading: Reading, end: number, depth: number): ResultSnapshot {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ResultSnapshot = {
    $typeName: "vasini.agent.v1.ResultSnapshot",
    outcome: 0,
    confidence: 0,
    failureCode: "",
    artifactsCount: 0,
    evidenceCount: 0,
    blockersCount: 0,
    validationPassed: false,
    validationError: "",
    schemaVersionReceived: "",
    schemaVersionExpected: "",
    consecutiveInvalidResults: 0,
    rawText: "",
    notices: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.outcome = readInt32(from);
        break;
      case 16:
        m.confidence = readInt32(from);
        break;
      case 26:
        m.failureCode = from.text(from.end(end));
        break;
      case 32:
        m.artifactsCount = readInt32(from);
        break;
      case 40:
        m.evidenceCount = readInt32(from);
        break;
      case 48:
        m.blockersCount = readInt32(from);
        break;
      case 58:
        if (m.timing !== undefined) throw notPlain;
        countElement(reading);
        m.timing = readResultTiming(reading, from.end(end), depth + 1);
        break;
      case 64:
        m.validationPassed = from.varint() !== 0;
        break;
      case 74:
        m.validationError = from.text(from.end(end));
        break;
      case 82:
        m.schemaVersionReceived = from.text(from.end(end));
        break;
      case 90:
        m.schemaVersionExpected = from.text(from.end(end));
        break;
      case 128:
        m.consecutiveInvalidResults = readInt32(from);
        break;
      case 138:
        if (m.usage !== undefined) throw notPlain;
        countElement(reading);
        m.usage = readUsage(reading, from.end(end), depth + 1);
        break;
      case 146:
        m.rawText = from.text(from.end(end));
        break;
      case 154:
        countElement(reading);
        m.notices.push(from.text(from.end(end)));
        break;
      case 162:
        if (m.response !== undefined) throw notPlain;
        countElement(reading);
        m.response = readResponseSnapshot(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readResultStatus(reading: Reading, end: number, depth: number): ResultStatus {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ResultStatus = {
    $typeName: "vasini.agent.v1.ResultStatus",
    outcome: 0,
    confidence: 0,
    summary: "",
    failureCode: "",
    failureReason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.outcome = readInt32(from);
        break;
      case 16:
        m.confidence = readInt32(from);
        break;
      case 26:
        m.summary = from.text(from.end(end));
        break;
      case 34:
        m.failureCode = from.text(from.end(end));
        break;
      case 42:
        m.failureReason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readResultTiming(reading: Reading, end: number, depth: number): ResultTiming {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ResultTiming = {
    $typeName: "vasini.agent.v1.ResultTiming",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.startedAt !== undefined) throw notPlain;
        countElement(reading);
        m.startedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 18:
        if (m.finishedAt !== undefined) throw notPlain;
        countElement(reading);
        m.finishedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 26:
        if (m.duration !== undefined) throw notPlain;
        countElement(reading);
        m.duration = readDuration(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readResumePipelineRequest(reading: Reading, end: number, depth: number): ResumePipelineRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ResumePipelineRequest = {
    $typeName: "vasini.agent.v1.ResumePipelineRequest",
    pipelineId: "",
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readResumePipelineResponse(reading: Reading, end: number, depth: number): ResumePipelineResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ResumePipelineResponse = {
    $typeName: "vasini.agent.v1.ResumePipelineResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.pipeline !== undefined) throw notPlain;
        countElement(reading);
        m.pipeline = readPipeline(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRetryPolicy(reading: Reading, end: number, depth: number): RetryPolicy {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RetryPolicy = {
    $typeName: "vasini.agent.v1.RetryPolicy",
    maxAttempts: 0,
    backoffMultiplier: 0,
    jitter: 0,
    noJitter: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.maxAttempts = readInt32(from);
        break;
      case 18:
        if (m.initialBackoff !== undefined) throw notPlain;
        countElement(reading);
        m.initialBackoff = readDuration(reading, from.end(end), depth + 1);
        break;
      case 25:
        m.backoffMultiplier = from.double();
        break;
      case 34:
        if (m.maxBackoff !== undefined) throw notPlain;
        countElement(reading);
        m.maxBackoff = readDuration(reading, from.end(end), depth + 1);
        break;
      case 73:
        m.jitter = from.double();
        break;
      case 80:
        m.noJitter = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readReviewApproval(reading: Reading, end: number, depth: number): ReviewApproval {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ReviewApproval = {
    $typeName: "vasini.agent.v1.ReviewApproval",
  };
  while (from.at < end) {
    switch (from.varint()) {
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readReviewFeedback(reading: Reading, end: number, depth: number): ReviewFeedback {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ReviewFeedback = {
    $typeName: "vasini.agent.v1.ReviewFeedback",
    rejectedAttempt: 0,
    rejectedByStage: "",
    failedChecks: [],
    instructions: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.rejectedAttempt = readInt32(from);
        break;
      case 18:
        m.rejectedByStage = from.text(from.end(end));
        break;
      case 26:
        countElement(reading);
        m.failedChecks.push(readFailedCheck(reading, from.end(end), depth + 1));
        break;
      case 34:
        if (m.priorContext !== undefined) throw notPlain;
        countElement(reading);
        m.priorContext = readContextOut(reading, from.end(end), depth + 1);
        break;
      case 42:
        countElement(reading);
        m.instructions.push(from.text(from.end(end)));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readReviewRejection(reading: Reading, end: number, depth: number): ReviewRejection {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ReviewRejection = {
    $typeName: "vasini.agent.v1.ReviewRejection",
    rewindTargetStage: "",
    instructions: [],
    unfixable: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.rewindTargetStage = from.text(from.end(end));
        break;
      case 18:
        countElement(reading);
        m.instructions.push(from.text(from.end(end)));
        break;
      case 24:
        m.unfixable = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readReviewStageRequest(reading: Reading, end: number, depth: number): ReviewStageRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ReviewStageRequest = {
    $typeName: "vasini.agent.v1.ReviewStageRequest",
    pipelineId: "",
    stageId: "",
    dispatchId: "",
    reason: "",
    verdict: { case: undefined },
    reviewerPackId: "",
    reviewerInstanceId: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        m.stageId = from.text(from.end(end));
        break;
      case 26:
        m.dispatchId = from.text(from.end(end));
        break;
      case 34:
        m.reason = from.text(from.end(end));
        break;
      case 42:
        if (m.verdict.case !== undefined) throw notPlain;
        countElement(reading);
        m.verdict = { case: "approval", value: readReviewApproval(reading, from.end(end), depth + 1) };
        break;
      case 50:
        if (m.verdict.case !== undefined) throw notPlain;
        countElement(reading);
        m.verdict = { case: "rejection", value: readReviewRejection(reading, from.end(end), depth + 1) };
        break;
      case 58:
        m.reviewerPackId = from.text(from.end(end));
        break;
      case 66:
        m.reviewerInstanceId = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readReviewStageResponse(reading: Reading, end: number, depth: number): ReviewStageResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ReviewStageResponse = {
    $typeName: "vasini.agent.v1.ReviewStageResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.pipeline !== undefined) throw notPlain;
        countElement(reading);
        m.pipeline = readPipeline(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRevokeCacheRecordRequest(reading: Reading, end: number, depth: number): RevokeCacheRecordRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RevokeCacheRecordRequest = {
    $typeName: "vasini.agent.v1.RevokeCacheRecordRequest",
    cacheKey: "",
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.cacheKey = from.text(from.end(end));
        break;
      case 18:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRevokeCacheRecordResponse(reading: Reading, end: number, depth: number): RevokeCacheRecordResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RevokeCacheRecordResponse = {
    $typeName: "vasini.agent.v1.RevokeCacheRecordResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.record !== undefined) throw notPlain;
        countElement(reading);
        m.record = readCacheRecord(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRewindEdge(reading: Reading, end: number, depth: number): RewindEdge {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RewindEdge = {
    $typeName: "vasini.agent.v1.RewindEdge",
    condition: "",
    targetStageId: "",
    maxTimes: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.condition = from.text(from.end(end));
        break;
      case 18:
        m.targetStageId = from.text(from.end(end));
        break;
      case 24:
        m.maxTimes = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRewindPipelineRequest(reading: Reading, end: number, depth: number): RewindPipelineRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RewindPipelineRequest = {
    $typeName: "vasini.agent.v1.RewindPipelineRequest",
    pipelineId: "",
    toRevision: 0n,
    reason: "",
    discard: false,
    fromRevision: 0n,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 16:
        m.toRevision = BigInt(from.varint());
        break;
      case 26:
        m.reason = from.text(from.end(end));
        break;
      case 32:
        m.discard = from.varint() !== 0;
        break;
      case 40:
        m.fromRevision = BigInt(from.varint());
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRewindPipelineResponse(reading: Reading, end: number, depth: number): RewindPipelineResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RewindPipelineResponse = {
    $typeName: "vasini.agent.v1.RewindPipelineResponse",
    branchProblem: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.pipeline !== undefined) throw notPlain;
        countElement(reading);
        m.pipeline = readPipeline(reading, from.end(end), depth + 1);
        break;
      case 18:
        if (m.done !== undefined) throw notPlain;
        countElement(reading);
        m.done = readRewindPreview(reading, from.end(end), depth + 1);
        break;
      case 26:
        m.branchProblem = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRewindPreview(reading: Reading, end: number, depth: number): RewindPreview {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RewindPreview = {
    $typeName: "vasini.agent.v1.RewindPreview",
    fromRevision: 0n,
    toRevision: 0n,
    statusNow: 0,
    statusThen: 0,
    stages: [],
    branches: [],
    atRisk: [],
    note: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.fromRevision = BigInt(from.varint());
        break;
      case 16:
        m.toRevision = BigInt(from.varint());
        break;
      case 24:
        m.statusNow = readInt32(from);
        break;
      case 32:
        m.statusThen = readInt32(from);
        break;
      case 42:
        countElement(reading);
        m.stages.push(readStageRewind(reading, from.end(end), depth + 1));
        break;
      case 50:
        countElement(reading);
        m.branches.push(readBranchRewind(reading, from.end(end), depth + 1));
        break;
      case 58:
        countElement(reading);
        m.atRisk.push(readWorkAtRisk(reading, from.end(end), depth + 1));
        break;
      case 66:
        m.note = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRouteView(reading: Reading, end: number, depth: number): RouteView {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RouteView = {
    $typeName: "vasini.agent.v1.RouteView",
    taskType: "",
    allowedPackIds: [],
    preferredPackId: "",
    minRiskTier: 0,
    fallbackPackId: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.taskType = from.text(from.end(end));
        break;
      case 18:
        countElement(reading);
        m.allowedPackIds.push(from.text(from.end(end)));
        break;
      case 26:
        m.preferredPackId = from.text(from.end(end));
        break;
      case 32:
        m.minRiskTier = readInt32(from);
        break;
      case 42:
        m.fallbackPackId = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRouting(reading: Reading, end: number, depth: number): Routing {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Routing = {
    $typeName: "vasini.agent.v1.Routing",
    selectedPackId: "",
    candidatePackIds: [],
    routingPolicyVersion: "",
    taskType: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.selectedPackId = from.text(from.end(end));
        break;
      case 18:
        countElement(reading);
        m.candidatePackIds.push(from.text(from.end(end)));
        break;
      case 26:
        m.routingPolicyVersion = from.text(from.end(end));
        break;
      case 34:
        m.taskType = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRoutingDifference(reading: Reading, end: number, depth: number): RoutingDifference {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RoutingDifference = {
    $typeName: "vasini.agent.v1.RoutingDifference",
    dispatchId: "",
    taskType: "",
    wasPackId: "",
    wasInstanceId: "",
    wouldBePackId: "",
    wouldBeInstanceId: "",
    refused: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.dispatchId = from.text(from.end(end));
        break;
      case 18:
        m.taskType = from.text(from.end(end));
        break;
      case 26:
        m.wasPackId = from.text(from.end(end));
        break;
      case 34:
        m.wasInstanceId = from.text(from.end(end));
        break;
      case 42:
        m.wouldBePackId = from.text(from.end(end));
        break;
      case 50:
        m.wouldBeInstanceId = from.text(from.end(end));
        break;
      case 58:
        m.refused = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRoutingPolicyView(reading: Reading, end: number, depth: number): RoutingPolicyView {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RoutingPolicyView = {
    $typeName: "vasini.agent.v1.RoutingPolicyView",
    version: "",
    routes: [],
    maxGlobalQueueDepth: 0,
    maxPerPackConcurrent: 0,
    breakerErrorThreshold: 0,
    fallbackPackId: "",
    maxCandidateAgents: 0,
    requireHealthy: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.version = from.text(from.end(end));
        break;
      case 18:
        countElement(reading);
        m.routes.push(readRouteView(reading, from.end(end), depth + 1));
        break;
      case 24:
        m.maxGlobalQueueDepth = readInt32(from);
        break;
      case 32:
        m.maxPerPackConcurrent = readInt32(from);
        break;
      case 40:
        m.breakerErrorThreshold = readInt32(from);
        break;
      case 50:
        if (m.breakerWindow !== undefined) throw notPlain;
        countElement(reading);
        m.breakerWindow = readDuration(reading, from.end(end), depth + 1);
        break;
      case 58:
        if (m.breakerHalfOpenAfter !== undefined) throw notPlain;
        countElement(reading);
        m.breakerHalfOpenAfter = readDuration(reading, from.end(end), depth + 1);
        break;
      case 66:
        m.fallbackPackId = from.text(from.end(end));
        break;
      case 72:
        m.maxCandidateAgents = readInt32(from);
        break;
      case 80:
        m.requireHealthy = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRunAgentRequest(reading: Reading, end: number, depth: number): RunAgentRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RunAgentRequest = {
    $typeName: "vasini.agent.v1.RunAgentRequest",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.envelope !== undefined) throw notPlain;
        countElement(reading);
        m.envelope = readTaskEnvelope(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readRunAgentResponse(reading: Reading, end: number, depth: number): RunAgentResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: RunAgentResponse = {
    $typeName: "vasini.agent.v1.RunAgentResponse",
    message: { case: undefined },
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "turn", value: readTurnEnvelope(reading, from.end(end), depth + 1) };
        break;
      case 18:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "event", value: readEvent(reading, from.end(end), depth + 1) };
        break;
      case 26:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "result", value: asItCame(readAgentResult, reading, from.end(end), depth + 1) };
        break;
      case 34:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "step", value: readStep(reading, from.end(end), depth + 1) };
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readSafetyContext(reading: Reading, end: number, depth: number): SafetyContext {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: SafetyContext = {
    $typeName: "vasini.agent.v1.SafetyContext",
    authScopes: [],
    prohibitedActions: [],
    toolAllowlist: [],
    toolDenylist: [],
    maxAutonomousSteps: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.authScopes.push(from.text(from.end(end)));
        break;
      case 18:
        countElement(reading);
        m.prohibitedActions.push(from.text(from.end(end)));
        break;
      case 26:
        countElement(reading);
        m.toolAllowlist.push(from.text(from.end(end)));
        break;
      case 34:
        countElement(reading);
        m.toolDenylist.push(from.text(from.end(end)));
        break;
      case 40:
        m.maxAutonomousSteps = readInt32(from);
        break;
      case 50:
        if (m.securityFlags !== undefined) throw notPlain;
        countElement(reading);
        m.securityFlags = readSecurityFlags(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readSandboxPulse(reading: Reading, end: number, depth: number): SandboxPulse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: SandboxPulse = {
    $typeName: "vasini.agent.v1.SandboxPulse",
    line: "",
    masked: false,
    check: "",
    leftOut: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.line = from.text(from.end(end));
        break;
      case 16:
        m.masked = from.varint() !== 0;
        break;
      case 26:
        if (m.timestamp !== undefined) throw notPlain;
        countElement(reading);
        m.timestamp = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 34:
        m.check = from.text(from.end(end));
        break;
      case 40:
        m.leftOut = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readSecurityFlags(reading: Reading, end: number, depth: number): SecurityFlags {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: SecurityFlags = {
    $typeName: "vasini.agent.v1.SecurityFlags",
    touchesAuth: false,
    touchesSchema: false,
    touchesBilling: false,
    touchesSecrets: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.touchesAuth = from.varint() !== 0;
        break;
      case 16:
        m.touchesSchema = from.varint() !== 0;
        break;
      case 24:
        m.touchesBilling = from.varint() !== 0;
        break;
      case 32:
        m.touchesSecrets = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readSendHeartbeatRequest(reading: Reading, end: number, depth: number): SendHeartbeatRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: SendHeartbeatRequest = {
    $typeName: "vasini.agent.v1.SendHeartbeatRequest",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.heartbeat !== undefined) throw notPlain;
        countElement(reading);
        m.heartbeat = readAgentHeartbeat(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readSendHeartbeatResponse(reading: Reading, end: number, depth: number): SendHeartbeatResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: SendHeartbeatResponse = {
    $typeName: "vasini.agent.v1.SendHeartbeatResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.leaseExpiresAt !== undefined) throw notPlain;
        countElement(reading);
        m.leaseExpiresAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readSignal(reading: Reading, end: number, depth: number): Signal {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Signal = {
    $typeName: "vasini.agent.v1.Signal",
    signalId: "",
    pipelineId: "",
    capability: "",
    territory: "",
    fingerprint: "",
    rating: 0,
    note: "",
    approval: 0,
    correctionJson: "",
    by: "",
    withLessons: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.signalId = from.text(from.end(end));
        break;
      case 18:
        m.pipelineId = from.text(from.end(end));
        break;
      case 26:
        m.capability = from.text(from.end(end));
        break;
      case 34:
        m.territory = from.text(from.end(end));
        break;
      case 42:
        m.fingerprint = from.text(from.end(end));
        break;
      case 48:
        m.rating = readInt32(from);
        break;
      case 58:
        m.note = from.text(from.end(end));
        break;
      case 64:
        m.approval = readInt32(from);
        break;
      case 74:
        m.correctionJson = from.text(from.end(end));
        break;
      case 82:
        m.by = from.text(from.end(end));
        break;
      case 90:
        if (m.at !== undefined) throw notPlain;
        countElement(reading);
        m.at = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 96:
        m.withLessons = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readSkipStageRequest(reading: Reading, end: number, depth: number): SkipStageRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: SkipStageRequest = {
    $typeName: "vasini.agent.v1.SkipStageRequest",
    pipelineId: "",
    stageId: "",
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.pipelineId = from.text(from.end(end));
        break;
      case 18:
        m.stageId = from.text(from.end(end));
        break;
      case 26:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readSkipStageResponse(reading: Reading, end: number, depth: number): SkipStageResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: SkipStageResponse = {
    $typeName: "vasini.agent.v1.SkipStageResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.pipeline !== undefined) throw notPlain;
        countElement(reading);
        m.pipeline = readPipeline(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readSnippetRef(reading: Reading, end: number, depth: number): SnippetRef {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: SnippetRef = {
    $typeName: "vasini.agent.v1.SnippetRef",
    path: "",
    startLine: 0,
    endLine: 0,
    content: "",
    description: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.path = from.text(from.end(end));
        break;
      case 16:
        m.startLine = readInt32(from);
        break;
      case 24:
        m.endLine = readInt32(from);
        break;
      case 34:
        m.content = from.text(from.end(end));
        break;
      case 42:
        m.description = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readSpendRow(reading: Reading, end: number, depth: number): SpendRow {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: SpendRow = {
    $typeName: "vasini.agent.v1.SpendRow",
    day: "",
    provider: "",
    model: "",
    packId: "",
    templateId: "",
    calls: 0n,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.day = from.text(from.end(end));
        break;
      case 18:
        m.provider = from.text(from.end(end));
        break;
      case 26:
        m.model = from.text(from.end(end));
        break;
      case 34:
        m.packId = from.text(from.end(end));
        break;
      case 42:
        m.templateId = from.text(from.end(end));
        break;
      case 48:
        m.calls = BigInt(from.varint());
        break;
      case 58:
        if (m.usage !== undefined) throw notPlain;
        countElement(reading);
        m.usage = readUsage(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readStage(reading: Reading, end: number, depth: number): Stage {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Stage = {
    $typeName: "vasini.agent.v1.Stage",
    stageId: "",
    stageOrder: 0,
    stageName: "",
    taskType: "",
    status: 0,
    dispatchId: "",
    assignedPackId: "",
    attemptNumber: 0,
    assignedInstanceId: "",
    waitingFor: "",
    commit: "",
    resultLeftOutBytes: 0,
    edges: [],
    guardrails: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.stageId = from.text(from.end(end));
        break;
      case 16:
        m.stageOrder = readInt32(from);
        break;
      case 26:
        m.stageName = from.text(from.end(end));
        break;
      case 34:
        m.taskType = from.text(from.end(end));
        break;
      case 40:
        m.status = readInt32(from);
        break;
      case 50:
        if (m.config !== undefined) throw notPlain;
        countElement(reading);
        m.config = readStageConfig(reading, from.end(end), depth + 1);
        break;
      case 58:
        m.dispatchId = from.text(from.end(end));
        break;
      case 66:
        m.assignedPackId = from.text(from.end(end));
        break;
      case 72:
        m.attemptNumber = readInt32(from);
        break;
      case 82:
        if (m.result !== undefined) throw notPlain;
        countElement(reading);
        m.result = asItCame(readAgentResult, reading, from.end(end), depth + 1);
        break;
      case 130:
        m.assignedInstanceId = from.text(from.end(end));
        break;
      case 138:
        if (m.startedAt !== undefined) throw notPlain;
        countElement(reading);
        m.startedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 146:
        if (m.finishedAt !== undefined) throw notPlain;
        countElement(reading);
        m.finishedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 154:
        m.waitingFor = from.text(from.end(end));
        break;
      case 162:
        m.commit = from.text(from.end(end));
        break;
      case 170:
        if (m.workspace !== undefined) throw notPlain;
        countElement(reading);
        m.workspace = readWorkspace(reading, from.end(end), depth + 1);
        break;
      case 176:
        m.resultLeftOutBytes = readInt32(from);
        break;
      case 186:
        countElement(reading);
        m.edges.push(readEdgeDecision(reading, from.end(end), depth + 1));
        break;
      case 194:
        countElement(reading);
        m.guardrails.push(readGuardrailVerdict(reading, from.end(end), depth + 1));
        break;
      case 202:
        if (m.alignment !== undefined) throw notPlain;
        countElement(reading);
        m.alignment = readAlignmentReport(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readStageConfig(reading: Reading, end: number, depth: number): StageConfig {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: StageConfig = {
    $typeName: "vasini.agent.v1.StageConfig",
    required: false,
    dependsOnStages: [],
    condition: "",
    errorStageId: "",
    rewindEdges: [],
    riskTier: 0,
    packId: "",
    edges: [],
    join: 0,
    mayComplete: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.contractTemplate !== undefined) throw notPlain;
        countElement(reading);
        m.contractTemplate = readContract(reading, from.end(end), depth + 1);
        break;
      case 18:
        if (m.handoffPolicy !== undefined) throw notPlain;
        countElement(reading);
        m.handoffPolicy = readHandoffPolicy(reading, from.end(end), depth + 1);
        break;
      case 24:
        m.required = from.varint() !== 0;
        break;
      case 34:
        countElement(reading);
        m.dependsOnStages.push(from.text(from.end(end)));
        break;
      case 42:
        if (m.contextPropagation !== undefined) throw notPlain;
        countElement(reading);
        m.contextPropagation = readContextPropagation(reading, from.end(end), depth + 1);
        break;
      case 90:
        m.condition = from.text(from.end(end));
        break;
      case 98:
        if (m.inputMapping !== undefined) throw notPlain;
        countElement(reading);
        m.inputMapping = readData(reading, from.end(end), depth + 1);
        break;
      case 106:
        m.errorStageId = from.text(from.end(end));
        break;
      case 114:
        countElement(reading);
        m.rewindEdges.push(readRewindEdge(reading, from.end(end), depth + 1));
        break;
      case 122:
        if (m.budget !== undefined) throw notPlain;
        countElement(reading);
        m.budget = readBudget(reading, from.end(end), depth + 1);
        break;
      case 130:
        if (m.timeout !== undefined) throw notPlain;
        countElement(reading);
        m.timeout = readDuration(reading, from.end(end), depth + 1);
        break;
      case 136:
        m.riskTier = readInt32(from);
        break;
      case 146:
        if (m.outputSchema !== undefined) throw notPlain;
        countElement(reading);
        m.outputSchema = readData(reading, from.end(end), depth + 1);
        break;
      case 154:
        m.packId = from.text(from.end(end));
        break;
      case 162:
        countElement(reading);
        m.edges.push(readStageEdge(reading, from.end(end), depth + 1));
        break;
      case 168:
        m.join = readInt32(from);
        break;
      case 176:
        m.mayComplete = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readStageEdge(reading: Reading, end: number, depth: number): StageEdge {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: StageEdge = {
    $typeName: "vasini.agent.v1.StageEdge",
    fromStageId: "",
    kind: 0,
    condition: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.fromStageId = from.text(from.end(end));
        break;
      case 16:
        m.kind = readInt32(from);
        break;
      case 26:
        m.condition = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readStageRewind(reading: Reading, end: number, depth: number): StageRewind {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: StageRewind = {
    $typeName: "vasini.agent.v1.StageRewind",
    stageId: "",
    statusNow: 0,
    statusThen: 0,
    attemptNow: 0,
    attemptThen: 0,
    sentAnew: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.stageId = from.text(from.end(end));
        break;
      case 16:
        m.statusNow = readInt32(from);
        break;
      case 24:
        m.statusThen = readInt32(from);
        break;
      case 32:
        m.attemptNow = readInt32(from);
        break;
      case 40:
        m.attemptThen = readInt32(from);
        break;
      case 48:
        m.sentAnew = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readStageWait(reading: Reading, end: number, depth: number): StageWait {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: StageWait = {
    $typeName: "vasini.agent.v1.StageWait",
    stageId: "",
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.stageId = from.text(from.end(end));
        break;
      case 18:
        if (m.from !== undefined) throw notPlain;
        countElement(reading);
        m.from = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 26:
        if (m.until !== undefined) throw notPlain;
        countElement(reading);
        m.until = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 34:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readStartTenantRequest(reading: Reading, end: number, depth: number): StartTenantRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: StartTenantRequest = {
    $typeName: "vasini.agent.v1.StartTenantRequest",
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readStartTenantResponse(reading: Reading, end: number, depth: number): StartTenantResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: StartTenantResponse = {
    $typeName: "vasini.agent.v1.StartTenantResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.tenant !== undefined) throw notPlain;
        countElement(reading);
        m.tenant = readTenant(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readStep(reading: Reading, end: number, depth: number): Step {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Step = {
    $typeName: "vasini.agent.v1.Step",
    name: "",
    argumentsDigest: "",
    occurrence: 0,
    state: 0,
    valueJson: "",
    idempotent: false,
    critical: false,
    error: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.name = from.text(from.end(end));
        break;
      case 18:
        m.argumentsDigest = from.text(from.end(end));
        break;
      case 24:
        m.occurrence = readInt32(from);
        break;
      case 32:
        m.state = readInt32(from);
        break;
      case 42:
        m.valueJson = from.text(from.end(end));
        break;
      case 50:
        if (m.usage !== undefined) throw notPlain;
        countElement(reading);
        m.usage = readUsage(reading, from.end(end), depth + 1);
        break;
      case 56:
        m.idempotent = from.varint() !== 0;
        break;
      case 64:
        m.critical = from.varint() !== 0;
        break;
      case 74:
        m.error = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readStepRecord(reading: Reading, end: number, depth: number): StepRecord {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: StepRecord = {
    $typeName: "vasini.agent.v1.StepRecord",
    dispatchId: "",
    stageId: "",
    attemptNumber: 0,
    valueBytes: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.dispatchId = from.text(from.end(end));
        break;
      case 18:
        m.stageId = from.text(from.end(end));
        break;
      case 24:
        m.attemptNumber = readInt32(from);
        break;
      case 34:
        if (m.recordedAt !== undefined) throw notPlain;
        countElement(reading);
        m.recordedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 42:
        if (m.step !== undefined) throw notPlain;
        countElement(reading);
        m.step = readStep(reading, from.end(end), depth + 1);
        break;
      case 48:
        m.valueBytes = readInt32(from);
        break;
      case 58:
        if (m.withheld !== undefined) throw notPlain;
        countElement(reading);
        m.withheld = readWithheld(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readStopTenantRequest(reading: Reading, end: number, depth: number): StopTenantRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: StopTenantRequest = {
    $typeName: "vasini.agent.v1.StopTenantRequest",
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readStopTenantResponse(reading: Reading, end: number, depth: number): StopTenantResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: StopTenantResponse = {
    $typeName: "vasini.agent.v1.StopTenantResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.tenant !== undefined) throw notPlain;
        countElement(reading);
        m.tenant = readTenant(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readStructuredResponse(reading: Reading, end: number, depth: number): StructuredResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: StructuredResponse = {
    $typeName: "vasini.agent.v1.StructuredResponse",
    thought: "",
    status: 0,
    message: "",
    nextStepHint: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.thought = from.text(from.end(end));
        break;
      case 16:
        m.status = readInt32(from);
        break;
      case 26:
        if (m.data !== undefined) throw notPlain;
        countElement(reading);
        m.data = readData(reading, from.end(end), depth + 1);
        break;
      case 34:
        m.message = from.text(from.end(end));
        break;
      case 42:
        m.nextStepHint = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readSubmitTaskRequest(reading: Reading, end: number, depth: number): SubmitTaskRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: SubmitTaskRequest = {
    $typeName: "vasini.agent.v1.SubmitTaskRequest",
    idempotencyKey: "",
    plan: { case: undefined },
    refs: [],
    priority: 0,
    riskTier: 0,
    patchSizeLimit: 0,
    validateOnly: false,
    failureStrategy: 0,
    contextLevel: 0,
    labels: [],
    replyTo: [],
    replyProgress: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.idempotencyKey = from.text(from.end(end));
        break;
      case 18:
        if (m.plan.case !== undefined) throw notPlain;
        m.plan = { case: "templateId", value: from.text(from.end(end)) };
        break;
      case 26:
        if (m.plan.case !== undefined) throw notPlain;
        m.plan = { case: "taskType", value: from.text(from.end(end)) };
        break;
      case 34:
        if (m.plan.case !== undefined) throw notPlain;
        countElement(reading);
        m.plan = { case: "pipeline", value: readPipelinePlan(reading, from.end(end), depth + 1) };
        break;
      case 42:
        if (m.contract !== undefined) throw notPlain;
        countElement(reading);
        m.contract = readContract(reading, from.end(end), depth + 1);
        break;
      case 50:
        if (m.safety !== undefined) throw notPlain;
        countElement(reading);
        m.safety = readSafetyContext(reading, from.end(end), depth + 1);
        break;
      case 58:
        countElement(reading);
        m.refs.push(readRef(reading, from.end(end), depth + 1));
        break;
      case 64:
        m.priority = readInt32(from);
        break;
      case 72:
        m.riskTier = readInt32(from);
        break;
      case 82:
        if (m.deadline !== undefined) throw notPlain;
        countElement(reading);
        m.deadline = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 90:
        if (m.context !== undefined) throw notPlain;
        countElement(reading);
        m.context = readContextIn(reading, from.end(end), depth + 1);
        break;
      case 98:
        if (m.inputs !== undefined) throw notPlain;
        countElement(reading);
        m.inputs = readData(reading, from.end(end), depth + 1);
        break;
      case 106:
        if (m.workspace !== undefined) throw notPlain;
        countElement(reading);
        m.workspace = readWorkspace(reading, from.end(end), depth + 1);
        break;
      case 114:
        if (m.budget !== undefined) throw notPlain;
        countElement(reading);
        m.budget = readBudget(reading, from.end(end), depth + 1);
        break;
      case 120:
        m.patchSizeLimit = readInt32(from);
        break;
      case 128:
        m.validateOnly = from.varint() !== 0;
        break;
      case 136:
        m.failureStrategy = readInt32(from);
        break;
      case 144:
        m.contextLevel = readInt32(from);
        break;
      case 154:
        if (m.timeout !== undefined) throw notPlain;
        countElement(reading);
        m.timeout = readDuration(reading, from.end(end), depth + 1);
        break;
      case 162:
        countElement(reading);
        m.labels.push(readLabel(reading, from.end(end), depth + 1));
        break;
      case 168:
        m.maxRetries = readInt32(from);
        break;
      case 178:
        if (m.governance !== undefined) throw notPlain;
        countElement(reading);
        m.governance = readGovernance(reading, from.end(end), depth + 1);
        break;
      case 186:
        countElement(reading);
        m.replyTo.push(from.text(from.end(end)));
        break;
      case 192:
        m.replyProgress = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readSubmitTaskResponse(reading: Reading, end: number, depth: number): SubmitTaskResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: SubmitTaskResponse = {
    $typeName: "vasini.agent.v1.SubmitTaskResponse",
    existing: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.pipeline !== undefined) throw notPlain;
        countElement(reading);
        m.pipeline = readPipeline(reading, from.end(end), depth + 1);
        break;
      case 16:
        m.existing = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readTaskAttachment(reading: Reading, end: number, depth: number): TaskAttachment {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: TaskAttachment = {
    $typeName: "vasini.agent.v1.TaskAttachment",
    uri: "",
    kind: "",
    digest: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.uri = from.text(from.end(end));
        break;
      case 18:
        m.kind = from.text(from.end(end));
        break;
      case 26:
        m.digest = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readTaskEnvelope(reading: Reading, end: number, depth: number): TaskEnvelope {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: TaskEnvelope = {
    $typeName: "vasini.agent.v1.TaskEnvelope",
    refs: [],
    clarifications: [],
    mayComplete: false,
    mayRetryWithInstruction: false,
    lessons: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.protocolVersion !== undefined) throw notPlain;
        countElement(reading);
        m.protocolVersion = readProtocolVersion(reading, from.end(end), depth + 1);
        break;
      case 18:
        if (m.contract !== undefined) throw notPlain;
        countElement(reading);
        m.contract = readContract(reading, from.end(end), depth + 1);
        break;
      case 26:
        if (m.trace !== undefined) throw notPlain;
        countElement(reading);
        m.trace = readTraceContext(reading, from.end(end), depth + 1);
        break;
      case 34:
        if (m.safety !== undefined) throw notPlain;
        countElement(reading);
        m.safety = readSafetyContext(reading, from.end(end), depth + 1);
        break;
      case 42:
        countElement(reading);
        m.refs.push(readRef(reading, from.end(end), depth + 1));
        break;
      case 50:
        if (m.execution !== undefined) throw notPlain;
        countElement(reading);
        m.execution = readExecution(reading, from.end(end), depth + 1);
        break;
      case 58:
        if (m.contextIn !== undefined) throw notPlain;
        countElement(reading);
        m.contextIn = readContextIn(reading, from.end(end), depth + 1);
        break;
      case 66:
        if (m.routing !== undefined) throw notPlain;
        countElement(reading);
        m.routing = readRouting(reading, from.end(end), depth + 1);
        break;
      case 130:
        if (m.reviewFeedback !== undefined) throw notPlain;
        countElement(reading);
        m.reviewFeedback = readReviewFeedback(reading, from.end(end), depth + 1);
        break;
      case 138:
        if (m.workspace !== undefined) throw notPlain;
        countElement(reading);
        m.workspace = readWorkspace(reading, from.end(end), depth + 1);
        break;
      case 146:
        if (m.inputs !== undefined) throw notPlain;
        countElement(reading);
        m.inputs = readData(reading, from.end(end), depth + 1);
        break;
      case 154:
        countElement(reading);
        m.clarifications.push(readClarification(reading, from.end(end), depth + 1));
        break;
      case 162:
        if (m.outputSchema !== undefined) throw notPlain;
        countElement(reading);
        m.outputSchema = readData(reading, from.end(end), depth + 1);
        break;
      case 170:
        if (m.steps !== undefined) throw notPlain;
        countElement(reading);
        m.steps = readGivenSteps(reading, from.end(end), depth + 1);
        break;
      case 176:
        m.mayComplete = from.varint() !== 0;
        break;
      case 184:
        m.mayRetryWithInstruction = from.varint() !== 0;
        break;
      case 194:
        countElement(reading);
        m.lessons.push(readGivenLesson(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readTaskIssuer(reading: Reading, end: number, depth: number): TaskIssuer {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: TaskIssuer = {
    $typeName: "vasini.agent.v1.TaskIssuer",
    agentId: "",
    kind: 0,
    name: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.agentId = from.text(from.end(end));
        break;
      case 16:
        m.kind = readInt32(from);
        break;
      case 26:
        m.name = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readTaskTransition(reading: Reading, end: number, depth: number): TaskTransition {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: TaskTransition = {
    $typeName: "vasini.agent.v1.TaskTransition",
    taskId: "",
    fromState: "",
    toState: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.taskId = from.text(from.end(end));
        break;
      case 18:
        m.fromState = from.text(from.end(end));
        break;
      case 26:
        m.toState = from.text(from.end(end));
        break;
      case 34:
        m.gitHash = from.text(from.end(end));
        break;
      case 42:
        if (m.timestamp !== undefined) throw notPlain;
        countElement(reading);
        m.timestamp = readTimestamp(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readTemplate(reading: Reading, end: number, depth: number): Template {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Template = {
    $typeName: "vasini.agent.v1.Template",
    templateId: "",
    name: "",
    description: "",
    stages: [],
    workflow: false,
    endStages: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.templateId = from.text(from.end(end));
        break;
      case 18:
        m.name = from.text(from.end(end));
        break;
      case 26:
        m.description = from.text(from.end(end));
        break;
      case 34:
        countElement(reading);
        m.stages.push(readStage(reading, from.end(end), depth + 1));
        break;
      case 42:
        if (m.policy !== undefined) throw notPlain;
        countElement(reading);
        m.policy = readPipelinePolicy(reading, from.end(end), depth + 1);
        break;
      case 48:
        m.workflow = from.varint() !== 0;
        break;
      case 58:
        countElement(reading);
        m.endStages.push(from.text(from.end(end)));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readTenant(reading: Reading, end: number, depth: number): Tenant {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Tenant = {
    $typeName: "vasini.agent.v1.Tenant",
    tenantId: "",
    stopped: false,
    reason: "",
    stoppedBy: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.tenantId = from.text(from.end(end));
        break;
      case 16:
        m.stopped = from.varint() !== 0;
        break;
      case 26:
        m.reason = from.text(from.end(end));
        break;
      case 34:
        m.stoppedBy = from.text(from.end(end));
        break;
      case 42:
        if (m.stoppedAt !== undefined) throw notPlain;
        countElement(reading);
        m.stoppedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readTenantSpendLimit(reading: Reading, end: number, depth: number): TenantSpendLimit {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: TenantSpendLimit = {
    $typeName: "vasini.agent.v1.TenantSpendLimit",
    period: 0,
    isMoney: false,
    limit: 0n,
    raised: 0n,
    spent: 0n,
    reserved: 0n,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.period = readInt32(from);
        break;
      case 16:
        m.isMoney = from.varint() !== 0;
        break;
      case 24:
        m.limit = BigInt(from.varint());
        break;
      case 32:
        m.raised = BigInt(from.varint());
        break;
      case 40:
        m.spent = BigInt(from.varint());
        break;
      case 48:
        m.reserved = BigInt(from.varint());
        break;
      case 58:
        if (m.resetsAt !== undefined) throw notPlain;
        countElement(reading);
        m.resetsAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readTestContract(reading: Reading, end: number, depth: number): TestContract {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: TestContract = {
    $typeName: "vasini.agent.v1.TestContract",
    testsToAdd: [],
    testsToRun: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        countElement(reading);
        m.testsToAdd.push(from.text(from.end(end)));
        break;
      case 18:
        countElement(reading);
        m.testsToRun.push(from.text(from.end(end)));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readThoughtStream(reading: Reading, end: number, depth: number): ThoughtStream {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ThoughtStream = {
    $typeName: "vasini.agent.v1.ThoughtStream",
    agentId: 0,
    turnIndex: 0,
    chunk: "",
    isFinal: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.agentId = readInt32(from);
        break;
      case 16:
        m.turnIndex = readInt32(from);
        break;
      case 26:
        m.chunk = from.text(from.end(end));
        break;
      case 32:
        m.isFinal = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readTimeoutSnapshot(reading: Reading, end: number, depth: number): TimeoutSnapshot {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: TimeoutSnapshot = {
    $typeName: "vasini.agent.v1.TimeoutSnapshot",
    cancelSignalSent: false,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.duration !== undefined) throw notPlain;
        countElement(reading);
        m.duration = readDuration(reading, from.end(end), depth + 1);
        break;
      case 18:
        if (m.deadline !== undefined) throw notPlain;
        countElement(reading);
        m.deadline = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 24:
        m.cancelSignalSent = from.varint() !== 0;
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readTimestamp(reading: Reading, end: number, depth: number): Timestamp {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Timestamp = {
    $typeName: "google.protobuf.Timestamp",
    seconds: 0n,
    nanos: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.seconds = BigInt(from.varint());
        break;
      case 16:
        m.nanos = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readToolCallSnapshot(reading: Reading, end: number, depth: number): ToolCallSnapshot {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ToolCallSnapshot = {
    $typeName: "vasini.agent.v1.ToolCallSnapshot",
    tool: "",
    argumentsJson: "",
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.tool = from.text(from.end(end));
        break;
      case 18:
        m.argumentsJson = from.text(from.end(end));
        break;
      case 26:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readToolDecision(reading: Reading, end: number, depth: number): ToolDecision {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ToolDecision = {
    $typeName: "vasini.agent.v1.ToolDecision",
    verdict: 0,
    callId: "",
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.verdict = readInt32(from);
        break;
      case 18:
        m.callId = from.text(from.end(end));
        break;
      case 26:
        if (m.arguments !== undefined) throw notPlain;
        countElement(reading);
        m.arguments = readData(reading, from.end(end), depth + 1);
        break;
      case 34:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readToolLifecycleCompleted(reading: Reading, end: number, depth: number): ToolLifecycleCompleted {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ToolLifecycleCompleted = {
    $typeName: "vasini.agent.v1.ToolLifecycleCompleted",
    callId: "",
    tool: "",
    status: 0,
    durationMs: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.callId = from.text(from.end(end));
        break;
      case 18:
        m.tool = from.text(from.end(end));
        break;
      case 24:
        m.status = readInt32(from);
        break;
      case 33:
        m.durationMs = from.double();
        break;
      case 42:
        if (m.timestamp !== undefined) throw notPlain;
        countElement(reading);
        m.timestamp = readTimestamp(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readToolLifecycleInvoked(reading: Reading, end: number, depth: number): ToolLifecycleInvoked {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ToolLifecycleInvoked = {
    $typeName: "vasini.agent.v1.ToolLifecycleInvoked",
    callId: "",
    tool: "",
    refused: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.callId = from.text(from.end(end));
        break;
      case 18:
        m.tool = from.text(from.end(end));
        break;
      case 26:
        if (m.arguments !== undefined) throw notPlain;
        countElement(reading);
        m.arguments = readData(reading, from.end(end), depth + 1);
        break;
      case 34:
        if (m.timestamp !== undefined) throw notPlain;
        countElement(reading);
        m.timestamp = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 42:
        m.refused = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readToolPin(reading: Reading, end: number, depth: number): ToolPin {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ToolPin = {
    $typeName: "vasini.agent.v1.ToolPin",
    name: "",
    definitionJson: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.name = from.text(from.end(end));
        break;
      case 18:
        m.definitionJson = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readToolProposal(reading: Reading, end: number, depth: number): ToolProposal {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ToolProposal = {
    $typeName: "vasini.agent.v1.ToolProposal",
    callId: "",
    tool: "",
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.callId = from.text(from.end(end));
        break;
      case 18:
        m.tool = from.text(from.end(end));
        break;
      case 26:
        if (m.arguments !== undefined) throw notPlain;
        countElement(reading);
        m.arguments = readData(reading, from.end(end), depth + 1);
        break;
      case 34:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readTraceContext(reading: Reading, end: number, depth: number): TraceContext {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: TraceContext = {
    $typeName: "vasini.agent.v1.TraceContext",
    traceId: "",
    spanId: "",
    parentSpanId: "",
    tenantId: "",
    agentId: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.traceId = from.text(from.end(end));
        break;
      case 18:
        m.spanId = from.text(from.end(end));
        break;
      case 26:
        m.parentSpanId = from.text(from.end(end));
        break;
      case 34:
        m.tenantId = from.text(from.end(end));
        break;
      case 42:
        m.agentId = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readTransition(reading: Reading, end: number, depth: number): Transition {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Transition = {
    $typeName: "vasini.agent.v1.Transition",
    revision: 0n,
    stageId: "",
    dispatchId: "",
    fromStatus: "",
    toStatus: "",
    commit: "",
    abandoned: false,
    rewoundTo: 0n,
    by: "",
    reason: "",
    attemptNumber: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.revision = BigInt(from.varint());
        break;
      case 18:
        if (m.at !== undefined) throw notPlain;
        countElement(reading);
        m.at = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 26:
        m.stageId = from.text(from.end(end));
        break;
      case 34:
        m.dispatchId = from.text(from.end(end));
        break;
      case 42:
        m.fromStatus = from.text(from.end(end));
        break;
      case 50:
        m.toStatus = from.text(from.end(end));
        break;
      case 58:
        m.commit = from.text(from.end(end));
        break;
      case 64:
        m.abandoned = from.varint() !== 0;
        break;
      case 72:
        m.rewoundTo = BigInt(from.varint());
        break;
      case 82:
        m.by = from.text(from.end(end));
        break;
      case 90:
        m.reason = from.text(from.end(end));
        break;
      case 96:
        m.attemptNumber = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readTurnContent(reading: Reading, end: number, depth: number): TurnContent {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: TurnContent = {
    $typeName: "vasini.agent.v1.TurnContent",
    thought: "",
    action: "",
    observation: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.thought = from.text(from.end(end));
        break;
      case 18:
        m.action = from.text(from.end(end));
        break;
      case 26:
        m.observation = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readTurnEnvelope(reading: Reading, end: number, depth: number): TurnEnvelope {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: TurnEnvelope = {
    $typeName: "vasini.agent.v1.TurnEnvelope",
    turnIndex: 0,
    agentId: 0,
    role: 0,
    packId: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.turnIndex = readInt32(from);
        break;
      case 16:
        m.agentId = readInt32(from);
        break;
      case 24:
        m.role = readInt32(from);
        break;
      case 34:
        if (m.content !== undefined) throw notPlain;
        countElement(reading);
        m.content = readTurnContent(reading, from.end(end), depth + 1);
        break;
      case 42:
        if (m.metadata !== undefined) throw notPlain;
        countElement(reading);
        m.metadata = readTurnMetadata(reading, from.end(end), depth + 1);
        break;
      case 50:
        m.packId = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readTurnGap(reading: Reading, end: number, depth: number): TurnGap {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: TurnGap = {
    $typeName: "vasini.agent.v1.TurnGap",
    dispatchId: "",
    firstIndex: 0,
    lastIndex: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.dispatchId = from.text(from.end(end));
        break;
      case 16:
        m.firstIndex = readInt32(from);
        break;
      case 24:
        m.lastIndex = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readTurnMetadata(reading: Reading, end: number, depth: number): TurnMetadata {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: TurnMetadata = {
    $typeName: "vasini.agent.v1.TurnMetadata",
    version: "",
    taskId: "",
    confidence: 0,
    estimatedComplexity: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.version = from.text(from.end(end));
        break;
      case 18:
        m.taskId = from.text(from.end(end));
        break;
      case 26:
        if (m.timestamp !== undefined) throw notPlain;
        countElement(reading);
        m.timestamp = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 33:
        m.confidence = from.double();
        break;
      case 40:
        m.estimatedComplexity = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readTurnRecord(reading: Reading, end: number, depth: number): TurnRecord {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: TurnRecord = {
    $typeName: "vasini.agent.v1.TurnRecord",
    dispatchId: "",
    stageId: "",
    attemptNumber: 0,
    eventId: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.dispatchId = from.text(from.end(end));
        break;
      case 18:
        m.stageId = from.text(from.end(end));
        break;
      case 24:
        m.attemptNumber = readInt32(from);
        break;
      case 34:
        if (m.recordedAt !== undefined) throw notPlain;
        countElement(reading);
        m.recordedAt = readTimestamp(reading, from.end(end), depth + 1);
        break;
      case 42:
        m.eventId = from.text(from.end(end));
        break;
      case 50:
        if (m.turn !== undefined) throw notPlain;
        countElement(reading);
        m.turn = readTurnEnvelope(reading, from.end(end), depth + 1);
        break;
      case 58:
        if (m.withheld !== undefined) throw notPlain;
        countElement(reading);
        m.withheld = readWithheld(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readUsage(reading: Reading, end: number, depth: number): Usage {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Usage = {
    $typeName: "vasini.agent.v1.Usage",
    inputTokens: 0n,
    outputTokens: 0n,
    costMicroUsd: 0n,
    steps: 0,
    cacheReadTokens: 0n,
    cacheWriteTokens: 0n,
    reasoningTokens: 0n,
    costUnknown: false,
    models: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.inputTokens = BigInt(from.varint());
        break;
      case 16:
        m.outputTokens = BigInt(from.varint());
        break;
      case 24:
        m.costMicroUsd = BigInt(from.varint());
        break;
      case 32:
        m.steps = readInt32(from);
        break;
      case 40:
        m.cacheReadTokens = BigInt(from.varint());
        break;
      case 48:
        m.cacheWriteTokens = BigInt(from.varint());
        break;
      case 56:
        m.reasoningTokens = BigInt(from.varint());
        break;
      case 64:
        m.costUnknown = from.varint() !== 0;
        break;
      case 74:
        countElement(reading);
        m.models.push(readModelUsage(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readVerifyAuditRequest(reading: Reading, end: number, depth: number): VerifyAuditRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: VerifyAuditRequest = {
    $typeName: "vasini.agent.v1.VerifyAuditRequest",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.checkpoint !== undefined) throw notPlain;
        countElement(reading);
        m.checkpoint = readAuditCheckpoint(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readVerifyAuditResponse(reading: Reading, end: number, depth: number): VerifyAuditResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: VerifyAuditResponse = {
    $typeName: "vasini.agent.v1.VerifyAuditResponse",
    valid: false,
    entriesChecked: 0n,
    firstBadSequence: 0n,
    problem: "",
    vouchedThrough: 0n,
    problemKind: "",
    keys: [],
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.valid = from.varint() !== 0;
        break;
      case 16:
        m.entriesChecked = BigInt(from.varint());
        break;
      case 24:
        m.firstBadSequence = BigInt(from.varint());
        break;
      case 34:
        m.problem = from.text(from.end(end));
        break;
      case 42:
        if (m.checkpoint !== undefined) throw notPlain;
        countElement(reading);
        m.checkpoint = readAuditCheckpoint(reading, from.end(end), depth + 1);
        break;
      case 48:
        m.vouchedThrough = BigInt(from.varint());
        break;
      case 58:
        m.problemKind = from.text(from.end(end));
        break;
      case 66:
        countElement(reading);
        m.keys.push(readAuditKey(reading, from.end(end), depth + 1));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readWatchCaughtUp(reading: Reading, end: number, depth: number): WatchCaughtUp {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: WatchCaughtUp = {
    $typeName: "vasini.agent.v1.WatchCaughtUp",
    sequence: 0n,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.sequence = BigInt(from.varint());
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readWatchDropped(reading: Reading, end: number, depth: number): WatchDropped {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: WatchDropped = {
    $typeName: "vasini.agent.v1.WatchDropped",
    resumeAfterSequence: 0n,
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.resumeAfterSequence = BigInt(from.varint());
        break;
      case 18:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readWatchEventsRequest(reading: Reading, end: number, depth: number): WatchEventsRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: WatchEventsRequest = {
    $typeName: "vasini.agent.v1.WatchEventsRequest",
    filter: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 8:
        m.afterSequence = BigInt(from.varint());
        break;
      case 18:
        m.filter = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readWatchEventsResponse(reading: Reading, end: number, depth: number): WatchEventsResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: WatchEventsResponse = {
    $typeName: "vasini.agent.v1.WatchEventsResponse",
    message: { case: undefined },
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "record", value: readEventRecord(reading, from.end(end), depth + 1) };
        break;
      case 18:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "caughtUp", value: readWatchCaughtUp(reading, from.end(end), depth + 1) };
        break;
      case 26:
        if (m.message.case !== undefined) throw notPlain;
        countElement(reading);
        m.message = { case: "dropped", value: readWatchDropped(reading, from.end(end), depth + 1) };
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readWithdrawLessonRequest(reading: Reading, end: number, depth: number): WithdrawLessonRequest {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: WithdrawLessonRequest = {
    $typeName: "vasini.agent.v1.WithdrawLessonRequest",
    lessonId: "",
    reason: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.lessonId = from.text(from.end(end));
        break;
      case 18:
        m.reason = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readWithdrawLessonResponse(reading: Reading, end: number, depth: number): WithdrawLessonResponse {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: WithdrawLessonResponse = {
    $typeName: "vasini.agent.v1.WithdrawLessonResponse",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        if (m.lesson !== undefined) throw notPlain;
        countElement(reading);
        m.lesson = readLesson(reading, from.end(end), depth + 1);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readWithheld(reading: Reading, end: number, depth: number): Withheld {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Withheld = {
    $typeName: "vasini.agent.v1.Withheld",
    code: "",
    reason: "",
    bytes: 0,
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.code = from.text(from.end(end));
        break;
      case 18:
        m.reason = from.text(from.end(end));
        break;
      case 24:
        m.bytes = readInt32(from);
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readWorkAtRisk(reading: Reading, end: number, depth: number): WorkAtRisk {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: WorkAtRisk = {
    $typeName: "vasini.agent.v1.WorkAtRisk",
    branch: "",
    kind: 0,
    detail: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.branch = from.text(from.end(end));
        break;
      case 16:
        m.kind = readInt32(from);
        break;
      case 26:
        m.detail = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}

function readWorkspace(reading: Reading, end: number, depth: number): Workspace {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: Workspace = {
    $typeName: "vasini.agent.v1.Workspace",
    repository: "",
    baseCommit: "",
    branch: "",
    path: "",
  };
  while (from.at < end) {
    switch (from.varint()) {
      case 10:
        m.repository = from.text(from.end(end));
        break;
      case 18:
        m.baseCommit = from.text(from.end(end));
        break;
      case 26:
        m.branch = from.text(from.end(end));
        break;
      case 34:
        m.path = from.text(from.end(end));
        break;
      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}
