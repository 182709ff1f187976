import {
  AbortPipelineResponseSchema,
  CancelStageResponseSchema,
  ChangeLimitsResponseSchema,
  CompareRoutingResponseSchema,
  ExplainDispatchResponseSchema,
  GetAttemptChangesResponseSchema,
  GetAttemptResponseSchema,
  GetAttemptsResponseSchema,
  GetPipelineChangesResponseSchema,
  GetPipelineResponseSchema,
  GetRoutingPolicyResponseSchema,
  GetTemplatesResponseSchema,
  GetTenantResponseSchema,
  GetTransitionsResponseSchema,
  GetTurnsResponseSchema,
  ListAgentsResponseSchema,
  ListEscalationsResponseSchema,
  ListPipelinesResponseSchema,
  OverrideStageResponseSchema,
  PausePipelineResponseSchema,
  PreviewRewindResponseSchema,
  RegisterAgentResponseSchema,
  RerunPipelineResponseSchema,
  ResolveEscalationResponseSchema,
  RestoreAgentResponseSchema,
  ResumePipelineResponseSchema,
  ReviewStageResponseSchema,
  RewindPipelineResponseSchema,
  SendHeartbeatResponseSchema,
  SkipStageResponseSchema,
  StartTenantResponseSchema,
  StopTenantResponseSchema,
  SubmitTaskResponseSchema,
} from "@baton/contract";
import { RedactionFailure } from "@baton/kernel";
import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Caller, Hub } from "../hub/hub.ts";
import { HubError } from "../hub/hub-error.ts";
import { fitAnswer } from "../views/fit-answer.ts";
import type { Filter } from "./filter.ts";

/** The record leaves as it was sealed: it was filtered then, and its hashes cover every byte. */
type Sealed = "listAuditEntries" | "getAuditProof" | "verifyAudit" | "getAuditCheckpoint" | "exportAudit";

/** Streams have their filters where their messages are made. */
type Streams = "watchEvents" | "watchTogether" | "attachAgent" | "onStir";

export type FilteredCalls = Omit<
  Hub,
  Sealed | Streams | "whyNotReady" | "recordWarnings" | "stoppedTenants" | "drain"
>;

/** A call that is missing here does not compile, so none can answer around the filter. */
const answers: Readonly<Record<keyof FilteredCalls, DescMessage>> = {
  submitTask: SubmitTaskResponseSchema,
  getPipeline: GetPipelineResponseSchema,
  listPipelines: ListPipelinesResponseSchema,
  pausePipeline: PausePipelineResponseSchema,
  resumePipeline: ResumePipelineResponseSchema,
  abortPipeline: AbortPipelineResponseSchema,
  changeLimits: ChangeLimitsResponseSchema,
  skipStage: SkipStageResponseSchema,
  overrideStage: OverrideStageResponseSchema,
  cancelStage: CancelStageResponseSchema,
  previewRewind: PreviewRewindResponseSchema,
  rewindPipeline: RewindPipelineResponseSchema,
  rerunPipeline: RerunPipelineResponseSchema,
  reviewStage: ReviewStageResponseSchema,
  listEscalations: ListEscalationsResponseSchema,
  resolveEscalation: ResolveEscalationResponseSchema,
  explainDispatch: ExplainDispatchResponseSchema,
  stopTenant: StopTenantResponseSchema,
  startTenant: StartTenantResponseSchema,
  getTenant: GetTenantResponseSchema,
  registerAgent: RegisterAgentResponseSchema,
  sendHeartbeat: SendHeartbeatResponseSchema,
  listAgents: ListAgentsResponseSchema,
  restoreAgent: RestoreAgentResponseSchema,
  getAttempts: GetAttemptsResponseSchema,
  getAttempt: GetAttemptResponseSchema,
  getAttemptChanges: GetAttemptChangesResponseSchema,
  getPipelineChanges: GetPipelineChangesResponseSchema,
  getTransitions: GetTransitionsResponseSchema,
  getTurns: GetTurnsResponseSchema,
  getTemplates: GetTemplatesResponseSchema,
  getRoutingPolicy: GetRoutingPolicyResponseSchema,
  compareRouting: CompareRoutingResponseSchema,
};

type AnyCall = (caller: Caller, request: never) => Promise<Message>;

/** What callers are answered has no secrets in it. */
export function filterCalls(calls: FilteredCalls, filter: Filter): FilteredCalls {
  const redactor = filter.at("answer");
  const filtered = (schema: DescMessage, call: AnyCall): AnyCall => {
    return async (caller, request) => {
      const answer = await call(caller, request);
      try {
        // What does not leave is not looked at; and markers may be longer than what they stand for.
        return fitAnswer(redactor.redactMessage(schema, fitAnswer(answer)).message);
      } catch (error) {
        throw error instanceof RedactionFailure ? withheld(error) : error;
      }
    };
  };
  const names = Object.keys(answers) as (keyof FilteredCalls)[];
  return Object.fromEntries(
    names.map((name) => [name, filtered(answers[name], calls[name])]),
  ) as unknown as FilteredCalls;
}

/** What was asked may be done: it is only the answer that does not leave. */
function withheld({ code, message }: RedactionFailure): HubError {
  return new HubError("internal", code, `the answer is withheld: ${message}`, {
    fix: "ask whoever runs the hub to look into its log; what was asked may be done",
  });
}
