import { OrchestratorService } from "@baton/contract";
import type { Hub } from "@baton/runtime";
import type { ServiceImpl } from "@connectrpc/connect";
import { type Answering, serverStream, unary } from "./answer.ts";
import type { Pager } from "./page.ts";

const { method } = OrchestratorService;

/** What people and programs that give work may ask (A §4). */
export function orchestratorService(
  hub: Hub,
  answering: Answering,
  page: Pager,
): ServiceImpl<typeof OrchestratorService> {
  return {
    submitTask: unary(answering, method.submitTask, (caller, request) => hub.submitTask(caller, request)),
    getPipeline: unary(answering, method.getPipeline, (caller, request) => hub.getPipeline(caller, request)),
    listPipelines: unary(answering, method.listPipelines, (caller, request) =>
      hub.listPipelines(caller, page(request)),
    ),
    watchEvents: serverStream(answering, method.watchEvents, (caller, request, signal) =>
      hub.watchEvents(caller, request, signal),
    ),
    pausePipeline: unary(answering, method.pausePipeline, (caller, request) =>
      hub.pausePipeline(caller, request),
    ),
    resumePipeline: unary(answering, method.resumePipeline, (caller, request) =>
      hub.resumePipeline(caller, request),
    ),
    abortPipeline: unary(answering, method.abortPipeline, (caller, request) =>
      hub.abortPipeline(caller, request),
    ),
    changeLimits: unary(answering, method.changeLimits, (caller, request) =>
      hub.changeLimits(caller, request),
    ),
    skipStage: unary(answering, method.skipStage, (caller, request) => hub.skipStage(caller, request)),
    overrideStage: unary(answering, method.overrideStage, (caller, request) =>
      hub.overrideStage(caller, request),
    ),
    cancelStage: unary(answering, method.cancelStage, (caller, request) => hub.cancelStage(caller, request)),
    stopTenant: unary(answering, method.stopTenant, (caller, request) => hub.stopTenant(caller, request)),
    startTenant: unary(answering, method.startTenant, (caller, request) => hub.startTenant(caller, request)),
    getTenant: unary(answering, method.getTenant, (caller, request) => hub.getTenant(caller, request)),
    reviewStage: unary(answering, method.reviewStage, (caller, request) => hub.reviewStage(caller, request)),
    listEscalations: unary(answering, method.listEscalations, (caller, request) =>
      hub.listEscalations(caller, page(request)),
    ),
    resolveEscalation: unary(answering, method.resolveEscalation, (caller, request) =>
      hub.resolveEscalation(caller, request),
    ),
    explainDispatch: unary(answering, method.explainDispatch, (caller, request) =>
      hub.explainDispatch(caller, request),
    ),
    previewRewind: unary(answering, method.previewRewind, (caller, request) =>
      hub.previewRewind(caller, request),
    ),
    rewindPipeline: unary(answering, method.rewindPipeline, (caller, request) =>
      hub.rewindPipeline(caller, request),
    ),
    rerunPipeline: unary(answering, method.rerunPipeline, (caller, request) =>
      hub.rerunPipeline(caller, request),
    ),
  };
}
