import {
  AbortPipelineResponseSchema,
  CompareRoutingResponseSchema,
  ExplainDispatchResponseSchema,
  GetAttemptResponseSchema,
  GetAttemptsResponseSchema,
  GetPipelineResponseSchema,
  GetRoutingPolicyResponseSchema,
  GetTemplatesResponseSchema,
  ListAgentsResponseSchema,
  ListEscalationsResponseSchema,
  ListPipelinesResponseSchema,
  PausePipelineResponseSchema,
  RegisterAgentResponseSchema,
  ResolveEscalationResponseSchema,
  RestoreAgentResponseSchema,
  ResumePipelineResponseSchema,
  ReviewStageResponseSchema,
  SendHeartbeatResponseSchema,
  SubmitTaskResponseSchema,
} from "@baton/contract";
import { RedactionFailure } from "@baton/kernel";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { Caller, Hub } from "../hub/hub.ts";
import { HubError } from "../hub/hub-error.ts";
import type { Filter } from "./filter.ts";

/** Calls that answer with something that users, agents or commands wrote. Audit entries are as they were sealed. */
type FilteredCalls = Pick<
  Hub,
  | "submitTask"
  | "getPipeline"
  | "listPipelines"
  | "pausePipeline"
  | "resumePipeline"
  | "abortPipeline"
  | "reviewStage"
  | "listEscalations"
  | "resolveEscalation"
  | "explainDispatch"
  | "registerAgent"
  | "sendHeartbeat"
  | "listAgents"
  | "restoreAgent"
  | "getAttempts"
  | "getAttempt"
  | "getTemplates"
  | "getRoutingPolicy"
  | "compareRouting"
>;

/** What callers are answered has no secrets in it. */
export function filterCalls(calls: FilteredCalls, filter: Filter): FilteredCalls {
  const redactor = filter.at("answer");
  const filtered =
    <Request, Desc extends DescMessage>(
      schema: Desc,
      call: (caller: Caller, request: Request) => Promise<MessageShape<Desc>>,
    ) =>
    async (caller: Caller, request: Request): Promise<MessageShape<Desc>> => {
      const answer = await call(caller, request);
      try {
        return redactor.redactMessage(schema, answer).message;
      } catch (error) {
        throw error instanceof RedactionFailure ? withheld(error) : error;
      }
    };
  return {
    submitTask: filtered(SubmitTaskResponseSchema, calls.submitTask),
    getPipeline: filtered(GetPipelineResponseSchema, calls.getPipeline),
    listPipelines: filtered(ListPipelinesResponseSchema, calls.listPipelines),
    pausePipeline: filtered(PausePipelineResponseSchema, calls.pausePipeline),
    resumePipeline: filtered(ResumePipelineResponseSchema, calls.resumePipeline),
    abortPipeline: filtered(AbortPipelineResponseSchema, calls.abortPipeline),
    reviewStage: filtered(ReviewStageResponseSchema, calls.reviewStage),
    listEscalations: filtered(ListEscalationsResponseSchema, calls.listEscalations),
    resolveEscalation: filtered(ResolveEscalationResponseSchema, calls.resolveEscalation),
    explainDispatch: filtered(ExplainDispatchResponseSchema, calls.explainDispatch),
    registerAgent: filtered(RegisterAgentResponseSchema, calls.registerAgent),
    sendHeartbeat: filtered(SendHeartbeatResponseSchema, calls.sendHeartbeat),
    listAgents: filtered(ListAgentsResponseSchema, calls.listAgents),
    restoreAgent: filtered(RestoreAgentResponseSchema, calls.restoreAgent),
    getAttempts: filtered(GetAttemptsResponseSchema, calls.getAttempts),
    getAttempt: filtered(GetAttemptResponseSchema, calls.getAttempt),
    getTemplates: filtered(GetTemplatesResponseSchema, calls.getTemplates),
    getRoutingPolicy: filtered(GetRoutingPolicyResponseSchema, calls.getRoutingPolicy),
    compareRouting: filtered(CompareRoutingResponseSchema, calls.compareRouting),
  };
}

/** What was asked may be done: it is only the answer that does not leave. */
function withheld({ code, message }: RedactionFailure): HubError {
  return new HubError("internal", code, `the answer is withheld: ${message}`, {
    fix: "ask whoever runs the hub to look into its log; what was asked may be done",
  });
}
