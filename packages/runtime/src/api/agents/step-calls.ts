import { ListStepsResponseSchema, ReportStepResponseSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { notYours } from "../../agents/agent-reports.ts";
import { available } from "../../ports/available.ts";
import type { HubContext } from "../context.ts";
import type { Hub } from "../hub.ts";

/** The calls of agents about durable steps (PIP-11). Only the instance that has the attempt may make them. */
export function stepCalls({
  attached,
  connections,
  reports,
  givenSteps,
}: HubContext): Pick<Hub, "reportStep" | "listSteps"> {
  return {
    async reportStep(caller, { packId, instanceId, dispatchId, step }) {
      const { tenantId } = caller;
      if (!step) throw new Error("a valid request has a step");
      attached.refuseOtherKey(caller, { packId, instanceId });
      await reports.take({ tenantId, packId, instanceId }, dispatchId, { case: "step", value: step });
      return create(ReportStepResponseSchema);
    },

    async listSteps(caller, { packId, instanceId, dispatchId, after }) {
      const { tenantId } = caller;
      attached.refuseOtherKey(caller, { packId, instanceId });
      if (!connections.isUnderWayAt({ tenantId, packId, instanceId }, dispatchId)) throw notYours(dispatchId);
      const steps = await available(givenSteps.page({ tenantId, dispatchId }, after));
      return create(ListStepsResponseSchema, { steps: [...steps] });
    },
  };
}
