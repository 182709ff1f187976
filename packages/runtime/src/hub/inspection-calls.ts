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
import { pipelineOf } from "../driver/order.ts";
import { attemptView, summaryView, waitView } from "../views/attempt-view.ts";
import { onlyPart } from "../views/fit-answer.ts";
import { differenceView, routingPolicyView, withRoute } from "../views/routing-view.ts";
import { tellAttempts } from "../views/tell-attempts.ts";
import { find, type HubContext, notFound } from "./context.ts";
import type { Hub } from "./hub.ts";
import { findPastDispatches } from "./past-dispatches.ts";
import { findUnchecked, notedOf } from "./read-noted.ts";
import { recordsOf } from "./read-records.ts";

type InspectionCalls = Pick<
  Hub,
  "getAttempts" | "getAttempt" | "getTemplates" | "getRoutingPolicy" | "compareRouting"
>;

/** Of a great many, the last ones are shown. */
const inspectionLimits = {
  attempts: 5_000,
  waits: 5_000,
  pipelines: 1_000,
  usualPipelines: 100,
  pipelinesLookedAt: 5_000,
  differences: 1_000,
};

/** What people who look into the hub's work are told. */
export function inspectionCalls(context: HubContext): InspectionCalls {
  const { driver, configuration } = context;
  return {
    async getAttempts(caller, { pipelineId, stageId }) {
      const state = await find(context, caller, pipelineId);
      const { attempts, waits } = tellAttempts(await recordsOf(context, state.id));
      const isAsked = (stage: number | undefined) =>
        stageId === "" || (stage !== undefined && state.plan.stages[stage]?.id === stageId);
      const shown = attempts.filter(({ stage }) => isAsked(stage)).slice(-inspectionLimits.attempts);
      const accepted = shown.flatMap(({ ending, dispatch }) =>
        ending === "ACCEPTED" ? [dispatch.dispatchId] : [],
      );
      const place = { tenantId: caller.tenantId, pipelineId: state.id };
      const taken = await findUnchecked(context, place, accepted);
      return create(GetAttemptsResponseSchema, {
        attempts: shown.map((told) => summaryView(state, told, taken)),
        waits: waits
          .filter(({ stage }) => isAsked(stage))
          .slice(-inspectionLimits.waits)
          .map((told) => waitView(state, told)),
      });
    },

    async getAttempt(caller, { dispatchId, part }) {
      const state = await find(context, caller, pipelineOf(dispatchId));
      const { attempts } = tellAttempts(await recordsOf(context, state.id));
      const told = attempts.find(({ dispatch }) => dispatch.dispatchId === dispatchId);
      if (!told) throw notFound("attempt", dispatchId, "list the attempts of the run and name one of them");
      const noted = await notedOf(context, { tenantId: caller.tenantId, pipelineId: state.id }, dispatchId);
      return onlyPart(attemptView(state, told, noted), part);
    },

    async getTemplates() {
      const templates = [...configuration.templates.values()].map(
        ({ templateId, name, description, stages, policy }) => ({
          ...{ templateId, name, description, stages: [...stages], policy: inForce(policy) },
        }),
      );
      return create(GetTemplatesResponseSchema, { templates });
    },

    async getRoutingPolicy({ tenantId }) {
      return create(GetRoutingPolicyResponseSchema, {
        policy: routingPolicyView(driver.policy(tenantId)),
        open: configuration.policy === undefined,
      });
    },

    async compareRouting({ tenantId }, { route, pipelines }) {
      if (!route) throw new Error("a valid request has a route");
      const count = Math.min(pipelines || inspectionLimits.usualPipelines, inspectionLimits.pipelines);
      const { dispatches, lookedAt } = await findPastDispatches(context, {
        ...{ tenantId, taskType: route.taskType },
        ...{ pipelines: count, journals: inspectionLimits.pipelines },
        lookedAt: inspectionLimits.pipelinesLookedAt,
      });
      const differences = whatIf(dispatches, withRoute(driver.policy(tenantId), route));
      return create(CompareRoutingResponseSchema, {
        dispatchesSeen: dispatches.length,
        pipelinesLookedAt: lookedAt,
        differences: differences.slice(0, inspectionLimits.differences).map(differenceView),
      });
    },
  };
}

/** With what holds where the template says nothing. */
function inForce(policy: PipelinePolicy | undefined): PipelinePolicy {
  const said = policy ?? create(PipelinePolicySchema);
  const maxTotalRetries = said.noRetries ? 0 : said.maxTotalRetries || planDefaults.maxTotalRetries;
  const maxRejections = said.noRejections ? 0 : said.maxRejections || planDefaults.maxRejections;
  return { ...said, maxTotalRetries, maxRejections };
}
