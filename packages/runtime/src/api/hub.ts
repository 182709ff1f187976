import type {
  AbortPipelineRequest,
  AbortPipelineResponse,
  AttachAgentRequest,
  AttachAgentResponse,
  CancelStageRequest,
  CancelStageResponse,
  ChangeLimitsRequest,
  ChangeLimitsResponse,
  CompareRoutingRequest,
  CompareRoutingResponse,
  ExplainDispatchRequest,
  ExplainDispatchResponse,
  ExportAuditRequest,
  ExportAuditResponse,
  GetAttemptChangesRequest,
  GetAttemptChangesResponse,
  GetAttemptRequest,
  GetAttemptResponse,
  GetAttemptsRequest,
  GetAttemptsResponse,
  GetAuditCheckpointRequest,
  GetAuditCheckpointResponse,
  GetAuditProofRequest,
  GetAuditProofResponse,
  GetPipelineChangesRequest,
  GetPipelineChangesResponse,
  GetPipelineRequest,
  GetPipelineResponse,
  GetRoutingPolicyRequest,
  GetRoutingPolicyResponse,
  GetTemplatesRequest,
  GetTemplatesResponse,
  GetTenantRequest,
  GetTenantResponse,
  GetTransitionsRequest,
  GetTransitionsResponse,
  GetTurnsRequest,
  GetTurnsResponse,
  ListAgentsRequest,
  ListAgentsResponse,
  ListAuditEntriesRequest,
  ListAuditEntriesResponse,
  ListEscalationsRequest,
  ListEscalationsResponse,
  ListPipelinesRequest,
  ListPipelinesResponse,
  OverrideStageRequest,
  OverrideStageResponse,
  PausePipelineRequest,
  PausePipelineResponse,
  PreviewRewindRequest,
  PreviewRewindResponse,
  RegisterAgentRequest,
  RegisterAgentResponse,
  RerunPipelineRequest,
  RerunPipelineResponse,
  ResolveEscalationRequest,
  ResolveEscalationResponse,
  RestoreAgentRequest,
  RestoreAgentResponse,
  ResumePipelineRequest,
  ResumePipelineResponse,
  ReviewStageRequest,
  ReviewStageResponse,
  RewindPipelineRequest,
  RewindPipelineResponse,
  SendHeartbeatRequest,
  SendHeartbeatResponse,
  SkipStageRequest,
  SkipStageResponse,
  StartTenantRequest,
  StartTenantResponse,
  StopTenantRequest,
  StopTenantResponse,
  SubmitTaskRequest,
  SubmitTaskResponse,
  VerifyAuditRequest,
  VerifyAuditResponse,
  WatchEventsRequest,
  WatchEventsResponse,
} from "@baton/contract";
import type { Caller } from "../ports/caller.ts";
import type { ChangeHint } from "../watch/change-hints.ts";
import type { EventList } from "../watch/visible-events.ts";

/**
 * The hub's API: one method per call of the contract's services. Requests have been validated and callers
 * authenticated. Each method throws `HubError` and returns when its result is durable.
 */
export interface Hub {
  submitTask(caller: Caller, request: SubmitTaskRequest): Promise<SubmitTaskResponse>;
  getPipeline(caller: Caller, request: GetPipelineRequest): Promise<GetPipelineResponse>;
  listPipelines(caller: Caller, request: ListPipelinesRequest): Promise<ListPipelinesResponse>;
  pausePipeline(caller: Caller, request: PausePipelineRequest): Promise<PausePipelineResponse>;
  resumePipeline(caller: Caller, request: ResumePipelineRequest): Promise<ResumePipelineResponse>;
  abortPipeline(caller: Caller, request: AbortPipelineRequest): Promise<AbortPipelineResponse>;
  changeLimits(caller: Caller, request: ChangeLimitsRequest): Promise<ChangeLimitsResponse>;
  skipStage(caller: Caller, request: SkipStageRequest): Promise<SkipStageResponse>;
  overrideStage(caller: Caller, request: OverrideStageRequest): Promise<OverrideStageResponse>;
  cancelStage(caller: Caller, request: CancelStageRequest): Promise<CancelStageResponse>;
  reviewStage(caller: Caller, request: ReviewStageRequest): Promise<ReviewStageResponse>;
  listEscalations(caller: Caller, request: ListEscalationsRequest): Promise<ListEscalationsResponse>;
  resolveEscalation(caller: Caller, request: ResolveEscalationRequest): Promise<ResolveEscalationResponse>;
  explainDispatch(caller: Caller, request: ExplainDispatchRequest): Promise<ExplainDispatchResponse>;
  previewRewind(caller: Caller, request: PreviewRewindRequest): Promise<PreviewRewindResponse>;
  rewindPipeline(caller: Caller, request: RewindPipelineRequest): Promise<RewindPipelineResponse>;
  rerunPipeline(caller: Caller, request: RerunPipelineRequest): Promise<RerunPipelineResponse>;
  stopTenant(caller: Caller, request: StopTenantRequest): Promise<StopTenantResponse>;
  startTenant(caller: Caller, request: StartTenantRequest): Promise<StartTenantResponse>;
  getTenant(caller: Caller, request: GetTenantRequest): Promise<GetTenantResponse>;
  /** Tenants that are stopped. */
  stoppedTenants(): readonly string[];
  /** Ends when the signal fires, the watcher is too slow, or the hub closes. */
  watchEvents(
    caller: Caller,
    request: WatchEventsRequest,
    signal: AbortSignal,
  ): AsyncIterable<WatchEventsResponse>;
  /** The same in lists. Watchers of everything share the list objects, so that encoders can cache their output. */
  watchTogether(caller: Caller, request: WatchEventsRequest, signal: AbortSignal): AsyncIterable<EventList>;
  /** Notifies the listener of stored changes that the caller may see; returns the function that removes it. */
  onChangeHint(caller: Caller, listener: (changeHint: ChangeHint) => void): () => void;

  registerAgent(caller: Caller, request: RegisterAgentRequest): Promise<RegisterAgentResponse>;
  sendHeartbeat(caller: Caller, request: SendHeartbeatRequest): Promise<SendHeartbeatResponse>;
  listAgents(caller: Caller, request: ListAgentsRequest): Promise<ListAgentsResponse>;
  restoreAgent(caller: Caller, request: RestoreAgentRequest): Promise<RestoreAgentResponse>;
  /**
   * Both directions of an agent's stream. Each message is validated; an invalid one is rejected without closing the
   * stream.
   */
  attachAgent(
    caller: Caller,
    requests: AsyncIterable<AttachAgentRequest>,
    signal: AbortSignal,
  ): AsyncIterable<AttachAgentResponse>;

  getTransitions(caller: Caller, request: GetTransitionsRequest): Promise<GetTransitionsResponse>;
  getAttempts(caller: Caller, request: GetAttemptsRequest): Promise<GetAttemptsResponse>;
  getAttempt(caller: Caller, request: GetAttemptRequest): Promise<GetAttemptResponse>;
  getAttemptChanges(caller: Caller, request: GetAttemptChangesRequest): Promise<GetAttemptChangesResponse>;
  getPipelineChanges(caller: Caller, request: GetPipelineChangesRequest): Promise<GetPipelineChangesResponse>;
  getTurns(caller: Caller, request: GetTurnsRequest): Promise<GetTurnsResponse>;
  getTemplates(caller: Caller, request: GetTemplatesRequest): Promise<GetTemplatesResponse>;
  getRoutingPolicy(caller: Caller, request: GetRoutingPolicyRequest): Promise<GetRoutingPolicyResponse>;
  compareRouting(caller: Caller, request: CompareRoutingRequest): Promise<CompareRoutingResponse>;

  listAuditEntries(caller: Caller, request: ListAuditEntriesRequest): Promise<ListAuditEntriesResponse>;
  getAuditProof(caller: Caller, request: GetAuditProofRequest): Promise<GetAuditProofResponse>;
  verifyAudit(caller: Caller, request: VerifyAuditRequest): Promise<VerifyAuditResponse>;
  getAuditCheckpoint(caller: Caller, request: GetAuditCheckpointRequest): Promise<GetAuditCheckpointResponse>;
  /** Pieces of a file; the export is a snapshot of its start. */
  exportAudit(caller: Caller, request: ExportAuditRequest): AsyncIterable<ExportAuditResponse>;

  /** The reason why no new work is accepted; undefined when it is. */
  whyNotReady(): string | undefined;
  /** Warnings about the audit record, without names of tenants or paths. */
  recordWarnings(): readonly string[];
  /**
   * Stops accepting work and notifies agents; waits up to `graceMs` for running attempts; then stores what was received
   * and closes. Unfinished work continues after the restart.
   */
  drain(graceMs: number): Promise<void>;
}
