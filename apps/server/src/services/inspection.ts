import { InspectionService } from "@baton/contract";
import type { Hub } from "@baton/runtime";
import type { ServiceImpl } from "@connectrpc/connect";
import { type MethodOptions, unary } from "./answer.ts";

const { method } = InspectionService;

/** A §5.4. */
export function inspectionService(hub: Hub, options: MethodOptions): ServiceImpl<typeof InspectionService> {
  return {
    getAttempts: unary(options, method.getAttempts, (caller, request) => hub.getAttempts(caller, request)),
    getAttempt: unary(options, method.getAttempt, (caller, request) => hub.getAttempt(caller, request)),
    getAttemptChanges: unary(options, method.getAttemptChanges, (caller, request) =>
      hub.getAttemptChanges(caller, request),
    ),
    getPipelineChanges: unary(options, method.getPipelineChanges, (caller, request) =>
      hub.getPipelineChanges(caller, request),
    ),
    getTransitions: unary(options, method.getTransitions, (caller, request) =>
      hub.getTransitions(caller, request),
    ),
    getSteps: unary(options, method.getSteps, (caller, request) => hub.getSteps(caller, request)),
    getTurns: unary(options, method.getTurns, (caller, request) => hub.getTurns(caller, request)),
    getSpend: unary(options, method.getSpend, (caller, request) => hub.getSpend(caller, request)),
    getWithheldAnswer: unary(options, method.getWithheldAnswer, (caller, request) =>
      hub.getWithheldAnswer(caller, request),
    ),
    getConstitution: unary(options, method.getConstitution, (caller, request) =>
      hub.getConstitution(caller, request),
    ),
    compareConstitution: unary(options, method.compareConstitution, (caller, request) =>
      hub.compareConstitution(caller, request),
    ),
    getTemplates: unary(options, method.getTemplates, (caller, request) => hub.getTemplates(caller, request)),
    getRoutingPolicy: unary(options, method.getRoutingPolicy, (caller, request) =>
      hub.getRoutingPolicy(caller, request),
    ),
    compareRouting: unary(options, method.compareRouting, (caller, request) =>
      hub.compareRouting(caller, request),
    ),
  };
}
