// Written by protoc-gen-plain from the proto files. Do not edit.
import { notPlain } from "../../src/plain/plain-bytes.ts";
import type { PlainWriter } from "../../src/plain/plain-writer.ts";
import {
  isEmpty,
  list,
  ordinary,
  putBool,
  putBytes,
  putDouble,
  putInt32,
  putInt64,
  putText,
} from "../../src/plain/put.ts";
import { writeData } from "../../src/plain/write-data.ts";
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

/** What writes a message, by the name of its type. */
export const writers: ReadonlyMap<string, (to: PlainWriter, m: never) => void> = new Map<
  string,
  (to: PlainWriter, m: never) => void
>([
  ["vasini.agent.v1.AbortPipelineRequest", writeAbortPipelineRequest],
  ["vasini.agent.v1.AbortPipelineResponse", writeAbortPipelineResponse],
  ["vasini.agent.v1.AcceptToolRequest", writeAcceptToolRequest],
  ["vasini.agent.v1.AcceptToolResponse", writeAcceptToolResponse],
  ["vasini.agent.v1.AcceptedResult", writeAcceptedResult],
  ["vasini.agent.v1.AdmissionSnapshot", writeAdmissionSnapshot],
  ["vasini.agent.v1.AgentAttempt", writeAgentAttempt],
  ["vasini.agent.v1.AgentCapacity", writeAgentCapacity],
  ["vasini.agent.v1.AgentEndpoint", writeAgentEndpoint],
  ["vasini.agent.v1.AgentHealth", writeAgentHealth],
  ["vasini.agent.v1.AgentHeartbeat", writeAgentHeartbeat],
  ["vasini.agent.v1.AgentInstance", writeAgentInstance],
  ["vasini.agent.v1.AgentManifest", writeAgentManifest],
  ["vasini.agent.v1.AgentResult", writeAgentResult],
  ["vasini.agent.v1.AgentSnapshot", writeAgentSnapshot],
  ["vasini.agent.v1.AgentWork", writeAgentWork],
  ["vasini.agent.v1.AlignmentDifference", writeAlignmentDifference],
  ["vasini.agent.v1.AlignmentReport", writeAlignmentReport],
  ["vasini.agent.v1.AlignmentViolation", writeAlignmentViolation],
  ["vasini.agent.v1.Artifact", writeArtifact],
  ["vasini.agent.v1.AttachAcknowledged", writeAttachAcknowledged],
  ["vasini.agent.v1.AttachAgentRequest", writeAttachAgentRequest],
  ["vasini.agent.v1.AttachAgentResponse", writeAttachAgentResponse],
  ["vasini.agent.v1.AttachDrain", writeAttachDrain],
  ["vasini.agent.v1.AttachHello", writeAttachHello],
  ["vasini.agent.v1.AttachRefused", writeAttachRefused],
  ["vasini.agent.v1.AttachWelcome", writeAttachWelcome],
  ["vasini.agent.v1.AttemptSummary", writeAttemptSummary],
  ["vasini.agent.v1.AuditActor", writeAuditActor],
  ["vasini.agent.v1.AuditCheckpoint", writeAuditCheckpoint],
  ["vasini.agent.v1.AuditEntry", writeAuditEntry],
  ["vasini.agent.v1.AuditKey", writeAuditKey],
  ["vasini.agent.v1.AuditSnapshot", writeAuditSnapshot],
  ["vasini.agent.v1.BaseTestsRun", writeBaseTestsRun],
  ["vasini.agent.v1.Blocker", writeBlocker],
  ["vasini.agent.v1.BranchRewind", writeBranchRewind],
  ["vasini.agent.v1.Budget", writeBudget],
  ["vasini.agent.v1.CacheEvidence", writeCacheEvidence],
  ["vasini.agent.v1.CachePolicy", writeCachePolicy],
  ["vasini.agent.v1.CacheRecord", writeCacheRecord],
  ["vasini.agent.v1.CacheRevocation", writeCacheRevocation],
  ["vasini.agent.v1.CancelAgentRequest", writeCancelAgentRequest],
  ["vasini.agent.v1.CancelAgentResponse", writeCancelAgentResponse],
  ["vasini.agent.v1.CancelStageRequest", writeCancelStageRequest],
  ["vasini.agent.v1.CancelStageResponse", writeCancelStageResponse],
  ["vasini.agent.v1.CandidateVerdict", writeCandidateVerdict],
  ["vasini.agent.v1.ChangeHeuristicsRequest", writeChangeHeuristicsRequest],
  ["vasini.agent.v1.ChangeHeuristicsResponse", writeChangeHeuristicsResponse],
  ["vasini.agent.v1.ChangeLimitsRequest", writeChangeLimitsRequest],
  ["vasini.agent.v1.ChangeLimitsResponse", writeChangeLimitsResponse],
  ["vasini.agent.v1.ChangeSize", writeChangeSize],
  ["vasini.agent.v1.CheckClaim", writeCheckClaim],
  ["vasini.agent.v1.CheckRun", writeCheckRun],
  ["vasini.agent.v1.Clarification", writeClarification],
  ["vasini.agent.v1.CommitLine", writeCommitLine],
  ["vasini.agent.v1.CompareConstitutionRequest", writeCompareConstitutionRequest],
  ["vasini.agent.v1.CompareConstitutionResponse", writeCompareConstitutionResponse],
  ["vasini.agent.v1.CompareRoutingRequest", writeCompareRoutingRequest],
  ["vasini.agent.v1.CompareRoutingResponse", writeCompareRoutingResponse],
  ["vasini.agent.v1.ConstitutionRule", writeConstitutionRule],
  ["vasini.agent.v1.Consultation", writeConsultation],
  ["vasini.agent.v1.ContextIn", writeContextIn],
  ["vasini.agent.v1.ContextOut", writeContextOut],
  ["vasini.agent.v1.ContextPropagation", writeContextPropagation],
  ["vasini.agent.v1.Contract", writeContract],
  ["vasini.agent.v1.Decision", writeDecision],
  ["vasini.agent.v1.DecisionMemo", writeDecisionMemo],
  ["vasini.agent.v1.DefinitionDigest", writeDefinitionDigest],
  ["vasini.agent.v1.DispatchSnapshot", writeDispatchSnapshot],
  ["google.protobuf.Duration", writeDuration],
  ["vasini.agent.v1.EdgeDecision", writeEdgeDecision],
  ["vasini.agent.v1.Environment", writeEnvironment],
  ["vasini.agent.v1.ErrorDetail", writeErrorDetail],
  ["vasini.agent.v1.Escalation", writeEscalation],
  ["vasini.agent.v1.EscalationPolicy", writeEscalationPolicy],
  ["vasini.agent.v1.EscalationSnapshot", writeEscalationSnapshot],
  ["vasini.agent.v1.EssenceRule", writeEssenceRule],
  ["vasini.agent.v1.Event", writeEvent],
  ["vasini.agent.v1.EventRecord", writeEventRecord],
  ["vasini.agent.v1.Evidence", writeEvidence],
  ["vasini.agent.v1.EvidenceItem", writeEvidenceItem],
  ["vasini.agent.v1.EvidenceItems", writeEvidenceItems],
  ["vasini.agent.v1.Execution", writeExecution],
  ["vasini.agent.v1.ExplainDispatchRequest", writeExplainDispatchRequest],
  ["vasini.agent.v1.ExplainDispatchResponse", writeExplainDispatchResponse],
  ["vasini.agent.v1.ExportAuditRequest", writeExportAuditRequest],
  ["vasini.agent.v1.ExportAuditResponse", writeExportAuditResponse],
  ["vasini.agent.v1.FailedCheck", writeFailedCheck],
  ["vasini.agent.v1.FieldViolation", writeFieldViolation],
  ["vasini.agent.v1.FileChange", writeFileChange],
  ["vasini.agent.v1.FileDiff", writeFileDiff],
  ["vasini.agent.v1.FileManifest", writeFileManifest],
  ["vasini.agent.v1.FreshnessPolicy", writeFreshnessPolicy],
  ["vasini.agent.v1.GateCheck", writeGateCheck],
  ["vasini.agent.v1.GateSnapshot", writeGateSnapshot],
  ["vasini.agent.v1.GetAttemptChangesRequest", writeGetAttemptChangesRequest],
  ["vasini.agent.v1.GetAttemptChangesResponse", writeGetAttemptChangesResponse],
  ["vasini.agent.v1.GetAttemptRequest", writeGetAttemptRequest],
  ["vasini.agent.v1.GetAttemptResponse", writeGetAttemptResponse],
  ["vasini.agent.v1.GetAttemptsRequest", writeGetAttemptsRequest],
  ["vasini.agent.v1.GetAttemptsResponse", writeGetAttemptsResponse],
  ["vasini.agent.v1.GetAuditCheckpointRequest", writeGetAuditCheckpointRequest],
  ["vasini.agent.v1.GetAuditCheckpointResponse", writeGetAuditCheckpointResponse],
  ["vasini.agent.v1.GetAuditProofRequest", writeGetAuditProofRequest],
  ["vasini.agent.v1.GetAuditProofResponse", writeGetAuditProofResponse],
  ["vasini.agent.v1.GetCacheRecordRequest", writeGetCacheRecordRequest],
  ["vasini.agent.v1.GetCacheRecordResponse", writeGetCacheRecordResponse],
  ["vasini.agent.v1.GetConstitutionRequest", writeGetConstitutionRequest],
  ["vasini.agent.v1.GetConstitutionResponse", writeGetConstitutionResponse],
  ["vasini.agent.v1.GetHeuristicsRequest", writeGetHeuristicsRequest],
  ["vasini.agent.v1.GetHeuristicsResponse", writeGetHeuristicsResponse],
  ["vasini.agent.v1.GetPipelineChangesRequest", writeGetPipelineChangesRequest],
  ["vasini.agent.v1.GetPipelineChangesResponse", writeGetPipelineChangesResponse],
  ["vasini.agent.v1.GetPipelineRequest", writeGetPipelineRequest],
  ["vasini.agent.v1.GetPipelineResponse", writeGetPipelineResponse],
  ["vasini.agent.v1.GetRoutingPolicyRequest", writeGetRoutingPolicyRequest],
  ["vasini.agent.v1.GetRoutingPolicyResponse", writeGetRoutingPolicyResponse],
  ["vasini.agent.v1.GetSpendRequest", writeGetSpendRequest],
  ["vasini.agent.v1.GetSpendResponse", writeGetSpendResponse],
  ["vasini.agent.v1.GetStepsRequest", writeGetStepsRequest],
  ["vasini.agent.v1.GetStepsResponse", writeGetStepsResponse],
  ["vasini.agent.v1.GetTemplatesRequest", writeGetTemplatesRequest],
  ["vasini.agent.v1.GetTemplatesResponse", writeGetTemplatesResponse],
  ["vasini.agent.v1.GetTenantRequest", writeGetTenantRequest],
  ["vasini.agent.v1.GetTenantResponse", writeGetTenantResponse],
  ["vasini.agent.v1.GetTransitionsRequest", writeGetTransitionsRequest],
  ["vasini.agent.v1.GetTransitionsResponse", writeGetTransitionsResponse],
  ["vasini.agent.v1.GetTurnsRequest", writeGetTurnsRequest],
  ["vasini.agent.v1.GetTurnsResponse", writeGetTurnsResponse],
  ["vasini.agent.v1.GetWithheldAnswerRequest", writeGetWithheldAnswerRequest],
  ["vasini.agent.v1.GetWithheldAnswerResponse", writeGetWithheldAnswerResponse],
  ["vasini.agent.v1.GiveFeedbackRequest", writeGiveFeedbackRequest],
  ["vasini.agent.v1.GiveFeedbackResponse", writeGiveFeedbackResponse],
  ["vasini.agent.v1.GivenLesson", writeGivenLesson],
  ["vasini.agent.v1.GivenSteps", writeGivenSteps],
  ["vasini.agent.v1.Governance", writeGovernance],
  ["vasini.agent.v1.GuardrailSnapshot", writeGuardrailSnapshot],
  ["vasini.agent.v1.GuardrailVerdict", writeGuardrailVerdict],
  ["vasini.agent.v1.HandoffPolicy", writeHandoffPolicy],
  ["vasini.agent.v1.HeldDispatch", writeHeldDispatch],
  ["vasini.agent.v1.Heuristics", writeHeuristics],
  ["vasini.agent.v1.IOContract", writeIOContract],
  ["vasini.agent.v1.InclusionProof", writeInclusionProof],
  ["vasini.agent.v1.InterfaceContract", writeInterfaceContract],
  ["vasini.agent.v1.Label", writeLabel],
  ["vasini.agent.v1.LabelPipelineRequest", writeLabelPipelineRequest],
  ["vasini.agent.v1.LabelPipelineResponse", writeLabelPipelineResponse],
  ["vasini.agent.v1.LeftOutPart", writeLeftOutPart],
  ["vasini.agent.v1.Lesson", writeLesson],
  ["vasini.agent.v1.LessonEffect", writeLessonEffect],
  ["vasini.agent.v1.ListAgentsRequest", writeListAgentsRequest],
  ["vasini.agent.v1.ListAgentsResponse", writeListAgentsResponse],
  ["vasini.agent.v1.ListAuditEntriesRequest", writeListAuditEntriesRequest],
  ["vasini.agent.v1.ListAuditEntriesResponse", writeListAuditEntriesResponse],
  ["vasini.agent.v1.ListCacheRecordsRequest", writeListCacheRecordsRequest],
  ["vasini.agent.v1.ListCacheRecordsResponse", writeListCacheRecordsResponse],
  ["vasini.agent.v1.ListEscalationsRequest", writeListEscalationsRequest],
  ["vasini.agent.v1.ListEscalationsResponse", writeListEscalationsResponse],
  ["vasini.agent.v1.ListLessonsRequest", writeListLessonsRequest],
  ["vasini.agent.v1.ListLessonsResponse", writeListLessonsResponse],
  ["vasini.agent.v1.ListPinnedToolsRequest", writeListPinnedToolsRequest],
  ["vasini.agent.v1.ListPinnedToolsResponse", writeListPinnedToolsResponse],
  ["vasini.agent.v1.ListPipelinesRequest", writeListPipelinesRequest],
  ["vasini.agent.v1.ListPipelinesResponse", writeListPipelinesResponse],
  ["vasini.agent.v1.ListSignalsRequest", writeListSignalsRequest],
  ["vasini.agent.v1.ListSignalsResponse", writeListSignalsResponse],
  ["vasini.agent.v1.ListStepsRequest", writeListStepsRequest],
  ["vasini.agent.v1.ListStepsResponse", writeListStepsResponse],
  ["vasini.agent.v1.ModelUsage", writeModelUsage],
  ["vasini.agent.v1.OverrideStageRequest", writeOverrideStageRequest],
  ["vasini.agent.v1.OverrideStageResponse", writeOverrideStageResponse],
  ["vasini.agent.v1.PausePipelineRequest", writePausePipelineRequest],
  ["vasini.agent.v1.PausePipelineResponse", writePausePipelineResponse],
  ["vasini.agent.v1.PinToolsRequest", writePinToolsRequest],
  ["vasini.agent.v1.PinToolsResponse", writePinToolsResponse],
  ["vasini.agent.v1.PinnedTool", writePinnedTool],
  ["vasini.agent.v1.Pipeline", writePipeline],
  ["vasini.agent.v1.PipelineOrigin", writePipelineOrigin],
  ["vasini.agent.v1.PipelinePlan", writePipelinePlan],
  ["vasini.agent.v1.PipelinePolicy", writePipelinePolicy],
  ["vasini.agent.v1.PipelineSnapshot", writePipelineSnapshot],
  ["vasini.agent.v1.PipelineSummary", writePipelineSummary],
  ["vasini.agent.v1.PolicyCheck", writePolicyCheck],
  ["vasini.agent.v1.PressureReading", writePressureReading],
  ["vasini.agent.v1.PreviewRewindRequest", writePreviewRewindRequest],
  ["vasini.agent.v1.PreviewRewindResponse", writePreviewRewindResponse],
  ["vasini.agent.v1.ProtocolVersion", writeProtocolVersion],
  ["vasini.agent.v1.ProvidedResult", writeProvidedResult],
  ["vasini.agent.v1.RaiseSpendLimitRequest", writeRaiseSpendLimitRequest],
  ["vasini.agent.v1.RaiseSpendLimitResponse", writeRaiseSpendLimitResponse],
  ["vasini.agent.v1.RatedOutcomes", writeRatedOutcomes],
  ["vasini.agent.v1.Ref", writeRef],
  ["vasini.agent.v1.RefFreshnessCheck", writeRefFreshnessCheck],
  ["vasini.agent.v1.RegisterAgentRequest", writeRegisterAgentRequest],
  ["vasini.agent.v1.RegisterAgentResponse", writeRegisterAgentResponse],
  ["vasini.agent.v1.ReportStepRequest", writeReportStepRequest],
  ["vasini.agent.v1.ReportStepResponse", writeReportStepResponse],
  ["vasini.agent.v1.RerunPipelineRequest", writeRerunPipelineRequest],
  ["vasini.agent.v1.RerunPipelineResponse", writeRerunPipelineResponse],
  ["vasini.agent.v1.ResolveEscalationRequest", writeResolveEscalationRequest],
  ["vasini.agent.v1.ResolveEscalationResponse", writeResolveEscalationResponse],
  ["vasini.agent.v1.ResponseSnapshot", writeResponseSnapshot],
  ["vasini.agent.v1.RestoreAgentRequest", writeRestoreAgentRequest],
  ["vasini.agent.v1.RestoreAgentResponse", writeRestoreAgentResponse],
  ["vasini.agent.v1.ResultSnapshot", writeResultSnapshot],
  ["vasini.agent.v1.ResultStatus", writeResultStatus],
  ["vasini.agent.v1.ResultTiming", writeResultTiming],
  ["vasini.agent.v1.ResumePipelineRequest", writeResumePipelineRequest],
  ["vasini.agent.v1.ResumePipelineResponse", writeResumePipelineResponse],
  ["vasini.agent.v1.RetryPolicy", writeRetryPolicy],
  ["vasini.agent.v1.ReviewApproval", writeReviewApproval],
  ["vasini.agent.v1.ReviewFeedback", writeReviewFeedback],
  ["vasini.agent.v1.ReviewRejection", writeReviewRejection],
  ["vasini.agent.v1.ReviewStageRequest", writeReviewStageRequest],
  ["vasini.agent.v1.ReviewStageResponse", writeReviewStageResponse],
  ["vasini.agent.v1.RevokeCacheRecordRequest", writeRevokeCacheRecordRequest],
  ["vasini.agent.v1.RevokeCacheRecordResponse", writeRevokeCacheRecordResponse],
  ["vasini.agent.v1.RewindEdge", writeRewindEdge],
  ["vasini.agent.v1.RewindPipelineRequest", writeRewindPipelineRequest],
  ["vasini.agent.v1.RewindPipelineResponse", writeRewindPipelineResponse],
  ["vasini.agent.v1.RewindPreview", writeRewindPreview],
  ["vasini.agent.v1.RouteView", writeRouteView],
  ["vasini.agent.v1.Routing", writeRouting],
  ["vasini.agent.v1.RoutingDifference", writeRoutingDifference],
  ["vasini.agent.v1.RoutingPolicyView", writeRoutingPolicyView],
  ["vasini.agent.v1.RunAgentRequest", writeRunAgentRequest],
  ["vasini.agent.v1.RunAgentResponse", writeRunAgentResponse],
  ["vasini.agent.v1.SafetyContext", writeSafetyContext],
  ["vasini.agent.v1.SandboxPulse", writeSandboxPulse],
  ["vasini.agent.v1.SecurityFlags", writeSecurityFlags],
  ["vasini.agent.v1.SendHeartbeatRequest", writeSendHeartbeatRequest],
  ["vasini.agent.v1.SendHeartbeatResponse", writeSendHeartbeatResponse],
  ["vasini.agent.v1.Signal", writeSignal],
  ["vasini.agent.v1.SkipStageRequest", writeSkipStageRequest],
  ["vasini.agent.v1.SkipStageResponse", writeSkipStageResponse],
  ["vasini.agent.v1.SnippetRef", writeSnippetRef],
  ["vasini.agent.v1.SpendRow", writeSpendRow],
  ["vasini.agent.v1.Stage", writeStage],
  ["vasini.agent.v1.StageConfig", writeStageConfig],
  ["vasini.agent.v1.StageEdge", writeStageEdge],
  ["vasini.agent.v1.StageRewind", writeStageRewind],
  ["vasini.agent.v1.StageWait", writeStageWait],
  ["vasini.agent.v1.StartTenantRequest", writeStartTenantRequest],
  ["vasini.agent.v1.StartTenantResponse", writeStartTenantResponse],
  ["vasini.agent.v1.Step", writeStep],
  ["vasini.agent.v1.StepRecord", writeStepRecord],
  ["vasini.agent.v1.StopTenantRequest", writeStopTenantRequest],
  ["vasini.agent.v1.StopTenantResponse", writeStopTenantResponse],
  ["vasini.agent.v1.StructuredResponse", writeStructuredResponse],
  ["vasini.agent.v1.SubmitTaskRequest", writeSubmitTaskRequest],
  ["vasini.agent.v1.SubmitTaskResponse", writeSubmitTaskResponse],
  ["vasini.agent.v1.TaskAttachment", writeTaskAttachment],
  ["vasini.agent.v1.TaskEnvelope", writeTaskEnvelope],
  ["vasini.agent.v1.TaskIssuer", writeTaskIssuer],
  ["vasini.agent.v1.TaskTransition", writeTaskTransition],
  ["vasini.agent.v1.Template", writeTemplate],
  ["vasini.agent.v1.Tenant", writeTenant],
  ["vasini.agent.v1.TenantSpendLimit", writeTenantSpendLimit],
  ["vasini.agent.v1.TestContract", writeTestContract],
  ["vasini.agent.v1.ThoughtStream", writeThoughtStream],
  ["vasini.agent.v1.TimeoutSnapshot", writeTimeoutSnapshot],
  ["google.protobuf.Timestamp", writeTimestamp],
  ["vasini.agent.v1.ToolCallSnapshot", writeToolCallSnapshot],
  ["vasini.agent.v1.ToolDecision", writeToolDecision],
  ["vasini.agent.v1.ToolLifecycleCompleted", writeToolLifecycleCompleted],
  ["vasini.agent.v1.ToolLifecycleInvoked", writeToolLifecycleInvoked],
  ["vasini.agent.v1.ToolPin", writeToolPin],
  ["vasini.agent.v1.ToolProposal", writeToolProposal],
  ["vasini.agent.v1.TraceContext", writeTraceContext],
  ["vasini.agent.v1.Transition", writeTransition],
  ["vasini.agent.v1.TurnContent", writeTurnContent],
  ["vasini.agent.v1.TurnEnvelope", writeTurnEnvelope],
  ["vasini.agent.v1.TurnGap", writeTurnGap],
  ["vasini.agent.v1.TurnMetadata", writeTurnMetadata],
  ["vasini.agent.v1.TurnRecord", writeTurnRecord],
  ["vasini.agent.v1.Usage", writeUsage],
  ["vasini.agent.v1.VerifyAuditRequest", writeVerifyAuditRequest],
  ["vasini.agent.v1.VerifyAuditResponse", writeVerifyAuditResponse],
  ["vasini.agent.v1.WatchCaughtUp", writeWatchCaughtUp],
  ["vasini.agent.v1.WatchDropped", writeWatchDropped],
  ["vasini.agent.v1.WatchEventsRequest", writeWatchEventsRequest],
  ["vasini.agent.v1.WatchEventsResponse", writeWatchEventsResponse],
  ["vasini.agent.v1.WithdrawLessonRequest", writeWithdrawLessonRequest],
  ["vasini.agent.v1.WithdrawLessonResponse", writeWithdrawLessonResponse],
  ["vasini.agent.v1.Withheld", writeWithheld],
  ["vasini.agent.v1.WorkAtRisk", writeWorkAtRisk],
  ["vasini.agent.v1.Workspace", writeWorkspace],
]);

function writeAbortPipelineRequest(to: PlainWriter, m: AbortPipelineRequest): void {
  if (m.$typeName !== "vasini.agent.v1.AbortPipelineRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.reason !== "") putText(to, 18, m.reason);
}

function writeAbortPipelineResponse(to: PlainWriter, m: AbortPipelineResponse): void {
  if (m.$typeName !== "vasini.agent.v1.AbortPipelineResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipeline !== undefined) {
    const start = to.begin(10);
    writePipeline(to, m.pipeline);
    to.close(start);
  }
}

function writeAcceptToolRequest(to: PlainWriter, m: AcceptToolRequest): void {
  if (m.$typeName !== "vasini.agent.v1.AcceptToolRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.packId !== "") putText(to, 10, m.packId);
  if (m.name !== "") putText(to, 18, m.name);
  if (m.digest !== "") putText(to, 26, m.digest);
  if (m.reason !== "") putText(to, 34, m.reason);
}

function writeAcceptToolResponse(to: PlainWriter, m: AcceptToolResponse): void {
  if (m.$typeName !== "vasini.agent.v1.AcceptToolResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.tool !== undefined) {
    const start = to.begin(10);
    writePinnedTool(to, m.tool);
    to.close(start);
  }
}

function writeAcceptedResult(to: PlainWriter, m: AcceptedResult): void {
  if (m.$typeName !== "vasini.agent.v1.AcceptedResult" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
}

function writeAdmissionSnapshot(to: PlainWriter, m: AdmissionSnapshot): void {
  if (m.$typeName !== "vasini.agent.v1.AdmissionSnapshot" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.breakerState !== "") putText(to, 10, m.breakerState);
  if (m.breakerScope !== "") putText(to, 18, m.breakerScope);
  if (m.queueDepth !== 0) putInt32(to, 24, m.queueDepth);
  if (m.maxQueueDepth !== 0) putInt32(to, 32, m.maxQueueDepth);
}

function writeAgentAttempt(to: PlainWriter, m: AgentAttempt): void {
  if (m.$typeName !== "vasini.agent.v1.AgentAttempt" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.stageId !== "") putText(to, 18, m.stageId);
  if (m.dispatchId !== "") putText(to, 26, m.dispatchId);
  if (m.taskType !== "") putText(to, 34, m.taskType);
  if (m.outcome !== 0) putInt32(to, 40, m.outcome);
  if (m.startedAt !== undefined) {
    const start = to.begin(50);
    writeTimestamp(to, m.startedAt);
    to.close(start);
  }
  if (m.endedAt !== undefined) {
    const start = to.begin(58);
    writeTimestamp(to, m.endedAt);
    to.close(start);
  }
  if (m.error !== "") putText(to, 66, m.error);
}

function writeAgentCapacity(to: PlainWriter, m: AgentCapacity): void {
  if (m.$typeName !== "vasini.agent.v1.AgentCapacity" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.activeTasks !== 0) putInt32(to, 8, m.activeTasks);
  if (m.maxTasks !== 0) putInt32(to, 16, m.maxTasks);
  if (m.queuedTasks !== 0) putInt32(to, 24, m.queuedTasks);
}

function writeAgentEndpoint(to: PlainWriter, m: AgentEndpoint): void {
  if (m.$typeName !== "vasini.agent.v1.AgentEndpoint" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.uri !== "") putText(to, 10, m.uri);
  if (m.transport !== 0) putInt32(to, 16, m.transport);
}

function writeAgentHealth(to: PlainWriter, m: AgentHealth): void {
  if (m.$typeName !== "vasini.agent.v1.AgentHealth" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.status !== 0) putInt32(to, 8, m.status);
  if (!Object.is(m.errorRate1m, 0)) putDouble(to, 17, m.errorRate1m);
  if (m.avgLatency1m !== undefined) {
    const start = to.begin(26);
    writeDuration(to, m.avgLatency1m);
    to.close(start);
  }
  for (const item of list(m.degradedTools)) putText(to, 34, item);
  if (m.consecutiveInvalidResults !== 0) putInt32(to, 40, m.consecutiveInvalidResults);
  if (m.reason !== "") putText(to, 90, m.reason);
}

function writeAgentHeartbeat(to: PlainWriter, m: AgentHeartbeat): void {
  if (m.$typeName !== "vasini.agent.v1.AgentHeartbeat" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.packId !== "") putText(to, 10, m.packId);
  if (m.instanceId !== "") putText(to, 18, m.instanceId);
  if (m.health !== undefined) {
    const start = to.begin(26);
    writeAgentHealth(to, m.health);
    to.close(start);
  }
  if (m.capacity !== undefined) {
    const start = to.begin(34);
    writeAgentCapacity(to, m.capacity);
    to.close(start);
  }
  if (m.heartbeatAt !== undefined) {
    const start = to.begin(42);
    writeTimestamp(to, m.heartbeatAt);
    to.close(start);
  }
  if (m.leaseTtl !== undefined) {
    const start = to.begin(50);
    writeDuration(to, m.leaseTtl);
    to.close(start);
  }
  for (const item of list(m.availableTools)) putText(to, 90, item);
  if (m.endpoint !== undefined) {
    const start = to.begin(98);
    writeAgentEndpoint(to, m.endpoint);
    to.close(start);
  }
  if (m.packVersion !== "") putText(to, 106, m.packVersion);
  for (const item of list(m.definition)) {
    const start = to.begin(114);
    writeDefinitionDigest(to, item);
    to.close(start);
  }
}

function writeAgentInstance(to: PlainWriter, m: AgentInstance): void {
  if (m.$typeName !== "vasini.agent.v1.AgentInstance" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.manifest !== undefined) {
    const start = to.begin(10);
    writeAgentManifest(to, m.manifest);
    to.close(start);
  }
  if (m.heartbeat !== undefined) {
    const start = to.begin(18);
    writeAgentHeartbeat(to, m.heartbeat);
    to.close(start);
  }
  if (m.leaseExpiresAt !== undefined) {
    const start = to.begin(26);
    writeTimestamp(to, m.leaseExpiresAt);
    to.close(start);
  }
  if (m.attached !== false) putBool(to, 32, m.attached);
  if (m.quarantineReason !== "") putText(to, 42, m.quarantineReason);
  if (m.disprovedClaims !== 0) putInt32(to, 48, m.disprovedClaims);
  if (m.consecutiveDisprovedClaims !== 0) putInt32(to, 56, m.consecutiveDisprovedClaims);
  if (m.packDisprovedClaims !== 0) putInt32(to, 64, m.packDisprovedClaims);
  if (m.attachedBy !== "") putText(to, 74, m.attachedBy);
  if (m.breakerState !== "") putText(to, 82, m.breakerState);
  if (m.goneSince !== undefined) {
    const start = to.begin(90);
    writeTimestamp(to, m.goneSince);
    to.close(start);
  }
  if (m.sandbox !== "") putText(to, 98, m.sandbox);
  if (m.work !== undefined) {
    const start = to.begin(106);
    writeAgentWork(to, m.work);
    to.close(start);
  }
}

function writeAgentManifest(to: PlainWriter, m: AgentManifest): void {
  if (m.$typeName !== "vasini.agent.v1.AgentManifest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.packId !== "") putText(to, 10, m.packId);
  if (m.packVersion !== "") putText(to, 18, m.packVersion);
  if (m.capabilitySchemaVersion !== "") putText(to, 26, m.capabilitySchemaVersion);
  if (m.minOrchestratorVersion !== "") putText(to, 34, m.minOrchestratorVersion);
  if (m.safetyTier !== 0) putInt32(to, 40, m.safetyTier);
  for (const item of list(m.supportedTaskTypes)) putText(to, 50, item);
  for (const item of list(m.providedTools)) putText(to, 58, item);
  for (const item of list(m.requiredTools)) putText(to, 66, item);
  for (const item of list(m.ownerDomains)) putText(to, 74, item);
  if (m.interface !== undefined) {
    const start = to.begin(82);
    writeInterfaceContract(to, m.interface);
    to.close(start);
  }
  if (m.role !== 0) putInt32(to, 128, m.role);
  if (m.dataSchema !== undefined) {
    const start = to.begin(138);
    writeData(to, m.dataSchema);
    to.close(start);
  }
  if (m.description !== "") putText(to, 146, m.description);
}

function writeAgentResult(to: PlainWriter, m: AgentResult): void {
  if (m.$typeName !== "vasini.agent.v1.AgentResult" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.protocolVersion !== undefined) {
    const start = to.begin(10);
    writeProtocolVersion(to, m.protocolVersion);
    to.close(start);
  }
  if (m.status !== undefined) {
    const start = to.begin(18);
    writeResultStatus(to, m.status);
    to.close(start);
  }
  if (m.trace !== undefined) {
    const start = to.begin(26);
    writeTraceContext(to, m.trace);
    to.close(start);
  }
  if (m.evidence !== undefined) {
    const start = to.begin(34);
    writeEvidence(to, m.evidence);
    to.close(start);
  }
  if (m.timing !== undefined) {
    const start = to.begin(42);
    writeResultTiming(to, m.timing);
    to.close(start);
  }
  for (const item of list(m.artifacts)) {
    const start = to.begin(50);
    writeArtifact(to, item);
    to.close(start);
  }
  for (const item of list(m.blockers)) {
    const start = to.begin(58);
    writeBlocker(to, item);
    to.close(start);
  }
  if (m.contextOut !== undefined) {
    const start = to.begin(66);
    writeContextOut(to, m.contextOut);
    to.close(start);
  }
  if (m.taskId !== "") putText(to, 122, m.taskId);
  if (m.dispatchId !== "") putText(to, 130, m.dispatchId);
  if (m.attemptNumber !== 0) putInt32(to, 136, m.attemptNumber);
  if (m.usage !== undefined) {
    const start = to.begin(146);
    writeUsage(to, m.usage);
    to.close(start);
  }
  if (m.response !== undefined) {
    const start = to.begin(154);
    writeStructuredResponse(to, m.response);
    to.close(start);
  }
  if (m.commitSha !== "") putText(to, 162, m.commitSha);
  for (const item of list(m.notices)) putText(to, 170, item);
  if (m.budgetNeeded !== undefined) {
    const start = to.begin(186);
    writeBudget(to, m.budgetNeeded);
    to.close(start);
  }
  if (m.approvalNeeded !== undefined) {
    const start = to.begin(194);
    writeToolProposal(to, m.approvalNeeded);
    to.close(start);
  }
}

function writeAgentSnapshot(to: PlainWriter, m: AgentSnapshot): void {
  if (m.$typeName !== "vasini.agent.v1.AgentSnapshot" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.instanceId !== "") putText(to, 10, m.instanceId);
  if (m.consecutiveFailures !== 0) putInt32(to, 16, m.consecutiveFailures);
  if (m.lastError !== "") putText(to, 26, m.lastError);
}

function writeAgentWork(to: PlainWriter, m: AgentWork): void {
  if (m.$typeName !== "vasini.agent.v1.AgentWork" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.succeeded !== 0) putInt32(to, 8, m.succeeded);
  if (m.failed !== 0) putInt32(to, 16, m.failed);
  if (m.consecutiveFailures !== 0) putInt32(to, 24, m.consecutiveFailures);
  if (m.failing !== false) putBool(to, 32, m.failing);
  if (m.lastFailure !== undefined) {
    const start = to.begin(42);
    writeAgentAttempt(to, m.lastFailure);
    to.close(start);
  }
  for (const item of list(m.recentAttempts)) {
    const start = to.begin(50);
    writeAgentAttempt(to, item);
    to.close(start);
  }
  if (m.busyWindow !== undefined) {
    const start = to.begin(58);
    writeDuration(to, m.busyWindow);
    to.close(start);
  }
  if (!Object.is(m.busyShare, 0)) putDouble(to, 65, m.busyShare);
}

function writeAlignmentDifference(to: PlainWriter, m: AlignmentDifference): void {
  if (m.$typeName !== "vasini.agent.v1.AlignmentDifference" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.stageId !== "") putText(to, 18, m.stageId);
  if (m.was !== 0) putInt32(to, 24, m.was);
  if (m.wouldBe !== 0) putInt32(to, 32, m.wouldBe);
  if (m.reason !== "") putText(to, 42, m.reason);
}

function writeAlignmentReport(to: PlainWriter, m: AlignmentReport): void {
  if (m.$typeName !== "vasini.agent.v1.AlignmentReport" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.verdict !== 0) putInt32(to, 8, m.verdict);
  if (m.subject !== 0) putInt32(to, 16, m.subject);
  if (m.stageId !== "") putText(to, 26, m.stageId);
  if (m.dispatchId !== "") putText(to, 34, m.dispatchId);
  if (m.effectiveLevel !== 0) putInt32(to, 40, m.effectiveLevel);
  if (m.levelReason !== "") putText(to, 50, m.levelReason);
  for (const item of list(m.readings)) {
    const start = to.begin(58);
    writePressureReading(to, item);
    to.close(start);
  }
  for (const item of list(m.checks)) {
    const start = to.begin(66);
    writePolicyCheck(to, item);
    to.close(start);
  }
  for (const item of list(m.violations)) {
    const start = to.begin(74);
    writeAlignmentViolation(to, item);
    to.close(start);
  }
  for (const item of list(m.citations)) putText(to, 82, item);
  if (m.constitutionDigest !== "") putText(to, 90, m.constitutionDigest);
  if (m.cache !== undefined) {
    const start = to.begin(98);
    writeCacheEvidence(to, m.cache);
    to.close(start);
  }
  for (const item of list(m.consultations)) {
    const start = to.begin(106);
    writeConsultation(to, item);
    to.close(start);
  }
  if (m.escalationId !== "") putText(to, 114, m.escalationId);
  if (m.decidedBy !== "") putText(to, 122, m.decidedBy);
  if (m.decisionReason !== "") putText(to, 130, m.decisionReason);
  if (m.decidedAt !== undefined) {
    const start = to.begin(138);
    writeTimestamp(to, m.decidedAt);
    to.close(start);
  }
}

function writeAlignmentViolation(to: PlainWriter, m: AlignmentViolation): void {
  if (m.$typeName !== "vasini.agent.v1.AlignmentViolation" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.principle !== "") putText(to, 10, m.principle);
  if (m.severity !== "") putText(to, 18, m.severity);
  if (m.evidence !== "") putText(to, 26, m.evidence);
  if (m.check !== "") putText(to, 34, m.check);
  if (m.path !== "") putText(to, 42, m.path);
}

function writeArtifact(to: PlainWriter, m: Artifact): void {
  if (m.$typeName !== "vasini.agent.v1.Artifact" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.path !== "") putText(to, 10, m.path);
  if (m.action !== 0) putInt32(to, 16, m.action);
  if (m.digest !== "") putText(to, 26, m.digest);
}

function writeAttachAcknowledged(to: PlainWriter, m: AttachAcknowledged): void {
  if (m.$typeName !== "vasini.agent.v1.AttachAcknowledged" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.sequence !== 0n) putInt64(to, 8, m.sequence);
}

function writeAttachAgentRequest(to: PlainWriter, m: AttachAgentRequest): void {
  if (m.$typeName !== "vasini.agent.v1.AttachAgentRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.sequence !== 0n) putInt64(to, 8, m.sequence);
  if (m.dispatchId !== "") putText(to, 18, m.dispatchId);
  if (m.message.case === "hello") {
    const start = to.begin(26);
    writeAttachHello(to, m.message.value);
    to.close(start);
  }
  if (m.message.case === "heartbeat") {
    const start = to.begin(34);
    writeAgentHeartbeat(to, m.message.value);
    to.close(start);
  }
  if (m.message.case === "turn") {
    const start = to.begin(42);
    writeTurnEnvelope(to, m.message.value);
    to.close(start);
  }
  if (m.message.case === "event") {
    const start = to.begin(50);
    writeEvent(to, m.message.value);
    to.close(start);
  }
  if (m.message.case === "result") {
    const start = to.begin(58);
    writeAgentResult(to, m.message.value);
    to.close(start);
  }
  if (m.message.case === "cancelled") {
    const start = to.begin(66);
    writeCancelAgentResponse(to, m.message.value);
    to.close(start);
  }
  if (m.message.case === "step") {
    const start = to.begin(74);
    writeStep(to, m.message.value);
    to.close(start);
  }
}

function writeAttachAgentResponse(to: PlainWriter, m: AttachAgentResponse): void {
  if (m.$typeName !== "vasini.agent.v1.AttachAgentResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.message.case === "welcome") {
    const start = to.begin(10);
    writeAttachWelcome(to, m.message.value);
    to.close(start);
  }
  if (m.message.case === "dispatch") {
    const start = to.begin(18);
    writeTaskEnvelope(to, m.message.value);
    to.close(start);
  }
  if (m.message.case === "cancel") {
    const start = to.begin(26);
    writeCancelAgentRequest(to, m.message.value);
    to.close(start);
  }
  if (m.message.case === "acknowledged") {
    const start = to.begin(34);
    writeAttachAcknowledged(to, m.message.value);
    to.close(start);
  }
  if (m.message.case === "refused") {
    const start = to.begin(42);
    writeAttachRefused(to, m.message.value);
    to.close(start);
  }
  if (m.message.case === "drain") {
    const start = to.begin(50);
    writeAttachDrain(to, m.message.value);
    to.close(start);
  }
}

function writeAttachDrain(to: PlainWriter, m: AttachDrain): void {
  if (m.$typeName !== "vasini.agent.v1.AttachDrain" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.reason !== "") putText(to, 10, m.reason);
  if (m.grace !== undefined) {
    const start = to.begin(18);
    writeDuration(to, m.grace);
    to.close(start);
  }
}

function writeAttachHello(to: PlainWriter, m: AttachHello): void {
  if (m.$typeName !== "vasini.agent.v1.AttachHello" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.manifest !== undefined) {
    const start = to.begin(10);
    writeAgentManifest(to, m.manifest);
    to.close(start);
  }
  if (m.heartbeat !== undefined) {
    const start = to.begin(18);
    writeAgentHeartbeat(to, m.heartbeat);
    to.close(start);
  }
  if (m.resumeSessionId !== "") putText(to, 26, m.resumeSessionId);
  for (const item of list(m.heldDispatches)) {
    const start = to.begin(34);
    writeHeldDispatch(to, item);
    to.close(start);
  }
}

function writeAttachRefused(to: PlainWriter, m: AttachRefused): void {
  if (m.$typeName !== "vasini.agent.v1.AttachRefused" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.sequence !== 0n) putInt64(to, 8, m.sequence);
  if (m.error !== undefined) {
    const start = to.begin(18);
    writeErrorDetail(to, m.error);
    to.close(start);
  }
}

function writeAttachWelcome(to: PlainWriter, m: AttachWelcome): void {
  if (m.$typeName !== "vasini.agent.v1.AttachWelcome" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.sessionId !== "") putText(to, 10, m.sessionId);
  if (m.acknowledgedSequence !== 0n) putInt64(to, 16, m.acknowledgedSequence);
  if (m.leaseTtl !== undefined) {
    const start = to.begin(26);
    writeDuration(to, m.leaseTtl);
    to.close(start);
  }
  if (m.heartbeatInterval !== undefined) {
    const start = to.begin(34);
    writeDuration(to, m.heartbeatInterval);
    to.close(start);
  }
  if (m.orchestratorVersion !== "") putText(to, 42, m.orchestratorVersion);
}

function writeAttemptSummary(to: PlainWriter, m: AttemptSummary): void {
  if (m.$typeName !== "vasini.agent.v1.AttemptSummary" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.dispatchId !== "") putText(to, 10, m.dispatchId);
  if (m.stageId !== "") putText(to, 18, m.stageId);
  if (m.attemptNumber !== 0) putInt32(to, 24, m.attemptNumber);
  if (m.packId !== "") putText(to, 34, m.packId);
  if (m.instanceId !== "") putText(to, 42, m.instanceId);
  if (m.sentAt !== undefined) {
    const start = to.begin(50);
    writeTimestamp(to, m.sentAt);
    to.close(start);
  }
  if (m.receivedAt !== undefined) {
    const start = to.begin(58);
    writeTimestamp(to, m.receivedAt);
    to.close(start);
  }
  if (m.reviewAt !== undefined) {
    const start = to.begin(66);
    writeTimestamp(to, m.reviewAt);
    to.close(start);
  }
  if (m.endedAt !== undefined) {
    const start = to.begin(74);
    writeTimestamp(to, m.endedAt);
    to.close(start);
  }
  if (m.ending !== 0) putInt32(to, 80, m.ending);
  if (m.reason !== "") putText(to, 90, m.reason);
  if (m.outcome !== 0) putInt32(to, 96, m.outcome);
  if (m.setAside !== false) putBool(to, 104, m.setAside);
  if (m.unchecked !== false) putBool(to, 112, m.unchecked);
  if (m.checksUnknown !== false) putBool(to, 120, m.checksUnknown);
}

function writeAuditActor(to: PlainWriter, m: AuditActor): void {
  if (m.$typeName !== "vasini.agent.v1.AuditActor" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.type !== 0) putInt32(to, 8, m.type);
  if (m.id !== "") putText(to, 18, m.id);
}

function writeAuditCheckpoint(to: PlainWriter, m: AuditCheckpoint): void {
  if (m.$typeName !== "vasini.agent.v1.AuditCheckpoint" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.tenantId !== "") putText(to, 10, m.tenantId);
  if (m.sequence !== 0n) putInt64(to, 16, m.sequence);
  if (!isEmpty(m.entryHash)) putBytes(to, 26, m.entryHash);
  if (!isEmpty(m.rootHash)) putBytes(to, 34, m.rootHash);
  if (m.issuedAt !== undefined) {
    const start = to.begin(42);
    writeTimestamp(to, m.issuedAt);
    to.close(start);
  }
  if (m.keyId !== "") putText(to, 50, m.keyId);
  if (!isEmpty(m.signature)) putBytes(to, 58, m.signature);
}

function writeAuditEntry(to: PlainWriter, m: AuditEntry): void {
  if (m.$typeName !== "vasini.agent.v1.AuditEntry" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.auditId !== "") putText(to, 10, m.auditId);
  if (m.eventType !== 0) putInt32(to, 16, m.eventType);
  if (m.timestamp !== undefined) {
    const start = to.begin(26);
    writeTimestamp(to, m.timestamp);
    to.close(start);
  }
  if (m.protocolVersion !== undefined) {
    const start = to.begin(34);
    writeProtocolVersion(to, m.protocolVersion);
    to.close(start);
  }
  if (m.traceId !== "") putText(to, 42, m.traceId);
  if (m.tenantId !== "") putText(to, 50, m.tenantId);
  if (m.pipelineId !== "") putText(to, 58, m.pipelineId);
  if (m.stageId !== "") putText(to, 66, m.stageId);
  if (m.dispatchId !== "") putText(to, 74, m.dispatchId);
  if (m.attemptNumber !== 0) putInt32(to, 80, m.attemptNumber);
  if (m.packId !== "") putText(to, 90, m.packId);
  if (m.actor !== undefined) {
    const start = to.begin(98);
    writeAuditActor(to, m.actor);
    to.close(start);
  }
  if (m.action !== "") putText(to, 106, m.action);
  if (m.rationale !== "") putText(to, 114, m.rationale);
  if (m.snapshot !== undefined) {
    const start = to.begin(122);
    writeAuditSnapshot(to, m.snapshot);
    to.close(start);
  }
  if (m.sequence !== 0n) putInt64(to, 184, m.sequence);
  if (m.previousHash !== undefined) putBytes(to, 194, m.previousHash);
  if (m.entryHash !== undefined) putBytes(to, 202, m.entryHash);
}

function writeAuditKey(to: PlainWriter, m: AuditKey): void {
  if (m.$typeName !== "vasini.agent.v1.AuditKey" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.keyId !== "") putText(to, 10, m.keyId);
  if (!isEmpty(m.publicKey)) putBytes(to, 18, m.publicKey);
}

function writeAuditSnapshot(to: PlainWriter, m: AuditSnapshot): void {
  if (m.$typeName !== "vasini.agent.v1.AuditSnapshot" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.snapshotPayload.case === "dispatch") {
    const start = to.begin(10);
    writeDispatchSnapshot(to, m.snapshotPayload.value);
    to.close(start);
  }
  if (m.snapshotPayload.case === "result") {
    const start = to.begin(18);
    writeResultSnapshot(to, m.snapshotPayload.value);
    to.close(start);
  }
  if (m.snapshotPayload.case === "gate") {
    const start = to.begin(26);
    writeGateSnapshot(to, m.snapshotPayload.value);
    to.close(start);
  }
  if (m.snapshotPayload.case === "escalation") {
    const start = to.begin(34);
    writeEscalationSnapshot(to, m.snapshotPayload.value);
    to.close(start);
  }
  if (m.snapshotPayload.case === "pipeline") {
    const start = to.begin(130);
    writePipelineSnapshot(to, m.snapshotPayload.value);
    to.close(start);
  }
  if (m.snapshotPayload.case === "timeout") {
    const start = to.begin(138);
    writeTimeoutSnapshot(to, m.snapshotPayload.value);
    to.close(start);
  }
  if (m.snapshotPayload.case === "agent") {
    const start = to.begin(146);
    writeAgentSnapshot(to, m.snapshotPayload.value);
    to.close(start);
  }
  if (m.snapshotPayload.case === "guardrails") {
    const start = to.begin(154);
    writeGuardrailSnapshot(to, m.snapshotPayload.value);
    to.close(start);
  }
  if (m.snapshotPayload.case === "alignment") {
    const start = to.begin(162);
    writeAlignmentReport(to, m.snapshotPayload.value);
    to.close(start);
  }
}

function writeBaseTestsRun(to: PlainWriter, m: BaseTestsRun): void {
  if (m.$typeName !== "vasini.agent.v1.BaseTestsRun" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.changedTests)) putText(to, 10, item);
  if (m.passed !== false) putBool(to, 16, m.passed);
  if (m.exitCode !== 0) putInt32(to, 24, m.exitCode);
  if (m.output !== "") putText(to, 34, m.output);
}

function writeBlocker(to: PlainWriter, m: Blocker): void {
  if (m.$typeName !== "vasini.agent.v1.Blocker" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.description !== "") putText(to, 10, m.description);
  if (m.blockerType !== 0) putInt32(to, 16, m.blockerType);
  if (m.suggestedResolution !== "") putText(to, 26, m.suggestedResolution);
}

function writeBranchRewind(to: PlainWriter, m: BranchRewind): void {
  if (m.$typeName !== "vasini.agent.v1.BranchRewind" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.branch !== "") putText(to, 10, m.branch);
  if (m.commitNow !== "") putText(to, 18, m.commitNow);
  if (m.commitThen !== "") putText(to, 26, m.commitThen);
  if (m.keptAs !== "") putText(to, 34, m.keptAs);
  for (const item of list(m.givenUp)) {
    const start = to.begin(42);
    writeCommitLine(to, item);
    to.close(start);
  }
  for (const item of list(m.regained)) {
    const start = to.begin(50);
    writeCommitLine(to, item);
    to.close(start);
  }
  for (const item of list(m.files)) {
    const start = to.begin(58);
    writeFileChange(to, item);
    to.close(start);
  }
}

function writeBudget(to: PlainWriter, m: Budget): void {
  if (m.$typeName !== "vasini.agent.v1.Budget" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.maxTokens !== undefined) putInt64(to, 8, m.maxTokens);
  if (m.maxCostMicroUsd !== undefined) putInt64(to, 16, m.maxCostMicroUsd);
  if (m.maxSteps !== undefined) putInt32(to, 24, m.maxSteps);
}

function writeCacheEvidence(to: PlainWriter, m: CacheEvidence): void {
  if (m.$typeName !== "vasini.agent.v1.CacheEvidence" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.hit !== false) putBool(to, 8, m.hit);
  if (m.cacheKey !== "") putText(to, 18, m.cacheKey);
  if (m.ageSec !== 0n) putInt64(to, 24, m.ageSec);
  if (m.sourceTaskId !== "") putText(to, 34, m.sourceTaskId);
  if (m.sourcePipelineId !== "") putText(to, 42, m.sourcePipelineId);
  if (m.missReason !== "") putText(to, 50, m.missReason);
}

function writeCachePolicy(to: PlainWriter, m: CachePolicy): void {
  if (m.$typeName !== "vasini.agent.v1.CachePolicy" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.mode !== 0) putInt32(to, 8, m.mode);
  if (m.maxAge !== undefined) {
    const start = to.begin(18);
    writeDuration(to, m.maxAge);
    to.close(start);
  }
  if (m.mustAlign !== false) putBool(to, 24, m.mustAlign);
}

function writeCacheRecord(to: PlainWriter, m: CacheRecord): void {
  if (m.$typeName !== "vasini.agent.v1.CacheRecord" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.cacheKey !== "") putText(to, 10, m.cacheKey);
  if (m.storedAt !== undefined) {
    const start = to.begin(18);
    writeTimestamp(to, m.storedAt);
    to.close(start);
  }
  if (m.producer !== "") putText(to, 26, m.producer);
  if (m.alignment !== undefined) {
    const start = to.begin(34);
    writeAlignmentReport(to, m.alignment);
    to.close(start);
  }
  if (m.result !== undefined) {
    const start = to.begin(42);
    writeAgentResult(to, m.result);
    to.close(start);
  }
  if (m.fingerprint !== "") putText(to, 50, m.fingerprint);
  if (m.sapVersion !== "") putText(to, 58, m.sapVersion);
  if (m.capability !== "") putText(to, 66, m.capability);
  if (m.territory !== "") putText(to, 74, m.territory);
  if (m.sourceTaskId !== "") putText(to, 82, m.sourceTaskId);
  if (m.sourcePipelineId !== "") putText(to, 90, m.sourcePipelineId);
  if (m.riskTier !== 0) putInt32(to, 96, m.riskTier);
  if (m.revocation !== undefined) {
    const start = to.begin(106);
    writeCacheRevocation(to, m.revocation);
    to.close(start);
  }
  if (m.digest !== "") putText(to, 114, m.digest);
}

function writeCacheRevocation(to: PlainWriter, m: CacheRevocation): void {
  if (m.$typeName !== "vasini.agent.v1.CacheRevocation" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.reason !== "") putText(to, 10, m.reason);
  if (m.by !== "") putText(to, 18, m.by);
}

function writeCancelAgentRequest(to: PlainWriter, m: CancelAgentRequest): void {
  if (m.$typeName !== "vasini.agent.v1.CancelAgentRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.dispatchId !== "") putText(to, 10, m.dispatchId);
  if (m.attemptNumber !== 0) putInt32(to, 16, m.attemptNumber);
  if (m.reason !== 0) putInt32(to, 24, m.reason);
  if (m.explanation !== "") putText(to, 34, m.explanation);
  if (m.trace !== undefined) {
    const start = to.begin(42);
    writeTraceContext(to, m.trace);
    to.close(start);
  }
}

function writeCancelAgentResponse(to: PlainWriter, m: CancelAgentResponse): void {
  if (m.$typeName !== "vasini.agent.v1.CancelAgentResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.outcome !== 0) putInt32(to, 8, m.outcome);
}

function writeCancelStageRequest(to: PlainWriter, m: CancelStageRequest): void {
  if (m.$typeName !== "vasini.agent.v1.CancelStageRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.stageId !== "") putText(to, 18, m.stageId);
  if (m.reason !== "") putText(to, 26, m.reason);
}

function writeCancelStageResponse(to: PlainWriter, m: CancelStageResponse): void {
  if (m.$typeName !== "vasini.agent.v1.CancelStageResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipeline !== undefined) {
    const start = to.begin(10);
    writePipeline(to, m.pipeline);
    to.close(start);
  }
}

function writeCandidateVerdict(to: PlainWriter, m: CandidateVerdict): void {
  if (m.$typeName !== "vasini.agent.v1.CandidateVerdict" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.packId !== "") putText(to, 10, m.packId);
  if (m.instanceId !== "") putText(to, 18, m.instanceId);
  if (m.eligible !== false) putBool(to, 24, m.eligible);
  if (m.rank !== 0) putInt32(to, 32, m.rank);
  if (m.reason !== "") putText(to, 42, m.reason);
}

function writeChangeHeuristicsRequest(to: PlainWriter, m: ChangeHeuristicsRequest): void {
  if (m.$typeName !== "vasini.agent.v1.ChangeHeuristicsRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.essence !== undefined) {
    const start = to.begin(10);
    writeEssenceRule(to, m.essence);
    to.close(start);
  }
  for (const item of list(m.harmlessTools)) putText(to, 18, item);
  for (const item of list(m.actingTools)) putText(to, 26, item);
  if (m.reason !== "") putText(to, 34, m.reason);
}

function writeChangeHeuristicsResponse(to: PlainWriter, m: ChangeHeuristicsResponse): void {
  if (m.$typeName !== "vasini.agent.v1.ChangeHeuristicsResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.heuristics !== undefined) {
    const start = to.begin(10);
    writeHeuristics(to, m.heuristics);
    to.close(start);
  }
}

function writeChangeLimitsRequest(to: PlainWriter, m: ChangeLimitsRequest): void {
  if (m.$typeName !== "vasini.agent.v1.ChangeLimitsRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.reason !== "") putText(to, 18, m.reason);
  if (m.budget !== undefined) {
    const start = to.begin(26);
    writeBudget(to, m.budget);
    to.close(start);
  }
  if (m.deadline !== undefined) {
    const start = to.begin(34);
    writeTimestamp(to, m.deadline);
    to.close(start);
  }
}

function writeChangeLimitsResponse(to: PlainWriter, m: ChangeLimitsResponse): void {
  if (m.$typeName !== "vasini.agent.v1.ChangeLimitsResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipeline !== undefined) {
    const start = to.begin(10);
    writePipeline(to, m.pipeline);
    to.close(start);
  }
}

function writeChangeSize(to: PlainWriter, m: ChangeSize): void {
  if (m.$typeName !== "vasini.agent.v1.ChangeSize" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.files !== 0) putInt32(to, 8, m.files);
  if (m.addedLines !== 0) putInt32(to, 16, m.addedLines);
  if (m.removedLines !== 0) putInt32(to, 24, m.removedLines);
}

function writeCheckClaim(to: PlainWriter, m: CheckClaim): void {
  if (m.$typeName !== "vasini.agent.v1.CheckClaim" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.command !== "") putText(to, 10, m.command);
  if (m.output !== "") putText(to, 18, m.output);
  if (m.passed !== false) putBool(to, 24, m.passed);
}

function writeCheckRun(to: PlainWriter, m: CheckRun): void {
  if (m.$typeName !== "vasini.agent.v1.CheckRun" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.command !== "") putText(to, 10, m.command);
  if (m.passed !== false) putBool(to, 16, m.passed);
  if (m.exitCode !== 0) putInt32(to, 24, m.exitCode);
  if (m.output !== "") putText(to, 34, m.output);
  if (m.duration !== undefined) {
    const start = to.begin(42);
    writeDuration(to, m.duration);
    to.close(start);
  }
  if (m.sandbox !== "") putText(to, 50, m.sandbox);
  if (m.sandboxWarning !== "") putText(to, 58, m.sandboxWarning);
  if (m.baseTests !== undefined) {
    const start = to.begin(66);
    writeBaseTestsRun(to, m.baseTests);
    to.close(start);
  }
}

function writeClarification(to: PlainWriter, m: Clarification): void {
  if (m.$typeName !== "vasini.agent.v1.Clarification" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.question !== "") putText(to, 10, m.question);
  if (m.answer !== "") putText(to, 18, m.answer);
  if (m.answeredBy !== "") putText(to, 26, m.answeredBy);
  if (m.answeredAt !== undefined) {
    const start = to.begin(34);
    writeTimestamp(to, m.answeredAt);
    to.close(start);
  }
  if (m.tool !== undefined) {
    const start = to.begin(42);
    writeToolDecision(to, m.tool);
    to.close(start);
  }
}

function writeCommitLine(to: PlainWriter, m: CommitLine): void {
  if (m.$typeName !== "vasini.agent.v1.CommitLine" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.commit !== "") putText(to, 10, m.commit);
  if (m.subject !== "") putText(to, 18, m.subject);
}

function writeCompareConstitutionRequest(to: PlainWriter, m: CompareConstitutionRequest): void {
  if (m.$typeName !== "vasini.agent.v1.CompareConstitutionRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.file !== undefined) {
    const start = to.begin(10);
    writeData(to, m.file);
    to.close(start);
  }
  if (m.decisions !== 0) putInt32(to, 16, m.decisions);
}

function writeCompareConstitutionResponse(to: PlainWriter, m: CompareConstitutionResponse): void {
  if (m.$typeName !== "vasini.agent.v1.CompareConstitutionResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.decisionsSeen !== 0) putInt32(to, 8, m.decisionsSeen);
  for (const item of list(m.differences)) {
    const start = to.begin(18);
    writeAlignmentDifference(to, item);
    to.close(start);
  }
  for (const item of list(m.notRun)) putText(to, 26, item);
}

function writeCompareRoutingRequest(to: PlainWriter, m: CompareRoutingRequest): void {
  if (m.$typeName !== "vasini.agent.v1.CompareRoutingRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.route !== undefined) {
    const start = to.begin(10);
    writeRouteView(to, m.route);
    to.close(start);
  }
  if (m.pipelines !== 0) putInt32(to, 16, m.pipelines);
}

function writeCompareRoutingResponse(to: PlainWriter, m: CompareRoutingResponse): void {
  if (m.$typeName !== "vasini.agent.v1.CompareRoutingResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.dispatchesSeen !== 0) putInt32(to, 8, m.dispatchesSeen);
  for (const item of list(m.differences)) {
    const start = to.begin(18);
    writeRoutingDifference(to, item);
    to.close(start);
  }
  if (m.pipelinesLookedAt !== 0) putInt32(to, 24, m.pipelinesLookedAt);
}

function writeConstitutionRule(to: PlainWriter, m: ConstitutionRule): void {
  if (m.$typeName !== "vasini.agent.v1.ConstitutionRule" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.principle !== "") putText(to, 10, m.principle);
  if (m.isConstraint !== false) putBool(to, 16, m.isConstraint);
  if (m.description !== "") putText(to, 26, m.description);
  if (m.severity !== "") putText(to, 34, m.severity);
  if (m.check !== "") putText(to, 42, m.check);
  if (m.kind !== "") putText(to, 50, m.kind);
  if (m.on !== "") putText(to, 58, m.on);
  if (m.checked !== 0) putInt32(to, 64, m.checked);
  if (m.fired !== 0) putInt32(to, 72, m.fired);
  if (m.escalated !== 0) putInt32(to, 80, m.escalated);
  if (m.overruled !== 0) putInt32(to, 88, m.overruled);
}

function writeConsultation(to: PlainWriter, m: Consultation): void {
  if (m.$typeName !== "vasini.agent.v1.Consultation" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.packId !== "") putText(to, 18, m.packId);
  if (m.verdict !== 0) putInt32(to, 24, m.verdict);
  if (m.notes !== "") putText(to, 34, m.notes);
}

function writeContextIn(to: PlainWriter, m: ContextIn): void {
  if (m.$typeName !== "vasini.agent.v1.ContextIn" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.sharedContext !== "") putText(to, 10, m.sharedContext);
  if (m.taskDelta !== "") putText(to, 18, m.taskDelta);
  if (m.decisionMemo !== undefined) {
    const start = to.begin(26);
    writeDecisionMemo(to, m.decisionMemo);
    to.close(start);
  }
  for (const item of list(m.criticalSnippets)) {
    const start = to.begin(34);
    writeSnippetRef(to, item);
    to.close(start);
  }
  for (const item of list(m.unresolvedAssumptions)) putText(to, 42, item);
}

function writeContextOut(to: PlainWriter, m: ContextOut): void {
  if (m.$typeName !== "vasini.agent.v1.ContextOut" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.decisionsMade)) {
    const start = to.begin(10);
    writeDecision(to, item);
    to.close(start);
  }
  for (const item of list(m.risksIdentified)) putText(to, 18, item);
  for (const item of list(m.assumptionsMade)) putText(to, 26, item);
  if (m.rollbackNotes !== "") putText(to, 34, m.rollbackNotes);
}

function writeContextPropagation(to: PlainWriter, m: ContextPropagation): void {
  if (m.$typeName !== "vasini.agent.v1.ContextPropagation" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.mode !== 0) putInt32(to, 8, m.mode);
  for (const item of list(m.carryFields)) putText(to, 18, item);
  if (m.carryArtifacts !== false) putBool(to, 24, m.carryArtifacts);
  if (m.carryDecisions !== false) putBool(to, 32, m.carryDecisions);
  if (m.carryRisks !== false) putBool(to, 40, m.carryRisks);
}

function writeContract(to: PlainWriter, m: Contract): void {
  if (m.$typeName !== "vasini.agent.v1.Contract" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.taskId !== "") putText(to, 10, m.taskId);
  if (m.title !== "") putText(to, 18, m.title);
  if (m.ownerDomain !== "") putText(to, 26, m.ownerDomain);
  for (const item of list(m.acceptanceCriteria)) putText(to, 34, item);
  for (const item of list(m.nonGoals)) putText(to, 42, item);
  if (m.expectedFiles !== undefined) {
    const start = to.begin(50);
    writeFileManifest(to, m.expectedFiles);
    to.close(start);
  }
  if (m.tests !== undefined) {
    const start = to.begin(58);
    writeTestContract(to, m.tests);
    to.close(start);
  }
  if (m.io !== undefined) {
    const start = to.begin(66);
    writeIOContract(to, m.io);
    to.close(start);
  }
  if (m.environment !== undefined) {
    const start = to.begin(74);
    writeEnvironment(to, m.environment);
    to.close(start);
  }
  for (const item of list(m.definitionOfDone)) putText(to, 82, item);
  for (const item of list(m.requiredTools)) putText(to, 130, item);
}

function writeDecision(to: PlainWriter, m: Decision): void {
  if (m.$typeName !== "vasini.agent.v1.Decision" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.decisionId !== "") putText(to, 10, m.decisionId);
  if (m.description !== "") putText(to, 18, m.description);
  if (m.rationale !== "") putText(to, 26, m.rationale);
  if (m.sourceTask !== "") putText(to, 34, m.sourceTask);
  if (m.decidedAt !== undefined) {
    const start = to.begin(42);
    writeTimestamp(to, m.decidedAt);
    to.close(start);
  }
}

function writeDecisionMemo(to: PlainWriter, m: DecisionMemo): void {
  if (m.$typeName !== "vasini.agent.v1.DecisionMemo" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.decisions)) {
    const start = to.begin(10);
    writeDecision(to, item);
    to.close(start);
  }
}

function writeDefinitionDigest(to: PlainWriter, m: DefinitionDigest): void {
  if (m.$typeName !== "vasini.agent.v1.DefinitionDigest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.part !== "") putText(to, 10, m.part);
  if (m.digest !== "") putText(to, 18, m.digest);
}

function writeDispatchSnapshot(to: PlainWriter, m: DispatchSnapshot): void {
  if (m.$typeName !== "vasini.agent.v1.DispatchSnapshot" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.selectedPackId !== "") putText(to, 10, m.selectedPackId);
  for (const item of list(m.candidatePackIds)) putText(to, 18, item);
  if (m.routingPolicyVersion !== "") putText(to, 26, m.routingPolicyVersion);
  if (m.rejectionReasons !== "") putText(to, 34, m.rejectionReasons);
  if (m.contextLevelApplied !== 0) putInt32(to, 40, m.contextLevelApplied);
  if (m.attemptNumber !== 0) putInt32(to, 48, m.attemptNumber);
  for (const item of list(m.refFreshness)) {
    const start = to.begin(58);
    writeRefFreshnessCheck(to, item);
    to.close(start);
  }
  for (const item of list(m.candidates)) {
    const start = to.begin(90);
    writeCandidateVerdict(to, item);
    to.close(start);
  }
  if (m.selectedInstanceId !== "") putText(to, 98, m.selectedInstanceId);
  if (m.usedFallback !== false) putBool(to, 104, m.usedFallback);
  for (const item of list(m.omittedContext)) putText(to, 114, item);
  if (m.baseCommit !== "") putText(to, 122, m.baseCommit);
  for (const item of list(m.definition)) {
    const start = to.begin(130);
    writeDefinitionDigest(to, item);
    to.close(start);
  }
}

function writeDuration(to: PlainWriter, m: Duration): void {
  if (m.$typeName !== "google.protobuf.Duration" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.seconds !== 0n) putInt64(to, 8, m.seconds);
  if (m.nanos !== 0) putInt32(to, 16, m.nanos);
}

function writeEdgeDecision(to: PlainWriter, m: EdgeDecision): void {
  if (m.$typeName !== "vasini.agent.v1.EdgeDecision" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.fromStageId !== "") putText(to, 10, m.fromStageId);
  if (m.toStageId !== "") putText(to, 18, m.toStageId);
  if (m.kind !== 0) putInt32(to, 24, m.kind);
  if (m.condition !== "") putText(to, 34, m.condition);
  if (m.taken !== false) putBool(to, 40, m.taken);
  if (m.values !== undefined) {
    const start = to.begin(50);
    writeData(to, m.values);
    to.close(start);
  }
  if (m.reason !== "") putText(to, 58, m.reason);
  if (m.at !== undefined) {
    const start = to.begin(66);
    writeTimestamp(to, m.at);
    to.close(start);
  }
  if (m.timesTaken !== 0) putInt32(to, 72, m.timesTaken);
  if (m.maxTimes !== 0) putInt32(to, 80, m.maxTimes);
}

function writeEnvironment(to: PlainWriter, m: Environment): void {
  if (m.$typeName !== "vasini.agent.v1.Environment" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.lintCommand !== "") putText(to, 10, m.lintCommand);
  if (m.typecheckCommand !== "") putText(to, 18, m.typecheckCommand);
  if (m.testCommand !== "") putText(to, 26, m.testCommand);
  if (m.buildCommand !== "") putText(to, 34, m.buildCommand);
  if (m.securityCommand !== "") putText(to, 130, m.securityCommand);
}

function writeErrorDetail(to: PlainWriter, m: ErrorDetail): void {
  if (m.$typeName !== "vasini.agent.v1.ErrorDetail" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.code !== "") putText(to, 10, m.code);
  if (m.message !== "") putText(to, 18, m.message);
  if (m.fix !== "") putText(to, 26, m.fix);
  for (const item of list(m.violations)) {
    const start = to.begin(34);
    writeFieldViolation(to, item);
    to.close(start);
  }
  if (m.retryAfter !== undefined) {
    const start = to.begin(42);
    writeDuration(to, m.retryAfter);
    to.close(start);
  }
}

function writeEscalation(to: PlainWriter, m: Escalation): void {
  if (m.$typeName !== "vasini.agent.v1.Escalation" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.escalationId !== "") putText(to, 10, m.escalationId);
  if (m.kind !== 0) putInt32(to, 16, m.kind);
  if (m.pipelineId !== "") putText(to, 26, m.pipelineId);
  if (m.stageId !== "") putText(to, 34, m.stageId);
  if (m.dispatchId !== "") putText(to, 42, m.dispatchId);
  if (m.snapshot !== undefined) {
    const start = to.begin(50);
    writeEscalationSnapshot(to, m.snapshot);
    to.close(start);
  }
  if (m.raisedAt !== undefined) {
    const start = to.begin(58);
    writeTimestamp(to, m.raisedAt);
    to.close(start);
  }
  if (m.resolvedAt !== undefined) {
    const start = to.begin(66);
    writeTimestamp(to, m.resolvedAt);
    to.close(start);
  }
  if (m.riskTier !== 0) putInt32(to, 72, m.riskTier);
  if (m.pipelineName !== "") putText(to, 82, m.pipelineName);
  if (m.packId !== "") putText(to, 90, m.packId);
  if (m.cause !== "") putText(to, 98, m.cause);
}

function writeEscalationPolicy(to: PlainWriter, m: EscalationPolicy): void {
  if (m.$typeName !== "vasini.agent.v1.EscalationPolicy" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.autoEscalateOnSecurityFlag)) putText(to, 10, item);
  if (m.escalateOnPolicyBlocked !== false) putBool(to, 16, m.escalateOnPolicyBlocked);
}

function writeEscalationSnapshot(to: PlainWriter, m: EscalationSnapshot): void {
  if (m.$typeName !== "vasini.agent.v1.EscalationSnapshot" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.problem !== "") putText(to, 10, m.problem);
  if (m.impact !== "") putText(to, 18, m.impact);
  for (const item of list(m.options)) putText(to, 26, item);
  if (m.recommended !== "") putText(to, 34, m.recommended);
  if (m.blocking !== false) putBool(to, 40, m.blocking);
  if (m.resolution !== "") putText(to, 50, m.resolution);
  if (m.resolvedBy !== "") putText(to, 58, m.resolvedBy);
  if (m.admission !== undefined) {
    const start = to.begin(130);
    writeAdmissionSnapshot(to, m.admission);
    to.close(start);
  }
  if (m.change !== undefined) {
    const start = to.begin(138);
    writeChangeSize(to, m.change);
    to.close(start);
  }
  for (const item of list(m.notices)) putText(to, 146, item);
  if (m.toolCall !== undefined) {
    const start = to.begin(154);
    writeToolCallSnapshot(to, m.toolCall);
    to.close(start);
  }
}

function writeEssenceRule(to: PlainWriter, m: EssenceRule): void {
  if (m.$typeName !== "vasini.agent.v1.EssenceRule" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.capability !== "") putText(to, 10, m.capability);
  for (const item of list(m.pointers)) putText(to, 18, item);
}

function writeEvent(to: PlainWriter, m: Event): void {
  if (m.$typeName !== "vasini.agent.v1.Event" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.eventId !== "") putText(to, 10, m.eventId);
  if (m.sessionId !== "") putText(to, 18, m.sessionId);
  if (m.payload.case === "thoughtStream") {
    const start = to.begin(26);
    writeThoughtStream(to, m.payload.value);
    to.close(start);
  }
  if (m.payload.case === "toolInvoked") {
    const start = to.begin(34);
    writeToolLifecycleInvoked(to, m.payload.value);
    to.close(start);
  }
  if (m.payload.case === "toolCompleted") {
    const start = to.begin(42);
    writeToolLifecycleCompleted(to, m.payload.value);
    to.close(start);
  }
  if (m.payload.case === "taskTransition") {
    const start = to.begin(50);
    writeTaskTransition(to, m.payload.value);
    to.close(start);
  }
  if (m.payload.case === "sandboxPulse") {
    const start = to.begin(58);
    writeSandboxPulse(to, m.payload.value);
    to.close(start);
  }
}

function writeEventRecord(to: PlainWriter, m: EventRecord): void {
  if (m.$typeName !== "vasini.agent.v1.EventRecord" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.sequence !== 0n) putInt64(to, 8, m.sequence);
  if (m.recordedAt !== undefined) {
    const start = to.begin(18);
    writeTimestamp(to, m.recordedAt);
    to.close(start);
  }
  if (m.pipelineId !== "") putText(to, 26, m.pipelineId);
  if (m.stageId !== "") putText(to, 34, m.stageId);
  if (m.dispatchId !== "") putText(to, 42, m.dispatchId);
  if (m.event !== undefined) {
    const start = to.begin(50);
    writeEvent(to, m.event);
    to.close(start);
  }
  if (m.withheld !== undefined) {
    const start = to.begin(58);
    writeWithheld(to, m.withheld);
    to.close(start);
  }
}

function writeEvidence(to: PlainWriter, m: Evidence): void {
  if (m.$typeName !== "vasini.agent.v1.Evidence" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.evidencePayload.case === "items") {
    const start = to.begin(10);
    writeEvidenceItems(to, m.evidencePayload.value);
    to.close(start);
  }
  if (m.evidencePayload.case === "noneWithReason") putText(to, 18, m.evidencePayload.value);
}

function writeEvidenceItem(to: PlainWriter, m: EvidenceItem): void {
  if (m.$typeName !== "vasini.agent.v1.EvidenceItem" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.type !== 0) putInt32(to, 8, m.type);
  if (m.command !== "") putText(to, 18, m.command);
  if (m.output !== "") putText(to, 26, m.output);
  if (m.passed !== false) putBool(to, 32, m.passed);
  if (m.exitCode !== undefined) putInt32(to, 72, m.exitCode);
}

function writeEvidenceItems(to: PlainWriter, m: EvidenceItems): void {
  if (m.$typeName !== "vasini.agent.v1.EvidenceItems" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.items)) {
    const start = to.begin(10);
    writeEvidenceItem(to, item);
    to.close(start);
  }
}

function writeExecution(to: PlainWriter, m: Execution): void {
  if (m.$typeName !== "vasini.agent.v1.Execution" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.idempotencyKey !== "") putText(to, 10, m.idempotencyKey);
  if (m.dispatchId !== "") putText(to, 18, m.dispatchId);
  if (m.attemptNumber !== 0) putInt32(to, 24, m.attemptNumber);
  if (m.deadline !== undefined) {
    const start = to.begin(34);
    writeTimestamp(to, m.deadline);
    to.close(start);
  }
  if (m.timeout !== undefined) {
    const start = to.begin(42);
    writeDuration(to, m.timeout);
    to.close(start);
  }
  if (m.priority !== 0) putInt32(to, 48, m.priority);
  if (m.riskTier !== 0) putInt32(to, 56, m.riskTier);
  if (m.patchSizeLimit !== 0) putInt32(to, 64, m.patchSizeLimit);
  if (m.budget !== undefined) {
    const start = to.begin(122);
    writeBudget(to, m.budget);
    to.close(start);
  }
}

function writeExplainDispatchRequest(to: PlainWriter, m: ExplainDispatchRequest): void {
  if (m.$typeName !== "vasini.agent.v1.ExplainDispatchRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.dispatchId !== "") putText(to, 10, m.dispatchId);
}

function writeExplainDispatchResponse(to: PlainWriter, m: ExplainDispatchResponse): void {
  if (m.$typeName !== "vasini.agent.v1.ExplainDispatchResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.snapshot !== undefined) {
    const start = to.begin(10);
    writeDispatchSnapshot(to, m.snapshot);
    to.close(start);
  }
  if (m.explanation !== "") putText(to, 18, m.explanation);
}

function writeExportAuditRequest(to: PlainWriter, m: ExportAuditRequest): void {
  if (m.$typeName !== "vasini.agent.v1.ExportAuditRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.since !== undefined) {
    const start = to.begin(18);
    writeAuditCheckpoint(to, m.since);
    to.close(start);
  }
}

function writeExportAuditResponse(to: PlainWriter, m: ExportAuditResponse): void {
  if (m.$typeName !== "vasini.agent.v1.ExportAuditResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (!isEmpty(m.piece)) putBytes(to, 10, m.piece);
}

function writeFailedCheck(to: PlainWriter, m: FailedCheck): void {
  if (m.$typeName !== "vasini.agent.v1.FailedCheck" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.checkName !== "") putText(to, 10, m.checkName);
  if (m.reason !== "") putText(to, 18, m.reason);
  if (m.evidence !== "") putText(to, 26, m.evidence);
  if (m.claim !== undefined) {
    const start = to.begin(34);
    writeCheckClaim(to, m.claim);
    to.close(start);
  }
  if (m.run !== undefined) {
    const start = to.begin(42);
    writeCheckRun(to, m.run);
    to.close(start);
  }
  if (m.disproved !== false) putBool(to, 48, m.disproved);
}

function writeFieldViolation(to: PlainWriter, m: FieldViolation): void {
  if (m.$typeName !== "vasini.agent.v1.FieldViolation" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.field !== "") putText(to, 10, m.field);
  if (m.rule !== "") putText(to, 18, m.rule);
  if (m.message !== "") putText(to, 26, m.message);
}

function writeFileChange(to: PlainWriter, m: FileChange): void {
  if (m.$typeName !== "vasini.agent.v1.FileChange" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.path !== "") putText(to, 10, m.path);
  if (m.action !== 0) putInt32(to, 16, m.action);
}

function writeFileDiff(to: PlainWriter, m: FileDiff): void {
  if (m.$typeName !== "vasini.agent.v1.FileDiff" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.path !== "") putText(to, 10, m.path);
  if (m.oldPath !== "") putText(to, 18, m.oldPath);
  if (m.action !== 0) putInt32(to, 24, m.action);
  if (m.addedLines !== 0) putInt32(to, 32, m.addedLines);
  if (m.removedLines !== 0) putInt32(to, 40, m.removedLines);
  if (m.test !== false) putBool(to, 48, m.test);
  if (m.binary !== false) putBool(to, 56, m.binary);
  if (m.oldMode !== "") putText(to, 66, m.oldMode);
  if (m.newMode !== "") putText(to, 74, m.newMode);
  if (m.diff !== "") putText(to, 82, m.diff);
  if (m.linesLeftOut !== 0) putInt32(to, 88, m.linesLeftOut);
  if (m.hiddenCharacters !== 0) putInt32(to, 96, m.hiddenCharacters);
}

function writeFileManifest(to: PlainWriter, m: FileManifest): void {
  if (m.$typeName !== "vasini.agent.v1.FileManifest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.create)) putText(to, 10, item);
  for (const item of list(m.modify)) putText(to, 18, item);
  for (const item of list(m.delete)) putText(to, 26, item);
}

function writeFreshnessPolicy(to: PlainWriter, m: FreshnessPolicy): void {
  if (m.$typeName !== "vasini.agent.v1.FreshnessPolicy" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.maxRefStaleness !== undefined) {
    const start = to.begin(10);
    writeDuration(to, m.maxRefStaleness);
    to.close(start);
  }
  if (m.requireDigest !== false) putBool(to, 16, m.requireDigest);
  if (m.hardMaxRefStaleness !== undefined) {
    const start = to.begin(58);
    writeDuration(to, m.hardMaxRefStaleness);
    to.close(start);
  }
}

function writeGateCheck(to: PlainWriter, m: GateCheck): void {
  if (m.$typeName !== "vasini.agent.v1.GateCheck" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.gateName !== "") putText(to, 10, m.gateName);
  if (m.passed !== false) putBool(to, 16, m.passed);
  if (m.evidence !== "") putText(to, 26, m.evidence);
  if (m.status !== 0) putInt32(to, 128, m.status);
  if (m.claim !== undefined) {
    const start = to.begin(138);
    writeCheckClaim(to, m.claim);
    to.close(start);
  }
  if (m.run !== undefined) {
    const start = to.begin(146);
    writeCheckRun(to, m.run);
    to.close(start);
  }
  if (m.disproved !== false) putBool(to, 152, m.disproved);
}

function writeGateSnapshot(to: PlainWriter, m: GateSnapshot): void {
  if (m.$typeName !== "vasini.agent.v1.GateSnapshot" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.checks)) {
    const start = to.begin(10);
    writeGateCheck(to, item);
    to.close(start);
  }
  if (m.tier !== "") putText(to, 18, m.tier);
  if (m.passed !== false) putBool(to, 24, m.passed);
  if (m.rejectReason !== "") putText(to, 34, m.rejectReason);
  if (m.rewindTargetStage !== "") putText(to, 42, m.rewindTargetStage);
  if (m.attemptsRemaining !== 0) putInt32(to, 128, m.attemptsRemaining);
  if (m.reviewer !== undefined) {
    const start = to.begin(138);
    writeAuditActor(to, m.reviewer);
    to.close(start);
  }
  if (m.commit !== "") putText(to, 146, m.commit);
}

function writeGetAttemptChangesRequest(to: PlainWriter, m: GetAttemptChangesRequest): void {
  if (m.$typeName !== "vasini.agent.v1.GetAttemptChangesRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.dispatchId !== "") putText(to, 10, m.dispatchId);
}

function writeGetAttemptChangesResponse(to: PlainWriter, m: GetAttemptChangesResponse): void {
  if (m.$typeName !== "vasini.agent.v1.GetAttemptChangesResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.patch !== "") putText(to, 10, m.patch);
  if (m.truncated !== false) putBool(to, 16, m.truncated);
  if (m.reason !== "") putText(to, 26, m.reason);
  if (m.baseCommit !== "") putText(to, 34, m.baseCommit);
  if (m.commit !== "") putText(to, 42, m.commit);
}

function writeGetAttemptRequest(to: PlainWriter, m: GetAttemptRequest): void {
  if (m.$typeName !== "vasini.agent.v1.GetAttemptRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.dispatchId !== "") putText(to, 10, m.dispatchId);
  if (m.part !== 0) putInt32(to, 16, m.part);
}

function writeGetAttemptResponse(to: PlainWriter, m: GetAttemptResponse): void {
  if (m.$typeName !== "vasini.agent.v1.GetAttemptResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.summary !== undefined) {
    const start = to.begin(10);
    writeAttemptSummary(to, m.summary);
    to.close(start);
  }
  if (m.envelope !== undefined) {
    const start = to.begin(18);
    writeTaskEnvelope(to, m.envelope);
    to.close(start);
  }
  if (m.result !== undefined) {
    const start = to.begin(26);
    writeAgentResult(to, m.result);
    to.close(start);
  }
  if (m.gate !== undefined) {
    const start = to.begin(34);
    writeGateSnapshot(to, m.gate);
    to.close(start);
  }
  if (m.dispatch !== undefined) {
    const start = to.begin(42);
    writeDispatchSnapshot(to, m.dispatch);
    to.close(start);
  }
  if (m.explanation !== "") putText(to, 50, m.explanation);
  for (const item of list(m.disregarded)) putText(to, 58, item);
  for (const item of list(m.leftOut)) {
    const start = to.begin(66);
    writeLeftOutPart(to, item);
    to.close(start);
  }
}

function writeGetAttemptsRequest(to: PlainWriter, m: GetAttemptsRequest): void {
  if (m.$typeName !== "vasini.agent.v1.GetAttemptsRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.stageId !== "") putText(to, 18, m.stageId);
}

function writeGetAttemptsResponse(to: PlainWriter, m: GetAttemptsResponse): void {
  if (m.$typeName !== "vasini.agent.v1.GetAttemptsResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.attempts)) {
    const start = to.begin(10);
    writeAttemptSummary(to, item);
    to.close(start);
  }
  for (const item of list(m.waits)) {
    const start = to.begin(18);
    writeStageWait(to, item);
    to.close(start);
  }
}

function writeGetAuditCheckpointRequest(to: PlainWriter, m: GetAuditCheckpointRequest): void {
  if (m.$typeName !== "vasini.agent.v1.GetAuditCheckpointRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
}

function writeGetAuditCheckpointResponse(to: PlainWriter, m: GetAuditCheckpointResponse): void {
  if (m.$typeName !== "vasini.agent.v1.GetAuditCheckpointResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.checkpoint !== undefined) {
    const start = to.begin(10);
    writeAuditCheckpoint(to, m.checkpoint);
    to.close(start);
  }
  if (m.key !== undefined) {
    const start = to.begin(18);
    writeAuditKey(to, m.key);
    to.close(start);
  }
}

function writeGetAuditProofRequest(to: PlainWriter, m: GetAuditProofRequest): void {
  if (m.$typeName !== "vasini.agent.v1.GetAuditProofRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.auditId !== "") putText(to, 10, m.auditId);
}

function writeGetAuditProofResponse(to: PlainWriter, m: GetAuditProofResponse): void {
  if (m.$typeName !== "vasini.agent.v1.GetAuditProofResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.entry !== undefined) {
    const start = to.begin(10);
    writeAuditEntry(to, m.entry);
    to.close(start);
  }
  if (m.proof !== undefined) {
    const start = to.begin(18);
    writeInclusionProof(to, m.proof);
    to.close(start);
  }
  if (m.key !== undefined) {
    const start = to.begin(26);
    writeAuditKey(to, m.key);
    to.close(start);
  }
}

function writeGetCacheRecordRequest(to: PlainWriter, m: GetCacheRecordRequest): void {
  if (m.$typeName !== "vasini.agent.v1.GetCacheRecordRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.cacheKey !== "") putText(to, 10, m.cacheKey);
}

function writeGetCacheRecordResponse(to: PlainWriter, m: GetCacheRecordResponse): void {
  if (m.$typeName !== "vasini.agent.v1.GetCacheRecordResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.record !== undefined) {
    const start = to.begin(10);
    writeCacheRecord(to, m.record);
    to.close(start);
  }
}

function writeGetConstitutionRequest(to: PlainWriter, m: GetConstitutionRequest): void {
  if (m.$typeName !== "vasini.agent.v1.GetConstitutionRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
}

function writeGetConstitutionResponse(to: PlainWriter, m: GetConstitutionResponse): void {
  if (m.$typeName !== "vasini.agent.v1.GetConstitutionResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.digest !== "") putText(to, 10, m.digest);
  if (m.version !== "") putText(to, 18, m.version);
  if (m.description !== "") putText(to, 26, m.description);
  for (const item of list(m.rules)) {
    const start = to.begin(34);
    writeConstitutionRule(to, item);
    to.close(start);
  }
  if (m.decisions !== 0) putInt32(to, 40, m.decisions);
}

function writeGetHeuristicsRequest(to: PlainWriter, m: GetHeuristicsRequest): void {
  if (m.$typeName !== "vasini.agent.v1.GetHeuristicsRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
}

function writeGetHeuristicsResponse(to: PlainWriter, m: GetHeuristicsResponse): void {
  if (m.$typeName !== "vasini.agent.v1.GetHeuristicsResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.heuristics !== undefined) {
    const start = to.begin(10);
    writeHeuristics(to, m.heuristics);
    to.close(start);
  }
}

function writeGetPipelineChangesRequest(to: PlainWriter, m: GetPipelineChangesRequest): void {
  if (m.$typeName !== "vasini.agent.v1.GetPipelineChangesRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.dispatchId !== "") putText(to, 10, m.dispatchId);
}

function writeGetPipelineChangesResponse(to: PlainWriter, m: GetPipelineChangesResponse): void {
  if (m.$typeName !== "vasini.agent.v1.GetPipelineChangesResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.baseCommit !== "") putText(to, 10, m.baseCommit);
  if (m.commit !== "") putText(to, 18, m.commit);
  if (m.repository !== "") putText(to, 26, m.repository);
  for (const item of list(m.files)) {
    const start = to.begin(34);
    writeFileDiff(to, item);
    to.close(start);
  }
  if (m.size !== undefined) {
    const start = to.begin(42);
    writeChangeSize(to, m.size);
    to.close(start);
  }
  if (m.filesLeftOut !== 0) putInt32(to, 48, m.filesLeftOut);
  if (m.linesLeftOut !== 0) putInt32(to, 56, m.linesLeftOut);
  if (m.reason !== "") putText(to, 66, m.reason);
}

function writeGetPipelineRequest(to: PlainWriter, m: GetPipelineRequest): void {
  if (m.$typeName !== "vasini.agent.v1.GetPipelineRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
}

function writeGetPipelineResponse(to: PlainWriter, m: GetPipelineResponse): void {
  if (m.$typeName !== "vasini.agent.v1.GetPipelineResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipeline !== undefined) {
    const start = to.begin(10);
    writePipeline(to, m.pipeline);
    to.close(start);
  }
}

function writeGetRoutingPolicyRequest(to: PlainWriter, m: GetRoutingPolicyRequest): void {
  if (m.$typeName !== "vasini.agent.v1.GetRoutingPolicyRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
}

function writeGetRoutingPolicyResponse(to: PlainWriter, m: GetRoutingPolicyResponse): void {
  if (m.$typeName !== "vasini.agent.v1.GetRoutingPolicyResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.policy !== undefined) {
    const start = to.begin(10);
    writeRoutingPolicyView(to, m.policy);
    to.close(start);
  }
  if (m.open !== false) putBool(to, 16, m.open);
}

function writeGetSpendRequest(to: PlainWriter, m: GetSpendRequest): void {
  if (m.$typeName !== "vasini.agent.v1.GetSpendRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.fromDay !== "") putText(to, 10, m.fromDay);
  if (m.toDay !== "") putText(to, 18, m.toDay);
  if (m.byDay !== false) putBool(to, 24, m.byDay);
  if (m.byModel !== false) putBool(to, 32, m.byModel);
  if (m.byPack !== false) putBool(to, 40, m.byPack);
  if (m.byTemplate !== false) putBool(to, 48, m.byTemplate);
}

function writeGetSpendResponse(to: PlainWriter, m: GetSpendResponse): void {
  if (m.$typeName !== "vasini.agent.v1.GetSpendResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.rows)) {
    const start = to.begin(10);
    writeSpendRow(to, item);
    to.close(start);
  }
  if (m.total !== undefined) {
    const start = to.begin(18);
    writeSpendRow(to, m.total);
    to.close(start);
  }
  if (m.moreRows !== false) putBool(to, 24, m.moreRows);
  if (m.fromDay !== "") putText(to, 34, m.fromDay);
  if (m.toDay !== "") putText(to, 42, m.toDay);
  for (const item of list(m.limits)) {
    const start = to.begin(50);
    writeTenantSpendLimit(to, item);
    to.close(start);
  }
}

function writeGetStepsRequest(to: PlainWriter, m: GetStepsRequest): void {
  if (m.$typeName !== "vasini.agent.v1.GetStepsRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.stageId !== "") putText(to, 18, m.stageId);
  if (m.attemptNumber !== 0) putInt32(to, 24, m.attemptNumber);
  if (m.pageSize !== 0) putInt32(to, 32, m.pageSize);
  if (m.pageToken !== "") putText(to, 42, m.pageToken);
  if (m.withValues !== false) putBool(to, 48, m.withValues);
}

function writeGetStepsResponse(to: PlainWriter, m: GetStepsResponse): void {
  if (m.$typeName !== "vasini.agent.v1.GetStepsResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.steps)) {
    const start = to.begin(10);
    writeStepRecord(to, item);
    to.close(start);
  }
  if (m.nextPageToken !== "") putText(to, 18, m.nextPageToken);
}

function writeGetTemplatesRequest(to: PlainWriter, m: GetTemplatesRequest): void {
  if (m.$typeName !== "vasini.agent.v1.GetTemplatesRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
}

function writeGetTemplatesResponse(to: PlainWriter, m: GetTemplatesResponse): void {
  if (m.$typeName !== "vasini.agent.v1.GetTemplatesResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.templates)) {
    const start = to.begin(10);
    writeTemplate(to, item);
    to.close(start);
  }
}

function writeGetTenantRequest(to: PlainWriter, m: GetTenantRequest): void {
  if (m.$typeName !== "vasini.agent.v1.GetTenantRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
}

function writeGetTenantResponse(to: PlainWriter, m: GetTenantResponse): void {
  if (m.$typeName !== "vasini.agent.v1.GetTenantResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.tenant !== undefined) {
    const start = to.begin(10);
    writeTenant(to, m.tenant);
    to.close(start);
  }
}

function writeGetTransitionsRequest(to: PlainWriter, m: GetTransitionsRequest): void {
  if (m.$typeName !== "vasini.agent.v1.GetTransitionsRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.stageId !== "") putText(to, 18, m.stageId);
}

function writeGetTransitionsResponse(to: PlainWriter, m: GetTransitionsResponse): void {
  if (m.$typeName !== "vasini.agent.v1.GetTransitionsResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.transitions)) {
    const start = to.begin(10);
    writeTransition(to, item);
    to.close(start);
  }
}

function writeGetTurnsRequest(to: PlainWriter, m: GetTurnsRequest): void {
  if (m.$typeName !== "vasini.agent.v1.GetTurnsRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.stageId !== "") putText(to, 18, m.stageId);
  if (m.attemptNumber !== 0) putInt32(to, 24, m.attemptNumber);
  if (m.pageSize !== 0) putInt32(to, 32, m.pageSize);
  if (m.pageToken !== "") putText(to, 42, m.pageToken);
}

function writeGetTurnsResponse(to: PlainWriter, m: GetTurnsResponse): void {
  if (m.$typeName !== "vasini.agent.v1.GetTurnsResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.turns)) {
    const start = to.begin(10);
    writeTurnRecord(to, item);
    to.close(start);
  }
  for (const item of list(m.gaps)) {
    const start = to.begin(18);
    writeTurnGap(to, item);
    to.close(start);
  }
  if (m.nextPageToken !== "") putText(to, 26, m.nextPageToken);
}

function writeGetWithheldAnswerRequest(to: PlainWriter, m: GetWithheldAnswerRequest): void {
  if (m.$typeName !== "vasini.agent.v1.GetWithheldAnswerRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.escalationId !== "") putText(to, 10, m.escalationId);
}

function writeGetWithheldAnswerResponse(to: PlainWriter, m: GetWithheldAnswerResponse): void {
  if (m.$typeName !== "vasini.agent.v1.GetWithheldAnswerResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.result !== undefined) {
    const start = to.begin(10);
    writeAgentResult(to, m.result);
    to.close(start);
  }
  if (m.alignment !== undefined) {
    const start = to.begin(18);
    writeAlignmentReport(to, m.alignment);
    to.close(start);
  }
}

function writeGiveFeedbackRequest(to: PlainWriter, m: GiveFeedbackRequest): void {
  if (m.$typeName !== "vasini.agent.v1.GiveFeedbackRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.rating !== 0) putInt32(to, 16, m.rating);
  if (m.note !== "") putText(to, 26, m.note);
  if (m.approval !== 0) putInt32(to, 32, m.approval);
  if (m.correctionJson !== "") putText(to, 42, m.correctionJson);
  if (m.lesson !== 0) putInt32(to, 48, m.lesson);
}

function writeGiveFeedbackResponse(to: PlainWriter, m: GiveFeedbackResponse): void {
  if (m.$typeName !== "vasini.agent.v1.GiveFeedbackResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.signal !== undefined) {
    const start = to.begin(10);
    writeSignal(to, m.signal);
    to.close(start);
  }
  if (m.lesson !== undefined) {
    const start = to.begin(18);
    writeLesson(to, m.lesson);
    to.close(start);
  }
}

function writeGivenLesson(to: PlainWriter, m: GivenLesson): void {
  if (m.$typeName !== "vasini.agent.v1.GivenLesson" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.lessonId !== "") putText(to, 10, m.lessonId);
  if (m.kind !== "") putText(to, 18, m.kind);
  if (m.version !== 0) putInt32(to, 24, m.version);
  if (m.text !== "") putText(to, 34, m.text);
}

function writeGivenSteps(to: PlainWriter, m: GivenSteps): void {
  if (m.$typeName !== "vasini.agent.v1.GivenSteps" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.count !== 0) putInt32(to, 8, m.count);
  for (const item of list(m.steps)) {
    const start = to.begin(18);
    writeStep(to, item);
    to.close(start);
  }
}

function writeGovernance(to: PlainWriter, m: Governance): void {
  if (m.$typeName !== "vasini.agent.v1.Governance" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.sapVersion !== "") putText(to, 10, m.sapVersion);
  if (m.taskId !== "") putText(to, 18, m.taskId);
  if (m.parentTaskId !== "") putText(to, 26, m.parentTaskId);
  if (m.correlationId !== "") putText(to, 34, m.correlationId);
  if (m.issuedAt !== undefined) {
    const start = to.begin(42);
    writeTimestamp(to, m.issuedAt);
    to.close(start);
  }
  if (m.issuer !== undefined) {
    const start = to.begin(50);
    writeTaskIssuer(to, m.issuer);
    to.close(start);
  }
  if (m.capability !== "") putText(to, 58, m.capability);
  if (m.packId !== "") putText(to, 66, m.packId);
  if (m.territory !== "") putText(to, 74, m.territory);
  for (const item of list(m.principles)) putText(to, 82, item);
  for (const item of list(m.pressure)) {
    const start = to.begin(90);
    writePressureReading(to, item);
    to.close(start);
  }
  for (const item of list(m.constraints)) putText(to, 98, item);
  if (m.pressureLevel !== 0) putInt32(to, 104, m.pressureLevel);
  if (m.riskTolerance !== 0) putInt32(to, 112, m.riskTolerance);
  if (m.cachePolicy !== undefined) {
    const start = to.begin(122);
    writeCachePolicy(to, m.cachePolicy);
    to.close(start);
  }
  for (const item of list(m.replyTo)) putText(to, 130, item);
  for (const item of list(m.attachments)) {
    const start = to.begin(138);
    writeTaskAttachment(to, item);
    to.close(start);
  }
  for (const item of list(m.references)) putText(to, 146, item);
  if (m.outputSchema !== undefined) {
    const start = to.begin(154);
    writeData(to, m.outputSchema);
    to.close(start);
  }
  if (m.outputFormat !== "") putText(to, 162, m.outputFormat);
  for (const item of list(m.tags)) putText(to, 170, item);
  if (m.deepTrace !== false) putBool(to, 176, m.deepTrace);
  if (m.rest !== undefined) {
    const start = to.begin(186);
    writeData(to, m.rest);
    to.close(start);
  }
}

function writeGuardrailSnapshot(to: PlainWriter, m: GuardrailSnapshot): void {
  if (m.$typeName !== "vasini.agent.v1.GuardrailSnapshot" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.verdicts)) {
    const start = to.begin(10);
    writeGuardrailVerdict(to, item);
    to.close(start);
  }
  if (m.blocked !== false) putBool(to, 16, m.blocked);
}

function writeGuardrailVerdict(to: PlainWriter, m: GuardrailVerdict): void {
  if (m.$typeName !== "vasini.agent.v1.GuardrailVerdict" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.name !== "") putText(to, 10, m.name);
  if (m.decision !== 0) putInt32(to, 16, m.decision);
  if (m.rule !== "") putText(to, 26, m.rule);
  if (m.reason !== "") putText(to, 34, m.reason);
  if (m.path !== "") putText(to, 42, m.path);
}

function writeHandoffPolicy(to: PlainWriter, m: HandoffPolicy): void {
  if (m.$typeName !== "vasini.agent.v1.HandoffPolicy" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.contextLevel !== 0) putInt32(to, 8, m.contextLevel);
  if (m.escalation !== undefined) {
    const start = to.begin(18);
    writeEscalationPolicy(to, m.escalation);
    to.close(start);
  }
  if (m.retry !== undefined) {
    const start = to.begin(26);
    writeRetryPolicy(to, m.retry);
    to.close(start);
  }
  if (m.freshness !== undefined) {
    const start = to.begin(34);
    writeFreshnessPolicy(to, m.freshness);
    to.close(start);
  }
}

function writeHeldDispatch(to: PlainWriter, m: HeldDispatch): void {
  if (m.$typeName !== "vasini.agent.v1.HeldDispatch" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.dispatchId !== "") putText(to, 10, m.dispatchId);
  if (m.attemptNumber !== 0) putInt32(to, 16, m.attemptNumber);
}

function writeHeuristics(to: PlainWriter, m: Heuristics): void {
  if (m.$typeName !== "vasini.agent.v1.Heuristics" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.version !== 0n) putInt64(to, 8, m.version);
  for (const item of list(m.essence)) {
    const start = to.begin(18);
    writeEssenceRule(to, item);
    to.close(start);
  }
  for (const item of list(m.harmlessTools)) putText(to, 26, item);
  if (m.reason !== "") putText(to, 34, m.reason);
  if (m.by !== "") putText(to, 42, m.by);
  if (m.at !== undefined) {
    const start = to.begin(50);
    writeTimestamp(to, m.at);
    to.close(start);
  }
}

function writeIOContract(to: PlainWriter, m: IOContract): void {
  if (m.$typeName !== "vasini.agent.v1.IOContract" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.dependencies)) putText(to, 10, item);
  for (const item of list(m.artifacts)) putText(to, 18, item);
  for (const item of list(m.expectedInterfaces)) putText(to, 26, item);
  if (m.breakingChange !== false) putBool(to, 32, m.breakingChange);
}

function writeInclusionProof(to: PlainWriter, m: InclusionProof): void {
  if (m.$typeName !== "vasini.agent.v1.InclusionProof" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.leafIndex !== 0n) putInt64(to, 8, m.leafIndex);
  for (const item of list(m.hashes)) putBytes(to, 18, item);
  if (m.checkpoint !== undefined) {
    const start = to.begin(26);
    writeAuditCheckpoint(to, m.checkpoint);
    to.close(start);
  }
}

function writeInterfaceContract(to: PlainWriter, m: InterfaceContract): void {
  if (m.$typeName !== "vasini.agent.v1.InterfaceContract" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.supportedSchemaVersions)) putText(to, 10, item);
  for (const item of list(m.acceptedRiskTiers)) putText(to, 18, item);
  if (m.maxConcurrentTasks !== 0) putInt32(to, 24, m.maxConcurrentTasks);
  if (m.maxTaskDuration !== undefined) {
    const start = to.begin(34);
    writeDuration(to, m.maxTaskDuration);
    to.close(start);
  }
}

function writeLabel(to: PlainWriter, m: Label): void {
  if (m.$typeName !== "vasini.agent.v1.Label" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.name !== "") putText(to, 10, m.name);
  if (m.value !== "") putText(to, 18, m.value);
}

function writeLabelPipelineRequest(to: PlainWriter, m: LabelPipelineRequest): void {
  if (m.$typeName !== "vasini.agent.v1.LabelPipelineRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  for (const item of list(m.labels)) {
    const start = to.begin(18);
    writeLabel(to, item);
    to.close(start);
  }
}

function writeLabelPipelineResponse(to: PlainWriter, m: LabelPipelineResponse): void {
  if (m.$typeName !== "vasini.agent.v1.LabelPipelineResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipeline !== undefined) {
    const start = to.begin(10);
    writePipeline(to, m.pipeline);
    to.close(start);
  }
}

function writeLeftOutPart(to: PlainWriter, m: LeftOutPart): void {
  if (m.$typeName !== "vasini.agent.v1.LeftOutPart" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.part !== 0) putInt32(to, 8, m.part);
  if (m.bytes !== 0) putInt32(to, 16, m.bytes);
}

function writeLesson(to: PlainWriter, m: Lesson): void {
  if (m.$typeName !== "vasini.agent.v1.Lesson" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.lessonId !== "") putText(to, 10, m.lessonId);
  if (m.kind !== 0) putInt32(to, 16, m.kind);
  if (m.version !== 0) putInt32(to, 24, m.version);
  if (m.text !== "") putText(to, 34, m.text);
  if (m.capability !== "") putText(to, 42, m.capability);
  if (m.territory !== "") putText(to, 50, m.territory);
  if (m.fingerprint !== "") putText(to, 58, m.fingerprint);
  if (m.sourcePipelineId !== "") putText(to, 66, m.sourcePipelineId);
  if (m.by !== "") putText(to, 74, m.by);
  if (m.at !== undefined) {
    const start = to.begin(82);
    writeTimestamp(to, m.at);
    to.close(start);
  }
  if (m.withdrawnReason !== "") putText(to, 90, m.withdrawnReason);
}

function writeLessonEffect(to: PlainWriter, m: LessonEffect): void {
  if (m.$typeName !== "vasini.agent.v1.LessonEffect" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.lesson !== undefined) {
    const start = to.begin(10);
    writeLesson(to, m.lesson);
    to.close(start);
  }
  if (m.withLessons !== undefined) {
    const start = to.begin(18);
    writeRatedOutcomes(to, m.withLessons);
    to.close(start);
  }
  if (m.withoutLessons !== undefined) {
    const start = to.begin(26);
    writeRatedOutcomes(to, m.withoutLessons);
    to.close(start);
  }
}

function writeListAgentsRequest(to: PlainWriter, m: ListAgentsRequest): void {
  if (m.$typeName !== "vasini.agent.v1.ListAgentsRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pageSize !== 0) putInt32(to, 8, m.pageSize);
  if (m.pageToken !== "") putText(to, 18, m.pageToken);
  if (m.filter !== "") putText(to, 26, m.filter);
  if (m.orderBy !== "") putText(to, 34, m.orderBy);
  if (m.recentAttempts !== 0) putInt32(to, 40, m.recentAttempts);
}

function writeListAgentsResponse(to: PlainWriter, m: ListAgentsResponse): void {
  if (m.$typeName !== "vasini.agent.v1.ListAgentsResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.agents)) {
    const start = to.begin(10);
    writeAgentInstance(to, item);
    to.close(start);
  }
  if (m.nextPageToken !== "") putText(to, 18, m.nextPageToken);
}

function writeListAuditEntriesRequest(to: PlainWriter, m: ListAuditEntriesRequest): void {
  if (m.$typeName !== "vasini.agent.v1.ListAuditEntriesRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pageSize !== 0) putInt32(to, 8, m.pageSize);
  if (m.pageToken !== "") putText(to, 18, m.pageToken);
  if (m.filter !== "") putText(to, 26, m.filter);
  if (m.orderBy !== "") putText(to, 34, m.orderBy);
}

function writeListAuditEntriesResponse(to: PlainWriter, m: ListAuditEntriesResponse): void {
  if (m.$typeName !== "vasini.agent.v1.ListAuditEntriesResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.entries)) {
    const start = to.begin(10);
    writeAuditEntry(to, item);
    to.close(start);
  }
  if (m.nextPageToken !== "") putText(to, 18, m.nextPageToken);
}

function writeListCacheRecordsRequest(to: PlainWriter, m: ListCacheRecordsRequest): void {
  if (m.$typeName !== "vasini.agent.v1.ListCacheRecordsRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.cacheKey !== "") putText(to, 10, m.cacheKey);
  if (m.pageSize !== 0) putInt32(to, 16, m.pageSize);
  if (m.pageToken !== "") putText(to, 26, m.pageToken);
}

function writeListCacheRecordsResponse(to: PlainWriter, m: ListCacheRecordsResponse): void {
  if (m.$typeName !== "vasini.agent.v1.ListCacheRecordsResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.records)) {
    const start = to.begin(10);
    writeCacheRecord(to, item);
    to.close(start);
  }
  if (m.nextPageToken !== "") putText(to, 18, m.nextPageToken);
}

function writeListEscalationsRequest(to: PlainWriter, m: ListEscalationsRequest): void {
  if (m.$typeName !== "vasini.agent.v1.ListEscalationsRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pageSize !== 0) putInt32(to, 8, m.pageSize);
  if (m.pageToken !== "") putText(to, 18, m.pageToken);
  if (m.filter !== "") putText(to, 26, m.filter);
  if (m.orderBy !== "") putText(to, 34, m.orderBy);
}

function writeListEscalationsResponse(to: PlainWriter, m: ListEscalationsResponse): void {
  if (m.$typeName !== "vasini.agent.v1.ListEscalationsResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.escalations)) {
    const start = to.begin(10);
    writeEscalation(to, item);
    to.close(start);
  }
  if (m.nextPageToken !== "") putText(to, 18, m.nextPageToken);
}

function writeListLessonsRequest(to: PlainWriter, m: ListLessonsRequest): void {
  if (m.$typeName !== "vasini.agent.v1.ListLessonsRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
}

function writeListLessonsResponse(to: PlainWriter, m: ListLessonsResponse): void {
  if (m.$typeName !== "vasini.agent.v1.ListLessonsResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.lessons)) {
    const start = to.begin(10);
    writeLessonEffect(to, item);
    to.close(start);
  }
}

function writeListPinnedToolsRequest(to: PlainWriter, m: ListPinnedToolsRequest): void {
  if (m.$typeName !== "vasini.agent.v1.ListPinnedToolsRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.packId !== "") putText(to, 10, m.packId);
  if (m.changedOnly !== false) putBool(to, 16, m.changedOnly);
}

function writeListPinnedToolsResponse(to: PlainWriter, m: ListPinnedToolsResponse): void {
  if (m.$typeName !== "vasini.agent.v1.ListPinnedToolsResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.tools)) {
    const start = to.begin(10);
    writePinnedTool(to, item);
    to.close(start);
  }
}

function writeListPipelinesRequest(to: PlainWriter, m: ListPipelinesRequest): void {
  if (m.$typeName !== "vasini.agent.v1.ListPipelinesRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pageSize !== 0) putInt32(to, 8, m.pageSize);
  if (m.pageToken !== "") putText(to, 18, m.pageToken);
  if (m.filter !== "") putText(to, 26, m.filter);
  if (m.orderBy !== "") putText(to, 34, m.orderBy);
}

function writeListPipelinesResponse(to: PlainWriter, m: ListPipelinesResponse): void {
  if (m.$typeName !== "vasini.agent.v1.ListPipelinesResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.pipelines)) {
    const start = to.begin(10);
    writePipeline(to, item);
    to.close(start);
  }
  if (m.nextPageToken !== "") putText(to, 18, m.nextPageToken);
}

function writeListSignalsRequest(to: PlainWriter, m: ListSignalsRequest): void {
  if (m.$typeName !== "vasini.agent.v1.ListSignalsRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pageSize !== 0) putInt32(to, 8, m.pageSize);
  if (m.pageToken !== "") putText(to, 18, m.pageToken);
}

function writeListSignalsResponse(to: PlainWriter, m: ListSignalsResponse): void {
  if (m.$typeName !== "vasini.agent.v1.ListSignalsResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.signals)) {
    const start = to.begin(10);
    writeSignal(to, item);
    to.close(start);
  }
  if (m.nextPageToken !== "") putText(to, 18, m.nextPageToken);
}

function writeListStepsRequest(to: PlainWriter, m: ListStepsRequest): void {
  if (m.$typeName !== "vasini.agent.v1.ListStepsRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.packId !== "") putText(to, 10, m.packId);
  if (m.instanceId !== "") putText(to, 18, m.instanceId);
  if (m.dispatchId !== "") putText(to, 26, m.dispatchId);
  if (m.after !== 0) putInt32(to, 32, m.after);
}

function writeListStepsResponse(to: PlainWriter, m: ListStepsResponse): void {
  if (m.$typeName !== "vasini.agent.v1.ListStepsResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.steps)) {
    const start = to.begin(10);
    writeStep(to, item);
    to.close(start);
  }
}

function writeModelUsage(to: PlainWriter, m: ModelUsage): void {
  if (m.$typeName !== "vasini.agent.v1.ModelUsage" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.provider !== "") putText(to, 10, m.provider);
  if (m.model !== "") putText(to, 18, m.model);
  if (m.calls !== 0) putInt32(to, 24, m.calls);
  if (m.inputTokens !== 0n) putInt64(to, 32, m.inputTokens);
  if (m.outputTokens !== 0n) putInt64(to, 40, m.outputTokens);
  if (m.cacheReadTokens !== 0n) putInt64(to, 48, m.cacheReadTokens);
  if (m.cacheWriteTokens !== 0n) putInt64(to, 56, m.cacheWriteTokens);
  if (m.reasoningTokens !== 0n) putInt64(to, 64, m.reasoningTokens);
  if (m.costMicroUsd !== 0n) putInt64(to, 72, m.costMicroUsd);
  if (m.costUnknown !== false) putBool(to, 80, m.costUnknown);
}

function writeOverrideStageRequest(to: PlainWriter, m: OverrideStageRequest): void {
  if (m.$typeName !== "vasini.agent.v1.OverrideStageRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.stageId !== "") putText(to, 18, m.stageId);
  if (m.reason !== "") putText(to, 26, m.reason);
  if (m.result.case === "accepted") {
    const start = to.begin(34);
    writeAcceptedResult(to, m.result.value);
    to.close(start);
  }
  if (m.result.case === "provided") {
    const start = to.begin(42);
    writeProvidedResult(to, m.result.value);
    to.close(start);
  }
}

function writeOverrideStageResponse(to: PlainWriter, m: OverrideStageResponse): void {
  if (m.$typeName !== "vasini.agent.v1.OverrideStageResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipeline !== undefined) {
    const start = to.begin(10);
    writePipeline(to, m.pipeline);
    to.close(start);
  }
}

function writePausePipelineRequest(to: PlainWriter, m: PausePipelineRequest): void {
  if (m.$typeName !== "vasini.agent.v1.PausePipelineRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.reason !== "") putText(to, 18, m.reason);
}

function writePausePipelineResponse(to: PlainWriter, m: PausePipelineResponse): void {
  if (m.$typeName !== "vasini.agent.v1.PausePipelineResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipeline !== undefined) {
    const start = to.begin(10);
    writePipeline(to, m.pipeline);
    to.close(start);
  }
}

function writePinToolsRequest(to: PlainWriter, m: PinToolsRequest): void {
  if (m.$typeName !== "vasini.agent.v1.PinToolsRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.packId !== "") putText(to, 10, m.packId);
  if (m.instanceId !== "") putText(to, 18, m.instanceId);
  for (const item of list(m.tools)) {
    const start = to.begin(26);
    writeToolPin(to, item);
    to.close(start);
  }
}

function writePinToolsResponse(to: PlainWriter, m: PinToolsResponse): void {
  if (m.$typeName !== "vasini.agent.v1.PinToolsResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.accepted)) putText(to, 10, item);
}

function writePinnedTool(to: PlainWriter, m: PinnedTool): void {
  if (m.$typeName !== "vasini.agent.v1.PinnedTool" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.packId !== "") putText(to, 10, m.packId);
  if (m.name !== "") putText(to, 18, m.name);
  if (m.digest !== "") putText(to, 26, m.digest);
  if (m.definitionJson !== "") putText(to, 34, m.definitionJson);
  if (m.acceptedAt !== undefined) {
    const start = to.begin(42);
    writeTimestamp(to, m.acceptedAt);
    to.close(start);
  }
  if (m.acceptedBy !== "") putText(to, 50, m.acceptedBy);
  if (m.changedDigest !== "") putText(to, 58, m.changedDigest);
  if (m.changedDefinitionJson !== "") putText(to, 66, m.changedDefinitionJson);
  if (m.changedAt !== undefined) {
    const start = to.begin(74);
    writeTimestamp(to, m.changedAt);
    to.close(start);
  }
}

function writePipeline(to: PlainWriter, m: Pipeline): void {
  if (m.$typeName !== "vasini.agent.v1.Pipeline" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.pipelineName !== "") putText(to, 18, m.pipelineName);
  if (m.sourceTaskId !== "") putText(to, 26, m.sourceTaskId);
  if (m.status !== 0) putInt32(to, 32, m.status);
  for (const item of list(m.stages)) {
    const start = to.begin(42);
    writeStage(to, item);
    to.close(start);
  }
  if (m.trace !== undefined) {
    const start = to.begin(50);
    writeTraceContext(to, m.trace);
    to.close(start);
  }
  if (m.policy !== undefined) {
    const start = to.begin(58);
    writePipelinePolicy(to, m.policy);
    to.close(start);
  }
  if (m.createdAt !== undefined) {
    const start = to.begin(66);
    writeTimestamp(to, m.createdAt);
    to.close(start);
  }
  if (m.updatedAt !== undefined) {
    const start = to.begin(74);
    writeTimestamp(to, m.updatedAt);
    to.close(start);
  }
  if (m.templateId !== "") putText(to, 130, m.templateId);
  if (m.statusReason !== "") putText(to, 138, m.statusReason);
  if (m.summary !== undefined) {
    const start = to.begin(146);
    writePipelineSummary(to, m.summary);
    to.close(start);
  }
  if (m.revision !== 0n) putInt64(to, 152, m.revision);
  if (m.origin !== undefined) {
    const start = to.begin(162);
    writePipelineOrigin(to, m.origin);
    to.close(start);
  }
  if (m.waitsForPerson !== false) putBool(to, 168, m.waitsForPerson);
  if (m.rejectionsLeft !== undefined) putInt32(to, 176, m.rejectionsLeft);
  for (const item of list(m.labels)) {
    const start = to.begin(186);
    writeLabel(to, item);
    to.close(start);
  }
  if (m.riskTier !== 0) putInt32(to, 192, m.riskTier);
  if (m.governance !== undefined) {
    const start = to.begin(202);
    writeGovernance(to, m.governance);
    to.close(start);
  }
  if (m.alignment !== undefined) {
    const start = to.begin(210);
    writeAlignmentReport(to, m.alignment);
    to.close(start);
  }
}

function writePipelineOrigin(to: PlainWriter, m: PipelineOrigin): void {
  if (m.$typeName !== "vasini.agent.v1.PipelineOrigin" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.stageId !== "") putText(to, 18, m.stageId);
  if (m.revision !== 0n) putInt64(to, 24, m.revision);
  if (m.reason !== "") putText(to, 34, m.reason);
  for (const item of list(m.takenStages)) putText(to, 42, item);
}

function writePipelinePlan(to: PlainWriter, m: PipelinePlan): void {
  if (m.$typeName !== "vasini.agent.v1.PipelinePlan" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.name !== "") putText(to, 10, m.name);
  for (const item of list(m.stages)) {
    const start = to.begin(18);
    writeStage(to, item);
    to.close(start);
  }
  if (m.policy !== undefined) {
    const start = to.begin(26);
    writePipelinePolicy(to, m.policy);
    to.close(start);
  }
}

function writePipelinePolicy(to: PlainWriter, m: PipelinePolicy): void {
  if (m.$typeName !== "vasini.agent.v1.PipelinePolicy" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.maxTotalRetries !== 0) putInt32(to, 8, m.maxTotalRetries);
  if (m.maxRejections !== 0) putInt32(to, 16, m.maxRejections);
  if (m.pipelineDeadline !== undefined) {
    const start = to.begin(26);
    writeDuration(to, m.pipelineDeadline);
    to.close(start);
  }
  if (m.failureStrategy !== 0) putInt32(to, 32, m.failureStrategy);
  if (m.requireAllStages !== false) putBool(to, 40, m.requireAllStages);
  if (m.serial !== false) putBool(to, 88, m.serial);
  if (m.softDeadline !== false) putBool(to, 96, m.softDeadline);
  if (m.budget !== undefined) {
    const start = to.begin(106);
    writeBudget(to, m.budget);
    to.close(start);
  }
  if (m.noRetries !== false) putBool(to, 112, m.noRetries);
  if (m.noRejections !== false) putBool(to, 120, m.noRejections);
  if (m.parallel !== false) putBool(to, 128, m.parallel);
  if (m.hardDeadline !== false) putBool(to, 136, m.hardDeadline);
}

function writePipelineSnapshot(to: PlainWriter, m: PipelineSnapshot): void {
  if (m.$typeName !== "vasini.agent.v1.PipelineSnapshot" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.templateId !== "") putText(to, 10, m.templateId);
  if (m.stageCount !== 0) putInt32(to, 16, m.stageCount);
  if (m.policy !== undefined) {
    const start = to.begin(26);
    writePipelinePolicy(to, m.policy);
    to.close(start);
  }
  if (m.summary !== undefined) {
    const start = to.begin(34);
    writePipelineSummary(to, m.summary);
    to.close(start);
  }
  if (m.rewoundFrom !== 0n) putInt64(to, 40, m.rewoundFrom);
  if (m.rewoundTo !== 0n) putInt64(to, 48, m.rewoundTo);
  for (const item of list(m.discarded)) putText(to, 58, item);
  if (m.origin !== undefined) {
    const start = to.begin(66);
    writePipelineOrigin(to, m.origin);
    to.close(start);
  }
}

function writePipelineSummary(to: PlainWriter, m: PipelineSummary): void {
  if (m.$typeName !== "vasini.agent.v1.PipelineSummary" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.artifacts)) {
    const start = to.begin(10);
    writeArtifact(to, item);
    to.close(start);
  }
  for (const item of list(m.decisions)) {
    const start = to.begin(18);
    writeDecision(to, item);
    to.close(start);
  }
  for (const item of list(m.risks)) putText(to, 26, item);
  if (m.timing !== undefined) {
    const start = to.begin(34);
    writeResultTiming(to, m.timing);
    to.close(start);
  }
  if (m.stagesCompleted !== 0) putInt32(to, 40, m.stagesCompleted);
  if (m.stagesSkipped !== 0) putInt32(to, 48, m.stagesSkipped);
  if (m.totalRetries !== 0) putInt32(to, 56, m.totalRetries);
  if (m.totalRejections !== 0) putInt32(to, 64, m.totalRejections);
  if (m.usage !== undefined) {
    const start = to.begin(74);
    writeUsage(to, m.usage);
    to.close(start);
  }
  if (m.leftOut !== 0) putInt32(to, 80, m.leftOut);
}

function writePolicyCheck(to: PlainWriter, m: PolicyCheck): void {
  if (m.$typeName !== "vasini.agent.v1.PolicyCheck" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.principle !== "") putText(to, 10, m.principle);
  if (m.check !== "") putText(to, 18, m.check);
  if (m.kind !== "") putText(to, 26, m.kind);
  if (m.status !== 0) putInt32(to, 32, m.status);
  if (m.notes !== "") putText(to, 42, m.notes);
}

function writePressureReading(to: PlainWriter, m: PressureReading): void {
  if (m.$typeName !== "vasini.agent.v1.PressureReading" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.principle !== "") putText(to, 10, m.principle);
  if (m.psi !== 0) putInt32(to, 16, m.psi);
}

function writePreviewRewindRequest(to: PlainWriter, m: PreviewRewindRequest): void {
  if (m.$typeName !== "vasini.agent.v1.PreviewRewindRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.toRevision !== 0n) putInt64(to, 16, m.toRevision);
}

function writePreviewRewindResponse(to: PlainWriter, m: PreviewRewindResponse): void {
  if (m.$typeName !== "vasini.agent.v1.PreviewRewindResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.preview !== undefined) {
    const start = to.begin(10);
    writeRewindPreview(to, m.preview);
    to.close(start);
  }
}

function writeProtocolVersion(to: PlainWriter, m: ProtocolVersion): void {
  if (m.$typeName !== "vasini.agent.v1.ProtocolVersion" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.schemaVersion !== "") putText(to, 10, m.schemaVersion);
  if (m.policyVersion !== "") putText(to, 18, m.policyVersion);
  if (m.capabilitySchemaVersion !== "") putText(to, 26, m.capabilitySchemaVersion);
  if (m.packVersion !== "") putText(to, 34, m.packVersion);
  if (m.minOrchestratorVersion !== "") putText(to, 42, m.minOrchestratorVersion);
}

function writeProvidedResult(to: PlainWriter, m: ProvidedResult): void {
  if (m.$typeName !== "vasini.agent.v1.ProvidedResult" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.summary !== "") putText(to, 10, m.summary);
  if (m.commitSha !== "") putText(to, 18, m.commitSha);
  for (const item of list(m.artifacts)) {
    const start = to.begin(26);
    writeArtifact(to, item);
    to.close(start);
  }
  if (m.contextOut !== undefined) {
    const start = to.begin(34);
    writeContextOut(to, m.contextOut);
    to.close(start);
  }
  if (m.data !== undefined) {
    const start = to.begin(42);
    writeData(to, m.data);
    to.close(start);
  }
}

function writeRaiseSpendLimitRequest(to: PlainWriter, m: RaiseSpendLimitRequest): void {
  if (m.$typeName !== "vasini.agent.v1.RaiseSpendLimitRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.tokens !== undefined) putInt64(to, 8, m.tokens);
  if (m.costMicroUsd !== undefined) putInt64(to, 16, m.costMicroUsd);
  if (m.reason !== "") putText(to, 26, m.reason);
}

function writeRaiseSpendLimitResponse(to: PlainWriter, m: RaiseSpendLimitResponse): void {
  if (m.$typeName !== "vasini.agent.v1.RaiseSpendLimitResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.limits)) {
    const start = to.begin(10);
    writeTenantSpendLimit(to, item);
    to.close(start);
  }
}

function writeRatedOutcomes(to: PlainWriter, m: RatedOutcomes): void {
  if (m.$typeName !== "vasini.agent.v1.RatedOutcomes" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.count !== 0) putInt32(to, 8, m.count);
  if (!Object.is(m.meanRating, 0)) putDouble(to, 17, m.meanRating);
  if (m.approved !== 0) putInt32(to, 24, m.approved);
  if (m.rejected !== 0) putInt32(to, 32, m.rejected);
}

function writeRef(to: PlainWriter, m: Ref): void {
  if (m.$typeName !== "vasini.agent.v1.Ref" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.uriOrLocator !== "") putText(to, 10, m.uriOrLocator);
  if (m.versionOrSha !== "") putText(to, 18, m.versionOrSha);
  if (m.digest !== "") putText(to, 26, m.digest);
  if (m.fetchedAt !== undefined) {
    const start = to.begin(34);
    writeTimestamp(to, m.fetchedAt);
    to.close(start);
  }
  if (m.refType !== 0) putInt32(to, 40, m.refType);
  if (m.degraded !== false) putBool(to, 72, m.degraded);
  if (m.degradedReason !== "") putText(to, 82, m.degradedReason);
}

function writeRefFreshnessCheck(to: PlainWriter, m: RefFreshnessCheck): void {
  if (m.$typeName !== "vasini.agent.v1.RefFreshnessCheck" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.uriOrLocator !== "") putText(to, 10, m.uriOrLocator);
  if (m.wasStale !== false) putBool(to, 16, m.wasStale);
  if (m.refreshSucceeded !== false) putBool(to, 24, m.refreshSucceeded);
  if (m.dispatchedWithDegraded !== false) putBool(to, 32, m.dispatchedWithDegraded);
}

function writeRegisterAgentRequest(to: PlainWriter, m: RegisterAgentRequest): void {
  if (m.$typeName !== "vasini.agent.v1.RegisterAgentRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.manifest !== undefined) {
    const start = to.begin(10);
    writeAgentManifest(to, m.manifest);
    to.close(start);
  }
}

function writeRegisterAgentResponse(to: PlainWriter, m: RegisterAgentResponse): void {
  if (m.$typeName !== "vasini.agent.v1.RegisterAgentResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.alreadyRegistered !== false) putBool(to, 8, m.alreadyRegistered);
}

function writeReportStepRequest(to: PlainWriter, m: ReportStepRequest): void {
  if (m.$typeName !== "vasini.agent.v1.ReportStepRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.packId !== "") putText(to, 10, m.packId);
  if (m.instanceId !== "") putText(to, 18, m.instanceId);
  if (m.dispatchId !== "") putText(to, 26, m.dispatchId);
  if (m.step !== undefined) {
    const start = to.begin(34);
    writeStep(to, m.step);
    to.close(start);
  }
}

function writeReportStepResponse(to: PlainWriter, m: ReportStepResponse): void {
  if (m.$typeName !== "vasini.agent.v1.ReportStepResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
}

function writeRerunPipelineRequest(to: PlainWriter, m: RerunPipelineRequest): void {
  if (m.$typeName !== "vasini.agent.v1.RerunPipelineRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.stageId !== "") putText(to, 18, m.stageId);
  if (m.idempotencyKey !== "") putText(to, 26, m.idempotencyKey);
  if (m.reason !== "") putText(to, 34, m.reason);
  if (m.inputs !== undefined) {
    const start = to.begin(42);
    writeData(to, m.inputs);
    to.close(start);
  }
  if (m.mergeInputs !== false) putBool(to, 48, m.mergeInputs);
  for (const item of list(m.instructions)) putText(to, 58, item);
}

function writeRerunPipelineResponse(to: PlainWriter, m: RerunPipelineResponse): void {
  if (m.$typeName !== "vasini.agent.v1.RerunPipelineResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipeline !== undefined) {
    const start = to.begin(10);
    writePipeline(to, m.pipeline);
    to.close(start);
  }
  if (m.existing !== false) putBool(to, 16, m.existing);
}

function writeResolveEscalationRequest(to: PlainWriter, m: ResolveEscalationRequest): void {
  if (m.$typeName !== "vasini.agent.v1.ResolveEscalationRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.escalationId !== "") putText(to, 10, m.escalationId);
  if (m.resolution !== "") putText(to, 18, m.resolution);
  if (m.reason !== "") putText(to, 26, m.reason);
  if (m.sameCause !== false) putBool(to, 32, m.sameCause);
  if (m.arguments !== undefined) {
    const start = to.begin(42);
    writeData(to, m.arguments);
    to.close(start);
  }
}

function writeResolveEscalationResponse(to: PlainWriter, m: ResolveEscalationResponse): void {
  if (m.$typeName !== "vasini.agent.v1.ResolveEscalationResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.escalation !== undefined) {
    const start = to.begin(10);
    writeEscalation(to, m.escalation);
    to.close(start);
  }
  for (const item of list(m.alsoResolved)) putText(to, 18, item);
}

function writeResponseSnapshot(to: PlainWriter, m: ResponseSnapshot): void {
  if (m.$typeName !== "vasini.agent.v1.ResponseSnapshot" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.thought !== "") putText(to, 10, m.thought);
  if (m.status !== 0) putInt32(to, 16, m.status);
  if (m.dataJson !== "") putText(to, 26, m.dataJson);
  if (m.message !== "") putText(to, 34, m.message);
  if (m.nextStepHint !== "") putText(to, 42, m.nextStepHint);
  if (m.dataLeftOutChars !== 0) putInt32(to, 48, m.dataLeftOutChars);
}

function writeRestoreAgentRequest(to: PlainWriter, m: RestoreAgentRequest): void {
  if (m.$typeName !== "vasini.agent.v1.RestoreAgentRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.packId !== "") putText(to, 10, m.packId);
  if (m.instanceId !== "") putText(to, 18, m.instanceId);
  if (m.reason !== "") putText(to, 26, m.reason);
}

function writeRestoreAgentResponse(to: PlainWriter, m: RestoreAgentResponse): void {
  if (m.$typeName !== "vasini.agent.v1.RestoreAgentResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.agent !== undefined) {
    const start = to.begin(10);
    writeAgentInstance(to, m.agent);
    to.close(start);
  }
}

function writeResultSnapshot(to: PlainWriter, m: ResultSnapshot): void {
  if (m.$typeName !== "vasini.agent.v1.ResultSnapshot" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.outcome !== 0) putInt32(to, 8, m.outcome);
  if (m.confidence !== 0) putInt32(to, 16, m.confidence);
  if (m.failureCode !== "") putText(to, 26, m.failureCode);
  if (m.artifactsCount !== 0) putInt32(to, 32, m.artifactsCount);
  if (m.evidenceCount !== 0) putInt32(to, 40, m.evidenceCount);
  if (m.blockersCount !== 0) putInt32(to, 48, m.blockersCount);
  if (m.timing !== undefined) {
    const start = to.begin(58);
    writeResultTiming(to, m.timing);
    to.close(start);
  }
  if (m.validationPassed !== false) putBool(to, 64, m.validationPassed);
  if (m.validationError !== "") putText(to, 74, m.validationError);
  if (m.schemaVersionReceived !== "") putText(to, 82, m.schemaVersionReceived);
  if (m.schemaVersionExpected !== "") putText(to, 90, m.schemaVersionExpected);
  if (m.consecutiveInvalidResults !== 0) putInt32(to, 128, m.consecutiveInvalidResults);
  if (m.usage !== undefined) {
    const start = to.begin(138);
    writeUsage(to, m.usage);
    to.close(start);
  }
  if (m.rawText !== "") putText(to, 146, m.rawText);
  for (const item of list(m.notices)) putText(to, 154, item);
  if (m.response !== undefined) {
    const start = to.begin(162);
    writeResponseSnapshot(to, m.response);
    to.close(start);
  }
}

function writeResultStatus(to: PlainWriter, m: ResultStatus): void {
  if (m.$typeName !== "vasini.agent.v1.ResultStatus" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.outcome !== 0) putInt32(to, 8, m.outcome);
  if (m.confidence !== 0) putInt32(to, 16, m.confidence);
  if (m.summary !== "") putText(to, 26, m.summary);
  if (m.failureCode !== "") putText(to, 34, m.failureCode);
  if (m.failureReason !== "") putText(to, 42, m.failureReason);
}

function writeResultTiming(to: PlainWriter, m: ResultTiming): void {
  if (m.$typeName !== "vasini.agent.v1.ResultTiming" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.startedAt !== undefined) {
    const start = to.begin(10);
    writeTimestamp(to, m.startedAt);
    to.close(start);
  }
  if (m.finishedAt !== undefined) {
    const start = to.begin(18);
    writeTimestamp(to, m.finishedAt);
    to.close(start);
  }
  if (m.duration !== undefined) {
    const start = to.begin(26);
    writeDuration(to, m.duration);
    to.close(start);
  }
}

function writeResumePipelineRequest(to: PlainWriter, m: ResumePipelineRequest): void {
  if (m.$typeName !== "vasini.agent.v1.ResumePipelineRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.reason !== "") putText(to, 18, m.reason);
}

function writeResumePipelineResponse(to: PlainWriter, m: ResumePipelineResponse): void {
  if (m.$typeName !== "vasini.agent.v1.ResumePipelineResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipeline !== undefined) {
    const start = to.begin(10);
    writePipeline(to, m.pipeline);
    to.close(start);
  }
}

function writeRetryPolicy(to: PlainWriter, m: RetryPolicy): void {
  if (m.$typeName !== "vasini.agent.v1.RetryPolicy" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.maxAttempts !== 0) putInt32(to, 8, m.maxAttempts);
  if (m.initialBackoff !== undefined) {
    const start = to.begin(18);
    writeDuration(to, m.initialBackoff);
    to.close(start);
  }
  if (!Object.is(m.backoffMultiplier, 0)) putDouble(to, 25, m.backoffMultiplier);
  if (m.maxBackoff !== undefined) {
    const start = to.begin(34);
    writeDuration(to, m.maxBackoff);
    to.close(start);
  }
  if (!Object.is(m.jitter, 0)) putDouble(to, 73, m.jitter);
  if (m.noJitter !== false) putBool(to, 80, m.noJitter);
}

function writeReviewApproval(to: PlainWriter, m: ReviewApproval): void {
  if (m.$typeName !== "vasini.agent.v1.ReviewApproval" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
}

function writeReviewFeedback(to: PlainWriter, m: ReviewFeedback): void {
  if (m.$typeName !== "vasini.agent.v1.ReviewFeedback" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.rejectedAttempt !== 0) putInt32(to, 8, m.rejectedAttempt);
  if (m.rejectedByStage !== "") putText(to, 18, m.rejectedByStage);
  for (const item of list(m.failedChecks)) {
    const start = to.begin(26);
    writeFailedCheck(to, item);
    to.close(start);
  }
  if (m.priorContext !== undefined) {
    const start = to.begin(34);
    writeContextOut(to, m.priorContext);
    to.close(start);
  }
  for (const item of list(m.instructions)) putText(to, 42, item);
}

function writeReviewRejection(to: PlainWriter, m: ReviewRejection): void {
  if (m.$typeName !== "vasini.agent.v1.ReviewRejection" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.rewindTargetStage !== "") putText(to, 10, m.rewindTargetStage);
  for (const item of list(m.instructions)) putText(to, 18, item);
  if (m.unfixable !== false) putBool(to, 24, m.unfixable);
}

function writeReviewStageRequest(to: PlainWriter, m: ReviewStageRequest): void {
  if (m.$typeName !== "vasini.agent.v1.ReviewStageRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.stageId !== "") putText(to, 18, m.stageId);
  if (m.dispatchId !== "") putText(to, 26, m.dispatchId);
  if (m.reason !== "") putText(to, 34, m.reason);
  if (m.verdict.case === "approval") {
    const start = to.begin(42);
    writeReviewApproval(to, m.verdict.value);
    to.close(start);
  }
  if (m.verdict.case === "rejection") {
    const start = to.begin(50);
    writeReviewRejection(to, m.verdict.value);
    to.close(start);
  }
  if (m.reviewerPackId !== "") putText(to, 58, m.reviewerPackId);
  if (m.reviewerInstanceId !== "") putText(to, 66, m.reviewerInstanceId);
}

function writeReviewStageResponse(to: PlainWriter, m: ReviewStageResponse): void {
  if (m.$typeName !== "vasini.agent.v1.ReviewStageResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipeline !== undefined) {
    const start = to.begin(10);
    writePipeline(to, m.pipeline);
    to.close(start);
  }
}

function writeRevokeCacheRecordRequest(to: PlainWriter, m: RevokeCacheRecordRequest): void {
  if (m.$typeName !== "vasini.agent.v1.RevokeCacheRecordRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.cacheKey !== "") putText(to, 10, m.cacheKey);
  if (m.reason !== "") putText(to, 18, m.reason);
}

function writeRevokeCacheRecordResponse(to: PlainWriter, m: RevokeCacheRecordResponse): void {
  if (m.$typeName !== "vasini.agent.v1.RevokeCacheRecordResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.record !== undefined) {
    const start = to.begin(10);
    writeCacheRecord(to, m.record);
    to.close(start);
  }
}

function writeRewindEdge(to: PlainWriter, m: RewindEdge): void {
  if (m.$typeName !== "vasini.agent.v1.RewindEdge" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.condition !== "") putText(to, 10, m.condition);
  if (m.targetStageId !== "") putText(to, 18, m.targetStageId);
  if (m.maxTimes !== 0) putInt32(to, 24, m.maxTimes);
}

function writeRewindPipelineRequest(to: PlainWriter, m: RewindPipelineRequest): void {
  if (m.$typeName !== "vasini.agent.v1.RewindPipelineRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.toRevision !== 0n) putInt64(to, 16, m.toRevision);
  if (m.reason !== "") putText(to, 26, m.reason);
  if (m.discard !== false) putBool(to, 32, m.discard);
  if (m.fromRevision !== 0n) putInt64(to, 40, m.fromRevision);
}

function writeRewindPipelineResponse(to: PlainWriter, m: RewindPipelineResponse): void {
  if (m.$typeName !== "vasini.agent.v1.RewindPipelineResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipeline !== undefined) {
    const start = to.begin(10);
    writePipeline(to, m.pipeline);
    to.close(start);
  }
  if (m.done !== undefined) {
    const start = to.begin(18);
    writeRewindPreview(to, m.done);
    to.close(start);
  }
  if (m.branchProblem !== "") putText(to, 26, m.branchProblem);
}

function writeRewindPreview(to: PlainWriter, m: RewindPreview): void {
  if (m.$typeName !== "vasini.agent.v1.RewindPreview" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.fromRevision !== 0n) putInt64(to, 8, m.fromRevision);
  if (m.toRevision !== 0n) putInt64(to, 16, m.toRevision);
  if (m.statusNow !== 0) putInt32(to, 24, m.statusNow);
  if (m.statusThen !== 0) putInt32(to, 32, m.statusThen);
  for (const item of list(m.stages)) {
    const start = to.begin(42);
    writeStageRewind(to, item);
    to.close(start);
  }
  for (const item of list(m.branches)) {
    const start = to.begin(50);
    writeBranchRewind(to, item);
    to.close(start);
  }
  for (const item of list(m.atRisk)) {
    const start = to.begin(58);
    writeWorkAtRisk(to, item);
    to.close(start);
  }
  if (m.note !== "") putText(to, 66, m.note);
}

function writeRouteView(to: PlainWriter, m: RouteView): void {
  if (m.$typeName !== "vasini.agent.v1.RouteView" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.taskType !== "") putText(to, 10, m.taskType);
  for (const item of list(m.allowedPackIds)) putText(to, 18, item);
  if (m.preferredPackId !== "") putText(to, 26, m.preferredPackId);
  if (m.minRiskTier !== 0) putInt32(to, 32, m.minRiskTier);
  if (m.fallbackPackId !== "") putText(to, 42, m.fallbackPackId);
}

function writeRouting(to: PlainWriter, m: Routing): void {
  if (m.$typeName !== "vasini.agent.v1.Routing" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.selectedPackId !== "") putText(to, 10, m.selectedPackId);
  for (const item of list(m.candidatePackIds)) putText(to, 18, item);
  if (m.routingPolicyVersion !== "") putText(to, 26, m.routingPolicyVersion);
  if (m.taskType !== "") putText(to, 34, m.taskType);
}

function writeRoutingDifference(to: PlainWriter, m: RoutingDifference): void {
  if (m.$typeName !== "vasini.agent.v1.RoutingDifference" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.dispatchId !== "") putText(to, 10, m.dispatchId);
  if (m.taskType !== "") putText(to, 18, m.taskType);
  if (m.wasPackId !== "") putText(to, 26, m.wasPackId);
  if (m.wasInstanceId !== "") putText(to, 34, m.wasInstanceId);
  if (m.wouldBePackId !== "") putText(to, 42, m.wouldBePackId);
  if (m.wouldBeInstanceId !== "") putText(to, 50, m.wouldBeInstanceId);
  if (m.refused !== "") putText(to, 58, m.refused);
}

function writeRoutingPolicyView(to: PlainWriter, m: RoutingPolicyView): void {
  if (m.$typeName !== "vasini.agent.v1.RoutingPolicyView" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.version !== "") putText(to, 10, m.version);
  for (const item of list(m.routes)) {
    const start = to.begin(18);
    writeRouteView(to, item);
    to.close(start);
  }
  if (m.maxGlobalQueueDepth !== 0) putInt32(to, 24, m.maxGlobalQueueDepth);
  if (m.maxPerPackConcurrent !== 0) putInt32(to, 32, m.maxPerPackConcurrent);
  if (m.breakerErrorThreshold !== 0) putInt32(to, 40, m.breakerErrorThreshold);
  if (m.breakerWindow !== undefined) {
    const start = to.begin(50);
    writeDuration(to, m.breakerWindow);
    to.close(start);
  }
  if (m.breakerHalfOpenAfter !== undefined) {
    const start = to.begin(58);
    writeDuration(to, m.breakerHalfOpenAfter);
    to.close(start);
  }
  if (m.fallbackPackId !== "") putText(to, 66, m.fallbackPackId);
  if (m.maxCandidateAgents !== 0) putInt32(to, 72, m.maxCandidateAgents);
  if (m.requireHealthy !== false) putBool(to, 80, m.requireHealthy);
}

function writeRunAgentRequest(to: PlainWriter, m: RunAgentRequest): void {
  if (m.$typeName !== "vasini.agent.v1.RunAgentRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.envelope !== undefined) {
    const start = to.begin(10);
    writeTaskEnvelope(to, m.envelope);
    to.close(start);
  }
}

function writeRunAgentResponse(to: PlainWriter, m: RunAgentResponse): void {
  if (m.$typeName !== "vasini.agent.v1.RunAgentResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.message.case === "turn") {
    const start = to.begin(10);
    writeTurnEnvelope(to, m.message.value);
    to.close(start);
  }
  if (m.message.case === "event") {
    const start = to.begin(18);
    writeEvent(to, m.message.value);
    to.close(start);
  }
  if (m.message.case === "result") {
    const start = to.begin(26);
    writeAgentResult(to, m.message.value);
    to.close(start);
  }
  if (m.message.case === "step") {
    const start = to.begin(34);
    writeStep(to, m.message.value);
    to.close(start);
  }
}

function writeSafetyContext(to: PlainWriter, m: SafetyContext): void {
  if (m.$typeName !== "vasini.agent.v1.SafetyContext" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.authScopes)) putText(to, 10, item);
  for (const item of list(m.prohibitedActions)) putText(to, 18, item);
  for (const item of list(m.toolAllowlist)) putText(to, 26, item);
  for (const item of list(m.toolDenylist)) putText(to, 34, item);
  if (m.maxAutonomousSteps !== 0) putInt32(to, 40, m.maxAutonomousSteps);
  if (m.securityFlags !== undefined) {
    const start = to.begin(50);
    writeSecurityFlags(to, m.securityFlags);
    to.close(start);
  }
}

function writeSandboxPulse(to: PlainWriter, m: SandboxPulse): void {
  if (m.$typeName !== "vasini.agent.v1.SandboxPulse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.line !== "") putText(to, 10, m.line);
  if (m.masked !== false) putBool(to, 16, m.masked);
  if (m.timestamp !== undefined) {
    const start = to.begin(26);
    writeTimestamp(to, m.timestamp);
    to.close(start);
  }
  if (m.check !== "") putText(to, 34, m.check);
  if (m.leftOut !== 0) putInt32(to, 40, m.leftOut);
}

function writeSecurityFlags(to: PlainWriter, m: SecurityFlags): void {
  if (m.$typeName !== "vasini.agent.v1.SecurityFlags" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.touchesAuth !== false) putBool(to, 8, m.touchesAuth);
  if (m.touchesSchema !== false) putBool(to, 16, m.touchesSchema);
  if (m.touchesBilling !== false) putBool(to, 24, m.touchesBilling);
  if (m.touchesSecrets !== false) putBool(to, 32, m.touchesSecrets);
}

function writeSendHeartbeatRequest(to: PlainWriter, m: SendHeartbeatRequest): void {
  if (m.$typeName !== "vasini.agent.v1.SendHeartbeatRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.heartbeat !== undefined) {
    const start = to.begin(10);
    writeAgentHeartbeat(to, m.heartbeat);
    to.close(start);
  }
}

function writeSendHeartbeatResponse(to: PlainWriter, m: SendHeartbeatResponse): void {
  if (m.$typeName !== "vasini.agent.v1.SendHeartbeatResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.leaseExpiresAt !== undefined) {
    const start = to.begin(10);
    writeTimestamp(to, m.leaseExpiresAt);
    to.close(start);
  }
}

function writeSignal(to: PlainWriter, m: Signal): void {
  if (m.$typeName !== "vasini.agent.v1.Signal" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.signalId !== "") putText(to, 10, m.signalId);
  if (m.pipelineId !== "") putText(to, 18, m.pipelineId);
  if (m.capability !== "") putText(to, 26, m.capability);
  if (m.territory !== "") putText(to, 34, m.territory);
  if (m.fingerprint !== "") putText(to, 42, m.fingerprint);
  if (m.rating !== 0) putInt32(to, 48, m.rating);
  if (m.note !== "") putText(to, 58, m.note);
  if (m.approval !== 0) putInt32(to, 64, m.approval);
  if (m.correctionJson !== "") putText(to, 74, m.correctionJson);
  if (m.by !== "") putText(to, 82, m.by);
  if (m.at !== undefined) {
    const start = to.begin(90);
    writeTimestamp(to, m.at);
    to.close(start);
  }
  if (m.withLessons !== false) putBool(to, 96, m.withLessons);
}

function writeSkipStageRequest(to: PlainWriter, m: SkipStageRequest): void {
  if (m.$typeName !== "vasini.agent.v1.SkipStageRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipelineId !== "") putText(to, 10, m.pipelineId);
  if (m.stageId !== "") putText(to, 18, m.stageId);
  if (m.reason !== "") putText(to, 26, m.reason);
}

function writeSkipStageResponse(to: PlainWriter, m: SkipStageResponse): void {
  if (m.$typeName !== "vasini.agent.v1.SkipStageResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipeline !== undefined) {
    const start = to.begin(10);
    writePipeline(to, m.pipeline);
    to.close(start);
  }
}

function writeSnippetRef(to: PlainWriter, m: SnippetRef): void {
  if (m.$typeName !== "vasini.agent.v1.SnippetRef" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.path !== "") putText(to, 10, m.path);
  if (m.startLine !== 0) putInt32(to, 16, m.startLine);
  if (m.endLine !== 0) putInt32(to, 24, m.endLine);
  if (m.content !== "") putText(to, 34, m.content);
  if (m.description !== "") putText(to, 42, m.description);
}

function writeSpendRow(to: PlainWriter, m: SpendRow): void {
  if (m.$typeName !== "vasini.agent.v1.SpendRow" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.day !== "") putText(to, 10, m.day);
  if (m.provider !== "") putText(to, 18, m.provider);
  if (m.model !== "") putText(to, 26, m.model);
  if (m.packId !== "") putText(to, 34, m.packId);
  if (m.templateId !== "") putText(to, 42, m.templateId);
  if (m.calls !== 0n) putInt64(to, 48, m.calls);
  if (m.usage !== undefined) {
    const start = to.begin(58);
    writeUsage(to, m.usage);
    to.close(start);
  }
}

function writeStage(to: PlainWriter, m: Stage): void {
  if (m.$typeName !== "vasini.agent.v1.Stage" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.stageId !== "") putText(to, 10, m.stageId);
  if (m.stageOrder !== 0) putInt32(to, 16, m.stageOrder);
  if (m.stageName !== "") putText(to, 26, m.stageName);
  if (m.taskType !== "") putText(to, 34, m.taskType);
  if (m.status !== 0) putInt32(to, 40, m.status);
  if (m.config !== undefined) {
    const start = to.begin(50);
    writeStageConfig(to, m.config);
    to.close(start);
  }
  if (m.dispatchId !== "") putText(to, 58, m.dispatchId);
  if (m.assignedPackId !== "") putText(to, 66, m.assignedPackId);
  if (m.attemptNumber !== 0) putInt32(to, 72, m.attemptNumber);
  if (m.result !== undefined) {
    const start = to.begin(82);
    writeAgentResult(to, m.result);
    to.close(start);
  }
  if (m.assignedInstanceId !== "") putText(to, 130, m.assignedInstanceId);
  if (m.startedAt !== undefined) {
    const start = to.begin(138);
    writeTimestamp(to, m.startedAt);
    to.close(start);
  }
  if (m.finishedAt !== undefined) {
    const start = to.begin(146);
    writeTimestamp(to, m.finishedAt);
    to.close(start);
  }
  if (m.waitingFor !== "") putText(to, 154, m.waitingFor);
  if (m.commit !== "") putText(to, 162, m.commit);
  if (m.workspace !== undefined) {
    const start = to.begin(170);
    writeWorkspace(to, m.workspace);
    to.close(start);
  }
  if (m.resultLeftOutBytes !== 0) putInt32(to, 176, m.resultLeftOutBytes);
  for (const item of list(m.edges)) {
    const start = to.begin(186);
    writeEdgeDecision(to, item);
    to.close(start);
  }
  for (const item of list(m.guardrails)) {
    const start = to.begin(194);
    writeGuardrailVerdict(to, item);
    to.close(start);
  }
  if (m.alignment !== undefined) {
    const start = to.begin(202);
    writeAlignmentReport(to, m.alignment);
    to.close(start);
  }
}

function writeStageConfig(to: PlainWriter, m: StageConfig): void {
  if (m.$typeName !== "vasini.agent.v1.StageConfig" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.contractTemplate !== undefined) {
    const start = to.begin(10);
    writeContract(to, m.contractTemplate);
    to.close(start);
  }
  if (m.handoffPolicy !== undefined) {
    const start = to.begin(18);
    writeHandoffPolicy(to, m.handoffPolicy);
    to.close(start);
  }
  if (m.required !== false) putBool(to, 24, m.required);
  for (const item of list(m.dependsOnStages)) putText(to, 34, item);
  if (m.contextPropagation !== undefined) {
    const start = to.begin(42);
    writeContextPropagation(to, m.contextPropagation);
    to.close(start);
  }
  if (m.condition !== "") putText(to, 90, m.condition);
  if (m.inputMapping !== undefined) {
    const start = to.begin(98);
    writeData(to, m.inputMapping);
    to.close(start);
  }
  if (m.errorStageId !== "") putText(to, 106, m.errorStageId);
  for (const item of list(m.rewindEdges)) {
    const start = to.begin(114);
    writeRewindEdge(to, item);
    to.close(start);
  }
  if (m.budget !== undefined) {
    const start = to.begin(122);
    writeBudget(to, m.budget);
    to.close(start);
  }
  if (m.timeout !== undefined) {
    const start = to.begin(130);
    writeDuration(to, m.timeout);
    to.close(start);
  }
  if (m.riskTier !== 0) putInt32(to, 136, m.riskTier);
  if (m.outputSchema !== undefined) {
    const start = to.begin(146);
    writeData(to, m.outputSchema);
    to.close(start);
  }
  if (m.packId !== "") putText(to, 154, m.packId);
  for (const item of list(m.edges)) {
    const start = to.begin(162);
    writeStageEdge(to, item);
    to.close(start);
  }
  if (m.join !== 0) putInt32(to, 168, m.join);
  if (m.mayComplete !== false) putBool(to, 176, m.mayComplete);
}

function writeStageEdge(to: PlainWriter, m: StageEdge): void {
  if (m.$typeName !== "vasini.agent.v1.StageEdge" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.fromStageId !== "") putText(to, 10, m.fromStageId);
  if (m.kind !== 0) putInt32(to, 16, m.kind);
  if (m.condition !== "") putText(to, 26, m.condition);
}

function writeStageRewind(to: PlainWriter, m: StageRewind): void {
  if (m.$typeName !== "vasini.agent.v1.StageRewind" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.stageId !== "") putText(to, 10, m.stageId);
  if (m.statusNow !== 0) putInt32(to, 16, m.statusNow);
  if (m.statusThen !== 0) putInt32(to, 24, m.statusThen);
  if (m.attemptNow !== 0) putInt32(to, 32, m.attemptNow);
  if (m.attemptThen !== 0) putInt32(to, 40, m.attemptThen);
  if (m.sentAnew !== false) putBool(to, 48, m.sentAnew);
}

function writeStageWait(to: PlainWriter, m: StageWait): void {
  if (m.$typeName !== "vasini.agent.v1.StageWait" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.stageId !== "") putText(to, 10, m.stageId);
  if (m.from !== undefined) {
    const start = to.begin(18);
    writeTimestamp(to, m.from);
    to.close(start);
  }
  if (m.until !== undefined) {
    const start = to.begin(26);
    writeTimestamp(to, m.until);
    to.close(start);
  }
  if (m.reason !== "") putText(to, 34, m.reason);
}

function writeStartTenantRequest(to: PlainWriter, m: StartTenantRequest): void {
  if (m.$typeName !== "vasini.agent.v1.StartTenantRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.reason !== "") putText(to, 10, m.reason);
}

function writeStartTenantResponse(to: PlainWriter, m: StartTenantResponse): void {
  if (m.$typeName !== "vasini.agent.v1.StartTenantResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.tenant !== undefined) {
    const start = to.begin(10);
    writeTenant(to, m.tenant);
    to.close(start);
  }
}

function writeStep(to: PlainWriter, m: Step): void {
  if (m.$typeName !== "vasini.agent.v1.Step" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.name !== "") putText(to, 10, m.name);
  if (m.argumentsDigest !== "") putText(to, 18, m.argumentsDigest);
  if (m.occurrence !== 0) putInt32(to, 24, m.occurrence);
  if (m.state !== 0) putInt32(to, 32, m.state);
  if (m.valueJson !== "") putText(to, 42, m.valueJson);
  if (m.usage !== undefined) {
    const start = to.begin(50);
    writeUsage(to, m.usage);
    to.close(start);
  }
  if (m.idempotent !== false) putBool(to, 56, m.idempotent);
  if (m.critical !== false) putBool(to, 64, m.critical);
  if (m.error !== "") putText(to, 74, m.error);
}

function writeStepRecord(to: PlainWriter, m: StepRecord): void {
  if (m.$typeName !== "vasini.agent.v1.StepRecord" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.dispatchId !== "") putText(to, 10, m.dispatchId);
  if (m.stageId !== "") putText(to, 18, m.stageId);
  if (m.attemptNumber !== 0) putInt32(to, 24, m.attemptNumber);
  if (m.recordedAt !== undefined) {
    const start = to.begin(34);
    writeTimestamp(to, m.recordedAt);
    to.close(start);
  }
  if (m.step !== undefined) {
    const start = to.begin(42);
    writeStep(to, m.step);
    to.close(start);
  }
  if (m.valueBytes !== 0) putInt32(to, 48, m.valueBytes);
  if (m.withheld !== undefined) {
    const start = to.begin(58);
    writeWithheld(to, m.withheld);
    to.close(start);
  }
}

function writeStopTenantRequest(to: PlainWriter, m: StopTenantRequest): void {
  if (m.$typeName !== "vasini.agent.v1.StopTenantRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.reason !== "") putText(to, 10, m.reason);
}

function writeStopTenantResponse(to: PlainWriter, m: StopTenantResponse): void {
  if (m.$typeName !== "vasini.agent.v1.StopTenantResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.tenant !== undefined) {
    const start = to.begin(10);
    writeTenant(to, m.tenant);
    to.close(start);
  }
}

function writeStructuredResponse(to: PlainWriter, m: StructuredResponse): void {
  if (m.$typeName !== "vasini.agent.v1.StructuredResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.thought !== "") putText(to, 10, m.thought);
  if (m.status !== 0) putInt32(to, 16, m.status);
  if (m.data !== undefined) {
    const start = to.begin(26);
    writeData(to, m.data);
    to.close(start);
  }
  if (m.message !== "") putText(to, 34, m.message);
  if (m.nextStepHint !== "") putText(to, 42, m.nextStepHint);
}

function writeSubmitTaskRequest(to: PlainWriter, m: SubmitTaskRequest): void {
  if (m.$typeName !== "vasini.agent.v1.SubmitTaskRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.idempotencyKey !== "") putText(to, 10, m.idempotencyKey);
  if (m.plan.case === "templateId") putText(to, 18, m.plan.value);
  if (m.plan.case === "taskType") putText(to, 26, m.plan.value);
  if (m.plan.case === "pipeline") {
    const start = to.begin(34);
    writePipelinePlan(to, m.plan.value);
    to.close(start);
  }
  if (m.contract !== undefined) {
    const start = to.begin(42);
    writeContract(to, m.contract);
    to.close(start);
  }
  if (m.safety !== undefined) {
    const start = to.begin(50);
    writeSafetyContext(to, m.safety);
    to.close(start);
  }
  for (const item of list(m.refs)) {
    const start = to.begin(58);
    writeRef(to, item);
    to.close(start);
  }
  if (m.priority !== 0) putInt32(to, 64, m.priority);
  if (m.riskTier !== 0) putInt32(to, 72, m.riskTier);
  if (m.deadline !== undefined) {
    const start = to.begin(82);
    writeTimestamp(to, m.deadline);
    to.close(start);
  }
  if (m.context !== undefined) {
    const start = to.begin(90);
    writeContextIn(to, m.context);
    to.close(start);
  }
  if (m.inputs !== undefined) {
    const start = to.begin(98);
    writeData(to, m.inputs);
    to.close(start);
  }
  if (m.workspace !== undefined) {
    const start = to.begin(106);
    writeWorkspace(to, m.workspace);
    to.close(start);
  }
  if (m.budget !== undefined) {
    const start = to.begin(114);
    writeBudget(to, m.budget);
    to.close(start);
  }
  if (m.patchSizeLimit !== 0) putInt32(to, 120, m.patchSizeLimit);
  if (m.validateOnly !== false) putBool(to, 128, m.validateOnly);
  if (m.failureStrategy !== 0) putInt32(to, 136, m.failureStrategy);
  if (m.contextLevel !== 0) putInt32(to, 144, m.contextLevel);
  if (m.timeout !== undefined) {
    const start = to.begin(154);
    writeDuration(to, m.timeout);
    to.close(start);
  }
  for (const item of list(m.labels)) {
    const start = to.begin(162);
    writeLabel(to, item);
    to.close(start);
  }
  if (m.maxRetries !== undefined) putInt32(to, 168, m.maxRetries);
  if (m.governance !== undefined) {
    const start = to.begin(178);
    writeGovernance(to, m.governance);
    to.close(start);
  }
  for (const item of list(m.replyTo)) putText(to, 186, item);
  if (m.replyProgress !== false) putBool(to, 192, m.replyProgress);
}

function writeSubmitTaskResponse(to: PlainWriter, m: SubmitTaskResponse): void {
  if (m.$typeName !== "vasini.agent.v1.SubmitTaskResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.pipeline !== undefined) {
    const start = to.begin(10);
    writePipeline(to, m.pipeline);
    to.close(start);
  }
  if (m.existing !== false) putBool(to, 16, m.existing);
}

function writeTaskAttachment(to: PlainWriter, m: TaskAttachment): void {
  if (m.$typeName !== "vasini.agent.v1.TaskAttachment" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.uri !== "") putText(to, 10, m.uri);
  if (m.kind !== "") putText(to, 18, m.kind);
  if (m.digest !== "") putText(to, 26, m.digest);
}

function writeTaskEnvelope(to: PlainWriter, m: TaskEnvelope): void {
  if (m.$typeName !== "vasini.agent.v1.TaskEnvelope" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.protocolVersion !== undefined) {
    const start = to.begin(10);
    writeProtocolVersion(to, m.protocolVersion);
    to.close(start);
  }
  if (m.contract !== undefined) {
    const start = to.begin(18);
    writeContract(to, m.contract);
    to.close(start);
  }
  if (m.trace !== undefined) {
    const start = to.begin(26);
    writeTraceContext(to, m.trace);
    to.close(start);
  }
  if (m.safety !== undefined) {
    const start = to.begin(34);
    writeSafetyContext(to, m.safety);
    to.close(start);
  }
  for (const item of list(m.refs)) {
    const start = to.begin(42);
    writeRef(to, item);
    to.close(start);
  }
  if (m.execution !== undefined) {
    const start = to.begin(50);
    writeExecution(to, m.execution);
    to.close(start);
  }
  if (m.contextIn !== undefined) {
    const start = to.begin(58);
    writeContextIn(to, m.contextIn);
    to.close(start);
  }
  if (m.routing !== undefined) {
    const start = to.begin(66);
    writeRouting(to, m.routing);
    to.close(start);
  }
  if (m.reviewFeedback !== undefined) {
    const start = to.begin(130);
    writeReviewFeedback(to, m.reviewFeedback);
    to.close(start);
  }
  if (m.workspace !== undefined) {
    const start = to.begin(138);
    writeWorkspace(to, m.workspace);
    to.close(start);
  }
  if (m.inputs !== undefined) {
    const start = to.begin(146);
    writeData(to, m.inputs);
    to.close(start);
  }
  for (const item of list(m.clarifications)) {
    const start = to.begin(154);
    writeClarification(to, item);
    to.close(start);
  }
  if (m.outputSchema !== undefined) {
    const start = to.begin(162);
    writeData(to, m.outputSchema);
    to.close(start);
  }
  if (m.steps !== undefined) {
    const start = to.begin(170);
    writeGivenSteps(to, m.steps);
    to.close(start);
  }
  if (m.mayComplete !== false) putBool(to, 176, m.mayComplete);
  if (m.mayRetryWithInstruction !== false) putBool(to, 184, m.mayRetryWithInstruction);
  for (const item of list(m.lessons)) {
    const start = to.begin(194);
    writeGivenLesson(to, item);
    to.close(start);
  }
}

function writeTaskIssuer(to: PlainWriter, m: TaskIssuer): void {
  if (m.$typeName !== "vasini.agent.v1.TaskIssuer" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.agentId !== "") putText(to, 10, m.agentId);
  if (m.kind !== 0) putInt32(to, 16, m.kind);
  if (m.name !== "") putText(to, 26, m.name);
}

function writeTaskTransition(to: PlainWriter, m: TaskTransition): void {
  if (m.$typeName !== "vasini.agent.v1.TaskTransition" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.taskId !== "") putText(to, 10, m.taskId);
  if (m.fromState !== "") putText(to, 18, m.fromState);
  if (m.toState !== "") putText(to, 26, m.toState);
  if (m.gitHash !== undefined) putText(to, 34, m.gitHash);
  if (m.timestamp !== undefined) {
    const start = to.begin(42);
    writeTimestamp(to, m.timestamp);
    to.close(start);
  }
}

function writeTemplate(to: PlainWriter, m: Template): void {
  if (m.$typeName !== "vasini.agent.v1.Template" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.templateId !== "") putText(to, 10, m.templateId);
  if (m.name !== "") putText(to, 18, m.name);
  if (m.description !== "") putText(to, 26, m.description);
  for (const item of list(m.stages)) {
    const start = to.begin(34);
    writeStage(to, item);
    to.close(start);
  }
  if (m.policy !== undefined) {
    const start = to.begin(42);
    writePipelinePolicy(to, m.policy);
    to.close(start);
  }
  if (m.workflow !== false) putBool(to, 48, m.workflow);
  for (const item of list(m.endStages)) putText(to, 58, item);
}

function writeTenant(to: PlainWriter, m: Tenant): void {
  if (m.$typeName !== "vasini.agent.v1.Tenant" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.tenantId !== "") putText(to, 10, m.tenantId);
  if (m.stopped !== false) putBool(to, 16, m.stopped);
  if (m.reason !== "") putText(to, 26, m.reason);
  if (m.stoppedBy !== "") putText(to, 34, m.stoppedBy);
  if (m.stoppedAt !== undefined) {
    const start = to.begin(42);
    writeTimestamp(to, m.stoppedAt);
    to.close(start);
  }
}

function writeTenantSpendLimit(to: PlainWriter, m: TenantSpendLimit): void {
  if (m.$typeName !== "vasini.agent.v1.TenantSpendLimit" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.period !== 0) putInt32(to, 8, m.period);
  if (m.isMoney !== false) putBool(to, 16, m.isMoney);
  if (m.limit !== 0n) putInt64(to, 24, m.limit);
  if (m.raised !== 0n) putInt64(to, 32, m.raised);
  if (m.spent !== 0n) putInt64(to, 40, m.spent);
  if (m.reserved !== 0n) putInt64(to, 48, m.reserved);
  if (m.resetsAt !== undefined) {
    const start = to.begin(58);
    writeTimestamp(to, m.resetsAt);
    to.close(start);
  }
}

function writeTestContract(to: PlainWriter, m: TestContract): void {
  if (m.$typeName !== "vasini.agent.v1.TestContract" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  for (const item of list(m.testsToAdd)) putText(to, 10, item);
  for (const item of list(m.testsToRun)) putText(to, 18, item);
}

function writeThoughtStream(to: PlainWriter, m: ThoughtStream): void {
  if (m.$typeName !== "vasini.agent.v1.ThoughtStream" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.agentId !== 0) putInt32(to, 8, m.agentId);
  if (m.turnIndex !== 0) putInt32(to, 16, m.turnIndex);
  if (m.chunk !== "") putText(to, 26, m.chunk);
  if (m.isFinal !== false) putBool(to, 32, m.isFinal);
}

function writeTimeoutSnapshot(to: PlainWriter, m: TimeoutSnapshot): void {
  if (m.$typeName !== "vasini.agent.v1.TimeoutSnapshot" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.duration !== undefined) {
    const start = to.begin(10);
    writeDuration(to, m.duration);
    to.close(start);
  }
  if (m.deadline !== undefined) {
    const start = to.begin(18);
    writeTimestamp(to, m.deadline);
    to.close(start);
  }
  if (m.cancelSignalSent !== false) putBool(to, 24, m.cancelSignalSent);
}

function writeTimestamp(to: PlainWriter, m: Timestamp): void {
  if (m.$typeName !== "google.protobuf.Timestamp" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.seconds !== 0n) putInt64(to, 8, m.seconds);
  if (m.nanos !== 0) putInt32(to, 16, m.nanos);
}

function writeToolCallSnapshot(to: PlainWriter, m: ToolCallSnapshot): void {
  if (m.$typeName !== "vasini.agent.v1.ToolCallSnapshot" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.tool !== "") putText(to, 10, m.tool);
  if (m.argumentsJson !== "") putText(to, 18, m.argumentsJson);
  if (m.reason !== "") putText(to, 26, m.reason);
}

function writeToolDecision(to: PlainWriter, m: ToolDecision): void {
  if (m.$typeName !== "vasini.agent.v1.ToolDecision" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.verdict !== 0) putInt32(to, 8, m.verdict);
  if (m.callId !== "") putText(to, 18, m.callId);
  if (m.arguments !== undefined) {
    const start = to.begin(26);
    writeData(to, m.arguments);
    to.close(start);
  }
  if (m.reason !== "") putText(to, 34, m.reason);
}

function writeToolLifecycleCompleted(to: PlainWriter, m: ToolLifecycleCompleted): void {
  if (m.$typeName !== "vasini.agent.v1.ToolLifecycleCompleted" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.callId !== "") putText(to, 10, m.callId);
  if (m.tool !== "") putText(to, 18, m.tool);
  if (m.status !== 0) putInt32(to, 24, m.status);
  if (!Object.is(m.durationMs, 0)) putDouble(to, 33, m.durationMs);
  if (m.timestamp !== undefined) {
    const start = to.begin(42);
    writeTimestamp(to, m.timestamp);
    to.close(start);
  }
}

function writeToolLifecycleInvoked(to: PlainWriter, m: ToolLifecycleInvoked): void {
  if (m.$typeName !== "vasini.agent.v1.ToolLifecycleInvoked" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.callId !== "") putText(to, 10, m.callId);
  if (m.tool !== "") putText(to, 18, m.tool);
  if (m.arguments !== undefined) {
    const start = to.begin(26);
    writeData(to, m.arguments);
    to.close(start);
  }
  if (m.timestamp !== undefined) {
    const start = to.begin(34);
    writeTimestamp(to, m.timestamp);
    to.close(start);
  }
  if (m.refused !== "") putText(to, 42, m.refused);
}

function writeToolPin(to: PlainWriter, m: ToolPin): void {
  if (m.$typeName !== "vasini.agent.v1.ToolPin" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.name !== "") putText(to, 10, m.name);
  if (m.definitionJson !== "") putText(to, 18, m.definitionJson);
}

function writeToolProposal(to: PlainWriter, m: ToolProposal): void {
  if (m.$typeName !== "vasini.agent.v1.ToolProposal" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.callId !== "") putText(to, 10, m.callId);
  if (m.tool !== "") putText(to, 18, m.tool);
  if (m.arguments !== undefined) {
    const start = to.begin(26);
    writeData(to, m.arguments);
    to.close(start);
  }
  if (m.reason !== "") putText(to, 34, m.reason);
}

function writeTraceContext(to: PlainWriter, m: TraceContext): void {
  if (m.$typeName !== "vasini.agent.v1.TraceContext" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.traceId !== "") putText(to, 10, m.traceId);
  if (m.spanId !== "") putText(to, 18, m.spanId);
  if (m.parentSpanId !== "") putText(to, 26, m.parentSpanId);
  if (m.tenantId !== "") putText(to, 34, m.tenantId);
  if (m.agentId !== "") putText(to, 42, m.agentId);
}

function writeTransition(to: PlainWriter, m: Transition): void {
  if (m.$typeName !== "vasini.agent.v1.Transition" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.revision !== 0n) putInt64(to, 8, m.revision);
  if (m.at !== undefined) {
    const start = to.begin(18);
    writeTimestamp(to, m.at);
    to.close(start);
  }
  if (m.stageId !== "") putText(to, 26, m.stageId);
  if (m.dispatchId !== "") putText(to, 34, m.dispatchId);
  if (m.fromStatus !== "") putText(to, 42, m.fromStatus);
  if (m.toStatus !== "") putText(to, 50, m.toStatus);
  if (m.commit !== "") putText(to, 58, m.commit);
  if (m.abandoned !== false) putBool(to, 64, m.abandoned);
  if (m.rewoundTo !== 0n) putInt64(to, 72, m.rewoundTo);
  if (m.by !== "") putText(to, 82, m.by);
  if (m.reason !== "") putText(to, 90, m.reason);
  if (m.attemptNumber !== 0) putInt32(to, 96, m.attemptNumber);
}

function writeTurnContent(to: PlainWriter, m: TurnContent): void {
  if (m.$typeName !== "vasini.agent.v1.TurnContent" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.thought !== "") putText(to, 10, m.thought);
  if (m.action !== "") putText(to, 18, m.action);
  if (m.observation !== "") putText(to, 26, m.observation);
}

function writeTurnEnvelope(to: PlainWriter, m: TurnEnvelope): void {
  if (m.$typeName !== "vasini.agent.v1.TurnEnvelope" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.turnIndex !== 0) putInt32(to, 8, m.turnIndex);
  if (m.agentId !== 0) putInt32(to, 16, m.agentId);
  if (m.role !== 0) putInt32(to, 24, m.role);
  if (m.content !== undefined) {
    const start = to.begin(34);
    writeTurnContent(to, m.content);
    to.close(start);
  }
  if (m.metadata !== undefined) {
    const start = to.begin(42);
    writeTurnMetadata(to, m.metadata);
    to.close(start);
  }
  if (m.packId !== "") putText(to, 50, m.packId);
}

function writeTurnGap(to: PlainWriter, m: TurnGap): void {
  if (m.$typeName !== "vasini.agent.v1.TurnGap" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.dispatchId !== "") putText(to, 10, m.dispatchId);
  if (m.firstIndex !== 0) putInt32(to, 16, m.firstIndex);
  if (m.lastIndex !== 0) putInt32(to, 24, m.lastIndex);
}

function writeTurnMetadata(to: PlainWriter, m: TurnMetadata): void {
  if (m.$typeName !== "vasini.agent.v1.TurnMetadata" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.version !== "") putText(to, 10, m.version);
  if (m.taskId !== "") putText(to, 18, m.taskId);
  if (m.timestamp !== undefined) {
    const start = to.begin(26);
    writeTimestamp(to, m.timestamp);
    to.close(start);
  }
  if (!Object.is(m.confidence, 0)) putDouble(to, 33, m.confidence);
  if (m.estimatedComplexity !== 0) putInt32(to, 40, m.estimatedComplexity);
}

function writeTurnRecord(to: PlainWriter, m: TurnRecord): void {
  if (m.$typeName !== "vasini.agent.v1.TurnRecord" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.dispatchId !== "") putText(to, 10, m.dispatchId);
  if (m.stageId !== "") putText(to, 18, m.stageId);
  if (m.attemptNumber !== 0) putInt32(to, 24, m.attemptNumber);
  if (m.recordedAt !== undefined) {
    const start = to.begin(34);
    writeTimestamp(to, m.recordedAt);
    to.close(start);
  }
  if (m.eventId !== "") putText(to, 42, m.eventId);
  if (m.turn !== undefined) {
    const start = to.begin(50);
    writeTurnEnvelope(to, m.turn);
    to.close(start);
  }
  if (m.withheld !== undefined) {
    const start = to.begin(58);
    writeWithheld(to, m.withheld);
    to.close(start);
  }
}

function writeUsage(to: PlainWriter, m: Usage): void {
  if (m.$typeName !== "vasini.agent.v1.Usage" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.inputTokens !== 0n) putInt64(to, 8, m.inputTokens);
  if (m.outputTokens !== 0n) putInt64(to, 16, m.outputTokens);
  if (m.costMicroUsd !== 0n) putInt64(to, 24, m.costMicroUsd);
  if (m.steps !== 0) putInt32(to, 32, m.steps);
  if (m.cacheReadTokens !== 0n) putInt64(to, 40, m.cacheReadTokens);
  if (m.cacheWriteTokens !== 0n) putInt64(to, 48, m.cacheWriteTokens);
  if (m.reasoningTokens !== 0n) putInt64(to, 56, m.reasoningTokens);
  if (m.costUnknown !== false) putBool(to, 64, m.costUnknown);
  for (const item of list(m.models)) {
    const start = to.begin(74);
    writeModelUsage(to, item);
    to.close(start);
  }
}

function writeVerifyAuditRequest(to: PlainWriter, m: VerifyAuditRequest): void {
  if (m.$typeName !== "vasini.agent.v1.VerifyAuditRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.checkpoint !== undefined) {
    const start = to.begin(10);
    writeAuditCheckpoint(to, m.checkpoint);
    to.close(start);
  }
}

function writeVerifyAuditResponse(to: PlainWriter, m: VerifyAuditResponse): void {
  if (m.$typeName !== "vasini.agent.v1.VerifyAuditResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.valid !== false) putBool(to, 8, m.valid);
  if (m.entriesChecked !== 0n) putInt64(to, 16, m.entriesChecked);
  if (m.firstBadSequence !== 0n) putInt64(to, 24, m.firstBadSequence);
  if (m.problem !== "") putText(to, 34, m.problem);
  if (m.checkpoint !== undefined) {
    const start = to.begin(42);
    writeAuditCheckpoint(to, m.checkpoint);
    to.close(start);
  }
  if (m.vouchedThrough !== 0n) putInt64(to, 48, m.vouchedThrough);
  if (m.problemKind !== "") putText(to, 58, m.problemKind);
  for (const item of list(m.keys)) {
    const start = to.begin(66);
    writeAuditKey(to, item);
    to.close(start);
  }
}

function writeWatchCaughtUp(to: PlainWriter, m: WatchCaughtUp): void {
  if (m.$typeName !== "vasini.agent.v1.WatchCaughtUp" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.sequence !== 0n) putInt64(to, 8, m.sequence);
}

function writeWatchDropped(to: PlainWriter, m: WatchDropped): void {
  if (m.$typeName !== "vasini.agent.v1.WatchDropped" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.resumeAfterSequence !== 0n) putInt64(to, 8, m.resumeAfterSequence);
  if (m.reason !== "") putText(to, 18, m.reason);
}

function writeWatchEventsRequest(to: PlainWriter, m: WatchEventsRequest): void {
  if (m.$typeName !== "vasini.agent.v1.WatchEventsRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.afterSequence !== undefined) putInt64(to, 8, m.afterSequence);
  if (m.filter !== "") putText(to, 18, m.filter);
}

function writeWatchEventsResponse(to: PlainWriter, m: WatchEventsResponse): void {
  if (m.$typeName !== "vasini.agent.v1.WatchEventsResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.message.case === "record") {
    const start = to.begin(10);
    writeEventRecord(to, m.message.value);
    to.close(start);
  }
  if (m.message.case === "caughtUp") {
    const start = to.begin(18);
    writeWatchCaughtUp(to, m.message.value);
    to.close(start);
  }
  if (m.message.case === "dropped") {
    const start = to.begin(26);
    writeWatchDropped(to, m.message.value);
    to.close(start);
  }
}

function writeWithdrawLessonRequest(to: PlainWriter, m: WithdrawLessonRequest): void {
  if (m.$typeName !== "vasini.agent.v1.WithdrawLessonRequest" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.lessonId !== "") putText(to, 10, m.lessonId);
  if (m.reason !== "") putText(to, 18, m.reason);
}

function writeWithdrawLessonResponse(to: PlainWriter, m: WithdrawLessonResponse): void {
  if (m.$typeName !== "vasini.agent.v1.WithdrawLessonResponse" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.lesson !== undefined) {
    const start = to.begin(10);
    writeLesson(to, m.lesson);
    to.close(start);
  }
}

function writeWithheld(to: PlainWriter, m: Withheld): void {
  if (m.$typeName !== "vasini.agent.v1.Withheld" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.code !== "") putText(to, 10, m.code);
  if (m.reason !== "") putText(to, 18, m.reason);
  if (m.bytes !== 0) putInt32(to, 24, m.bytes);
}

function writeWorkAtRisk(to: PlainWriter, m: WorkAtRisk): void {
  if (m.$typeName !== "vasini.agent.v1.WorkAtRisk" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.branch !== "") putText(to, 10, m.branch);
  if (m.kind !== 0) putInt32(to, 16, m.kind);
  if (m.detail !== "") putText(to, 26, m.detail);
}

function writeWorkspace(to: PlainWriter, m: Workspace): void {
  if (m.$typeName !== "vasini.agent.v1.Workspace" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
  if (m.repository !== "") putText(to, 10, m.repository);
  if (m.baseCommit !== "") putText(to, 18, m.baseCommit);
  if (m.branch !== "") putText(to, 26, m.branch);
  if (m.path !== "") putText(to, 34, m.path);
}
