import {
  CompareRoutingResponseSchema,
  GetAttemptsResponseSchema,
  GetRoutingPolicyResponseSchema,
  GetTemplatesResponseSchema,
  type PipelinePolicy,
  PipelinePolicySchema,
} from "@baton/contract";
import { planDefaults, whatIf } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { recordsOf } from "../../journal/read-records.ts";
import { pipelineOf } from "../../ports/stored-command.ts";
import { attemptHistories } from "../../views/attempt-history.ts";
import { attemptView, summaryView, waitView } from "../../views/attempt-view.ts";
import { differenceView, routingPolicyView, withRoute } from "../../views/routing-view.ts";
import { attemptNotFound, find, type HubContext } from "../context.ts";
import { onlyPart } from "../fit-answer.ts";
import type { Hub } from "../hub.ts";
import { auditedAttempt, findUnchecked } from "./audit-findings.ts";
import { findPastDispatches } from "./past-dispatches.ts";

type InspectionCalls = Pick<
  Hub,
  "getAttempts" | "getAttempt" | "getTemplates" | "getRoutingPolicy" | "compareRouting"
>;

/** Maximum numbers; of more, the last ones are returned. */
const inspectionLimits = {
  attempts: 5_000,
  waits: 5_000,
  pipelines: 1_000,
  defaultPipelines: 100,
  pipelinesLookedAt: 5_000,
  differences: 1_000,
};

/** Calls of people who inspect the hub's work. */
export function inspectionCalls(context: HubContext): InspectionCalls {
  const { engine, configuration } = context;
  return {
    async getAttempts(caller, { pipelineId, stageId }) {
      const state = await find(context, caller, pipelineId);
      const { attempts, waits } = attemptHistories(await recordsOf(context, state.id));
      const isAsked = (stage: number | undefined) =>
        stageId === "" || (stage !== undefined && state.plan.stages[stage]?.id === stageId);
      const listed = attempts.filter(({ stage }) => isAsked(stage)).slice(-inspectionLimits.attempts);
      const accepted = listed.flatMap(({ ending, dispatch }) =>
        ending === "ACCEPTED" ? [dispatch.dispatchId] : [],
      );
      const scope = { tenantId: caller.tenantId, pipelineId: state.id };
      const unchecked = await findUnchecked(context, scope, accepted);
      return create(GetAttemptsResponseSchema, {
        attempts: listed.map((attempt) => summaryView(state, attempt, unchecked)),
        waits: waits
          .filter(({ stage }) => isAsked(stage))
          .slice(-inspectionLimits.waits)
          .map((attempt) => waitView(state, attempt)),
      });
    },

    async getAttempt(caller, { dispatchId, part }) {
      const state = await find(context, caller, pipelineOf(dispatchId));
      const { attempts } = attemptHistories(await recordsOf(context, state.id));
      const attempt = attempts.find(({ dispatch }) => dispatch.dispatchId === dispatchId);
      if (!attempt) throw attemptNotFound(dispatchId);
      const audited = await auditedAttempt(
        context,
        { tenantId: caller.tenantId, pipelineId: state.id },
        dispatchId,
      );
      return onlyPart(attemptView(state, attempt, audited), part);
    },

    async getTemplates() {
      const templates = [...configuration.templates.values()].map(
        ({ templateId, name, description, stages, policy, workflow }) => ({
          ...{ templateId, name, description, stages: [...stages], policy: inForce(policy) },
          ...{ workflow: workflow !== undefined, endStages: [...(workflow?.ends ?? [])] },
        }),
      );
      return create(GetTemplatesResponseSchema, { templates });
    },

    async getRoutingPolicy({ tenantId }) {
      return create(GetRoutingPolicyResponseSchema, {
        policy: routingPolicyView(engine.policy(tenantId)),
        open: configuration.policy === undefined,
      });
    },

    async compareRouting({ tenantId }, { route, pipelines }) {
      if (!route) throw new Error("a valid request has a route");
      const count = Math.min(pipelines || inspectionLimits.defaultPipelines, inspectionLimits.pipelines);
      const { dispatches, lookedAt } = await findPastDispatches(context, {
        ...{ tenantId, taskType: route.taskType },
        ...{ pipelines: count, journals: inspectionLimits.pipelines },
        lookedAt: inspectionLimits.pipelinesLookedAt,
      });
      const differences = whatIf(dispatches, withRoute(engine.policy(tenantId), route));
      return create(CompareRoutingResponseSchema, {
        dispatchesSeen: dispatches.length,
        pipelinesLookedAt: lookedAt,
        differences: differences.slice(0, inspectionLimits.differences).map(differenceView),
      });
    },
  };
}

/** Fills in the defaults. */
function inForce(policy: PipelinePolicy | undefined): PipelinePolicy {
  const given = policy ?? create(PipelinePolicySchema);
  const maxTotalRetries = given.noRetries ? 0 : given.maxTotalRetries || planDefaults.maxTotalRetries;
  const maxRejections = given.noRejections ? 0 : given.maxRejections || planDefaults.maxRejections;
  return { ...given, maxTotalRetries, maxRejections };
}
