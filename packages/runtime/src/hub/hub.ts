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
import type { EventList } from "./shown-events.ts";
import type { Stir } from "./stirs.ts";

/**
 * The hub as those who serve it see it: one method a call of the contract's services. Requests are valid by the rules of
 * the contract when they come in; who asks is known. Each throws `HubError`. What it answers is durable.
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
  /** Tenants that are stopped now. */
  stoppedTenants(): readonly string[];
  /** Ends when the signal fires, when the watcher is too slow, or when the hub closes. */
  watchEvents(
    caller: Caller,
    request: WatchEventsRequest,
    signal: AbortSignal,
  ): AsyncIterable<WatchEventsResponse>;
  /**
   * The same, with what came together in one list. Those who watch everything are given the very same lists, so that what
   * is made of one can be used for all.
   */
  watchTogether(caller: Caller, request: WatchEventsRequest, signal: AbortSignal): AsyncIterable<EventList>;
  /** Calls the listener whenever something was stored that the caller may see; gives the way to stop. */
  onStir(caller: Caller, listener: (stir: Stir) => void): () => void;

  registerAgent(caller: Caller, request: RegisterAgentRequest): Promise<RegisterAgentResponse>;
  sendHeartbeat(caller: Caller, request: SendHeartbeatRequest): Promise<SendHeartbeatResponse>;
  listAgents(caller: Caller, request: ListAgentsRequest): Promise<ListAgentsResponse>;
  restoreAgent(caller: Caller, request: RestoreAgentRequest): Promise<RestoreAgentResponse>;
  /** Both directions of an agent's stream. Messages are checked one by one; a bad one is refused, not the stream. */
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
  /** Pieces of a file; all of it is of the instant at which it begins. */
  exportAudit(caller: Caller, request: ExportAuditRequest): AsyncIterable<ExportAuditResponse>;

  /** Why it does not take work now; undefined when it does. */
  whyNotReady(): string | undefined;
  /** What a person has to look at in the audit record, without names of tenants or places. */
  recordWarnings(): readonly string[];
  /**
   * Stops taking work and tells agents at once; lets those that are at work finish for up to `graceMs`; then stores what
   * has come in and closes. What is not finished goes on in the hub's next life.
   */
  drain(graceMs: number): Promise<void>;
}

/** Who asks, as the border has made sure. */
export interface Caller {
  readonly tenantId: string;
  /** Name of the key, or of the person: it is what the record says of who did it. */
  readonly id: string;
  readonly kind: "human" | "agent" | "system";
  /** The key it came with; absent where the hub has none, and people cannot be told apart. */
  readonly keyId?: string;
  /** The trace that the call belongs to (W3C: 32 hexadecimal digits); work that it starts goes on with it. */
  readonly traceId?: string;
  /** The caller's own span in it (16 hexadecimal digits): the parent of what the hub does about the call. */
  readonly parentSpanId?: string;
}
