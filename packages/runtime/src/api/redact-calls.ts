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
import type { Caller } from "../ports/caller.ts";
import { HubError } from "../ports/hub-error.ts";
import type { EgressFilter } from "../redaction/egress-filter.ts";
import { fitAnswer } from "./fit-answer.ts";
import type { Hub } from "./hub.ts";

/** The audit record leaves as it was chained: it was redacted before, and its hashes cover every byte. */
type AuditCalls = "listAuditEntries" | "getAuditProof" | "verifyAudit" | "getAuditCheckpoint" | "exportAudit";

/** Streams redact where their messages are created. */
type Streams = "watchEvents" | "watchTogether" | "attachAgent" | "onChangeHint";

export type FilteredCalls = Omit<
  Hub,
  AuditCalls | Streams | "whyNotReady" | "recordWarnings" | "stoppedTenants" | "drain"
>;

/** A missing call does not compile, so no response can bypass the filter. */
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

/** Redacts every response. */
export function redactCalls(calls: FilteredCalls, filter: EgressFilter): FilteredCalls {
  const redactor = filter.at("answer");
  const filtered = (schema: DescMessage, call: AnyCall): AnyCall => {
    return async (caller, request) => {
      const answer = await call(caller, request);
      try {
        // Omitted parts need no redaction; fitted again, because redaction may lengthen texts.
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

/** The call may have succeeded; only its response is withheld. */
function withheld({ code, message }: RedactionFailure): HubError {
  return new HubError("internal", code, `the response is withheld: ${message}`, {
    fix: "ask the hub's operator to check its log; the call may have succeeded",
  });
}
