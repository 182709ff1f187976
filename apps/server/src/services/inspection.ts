import { InspectionService } from "@baton/contract";
import type { Hub } from "@baton/runtime";
import type { ServiceImpl } from "@connectrpc/connect";
import { type Answering, unary } from "./answer.ts";

const { method } = InspectionService;

/** What those who look into the hub's work may ask (A §5.4). */
export function inspectionService(hub: Hub, answering: Answering): ServiceImpl<typeof InspectionService> {
  return {
    getAttempts: unary(answering, method.getAttempts, (caller, request) => hub.getAttempts(caller, request)),
    getAttempt: unary(answering, method.getAttempt, (caller, request) => hub.getAttempt(caller, request)),
    getAttemptChanges: unary(answering, method.getAttemptChanges, (caller, request) =>
      hub.getAttemptChanges(caller, request),
    ),
    getPipelineChanges: unary(answering, method.getPipelineChanges, (caller, request) =>
      hub.getPipelineChanges(caller, request),
    ),
    getTransitions: unary(answering, method.getTransitions, (caller, request) =>
      hub.getTransitions(caller, request),
    ),
    getTurns: unary(answering, method.getTurns, (caller, request) => hub.getTurns(caller, request)),
    getTemplates: unary(answering, method.getTemplates, (caller, request) =>
      hub.getTemplates(caller, request),
    ),
    getRoutingPolicy: unary(answering, method.getRoutingPolicy, (caller, request) =>
      hub.getRoutingPolicy(caller, request),
    ),
    compareRouting: unary(answering, method.compareRouting, (caller, request) =>
      hub.compareRouting(caller, request),
    ),
  };
}
