import { OrchestratorService } from "@baton/contract";
import type { Hub } from "@baton/runtime";
import type { ServiceImpl } from "@connectrpc/connect";
import { limitPage, type MethodOptions, serverStream, unary } from "./answer.ts";
import { refuseUnlistedFolder } from "./refuse-folder.ts";

const { method } = OrchestratorService;

/** A §4. */
export function orchestratorService(
  hub: Hub,
  options: MethodOptions,
): ServiceImpl<typeof OrchestratorService> {
  return {
    submitTask: unary(options, method.submitTask, async (caller, request) => {
      if (!options.hasListedWorkspaces) refuseUnlistedFolder(caller, request);
      return hub.submitTask(caller, request);
    }),
    getPipeline: unary(options, method.getPipeline, (caller, request) => hub.getPipeline(caller, request)),
    listPipelines: unary(options, method.listPipelines, (caller, request) =>
      hub.listPipelines(caller, limitPage(request, options)),
    ),
    watchEvents: serverStream(options, method.watchEvents, (caller, request, signal) =>
      hub.watchEvents(caller, request, signal),
    ),
    pausePipeline: unary(options, method.pausePipeline, (caller, request) =>
      hub.pausePipeline(caller, request),
    ),
    resumePipeline: unary(options, method.resumePipeline, (caller, request) =>
      hub.resumePipeline(caller, request),
    ),
    abortPipeline: unary(options, method.abortPipeline, (caller, request) =>
      hub.abortPipeline(caller, request),
    ),
    labelPipeline: unary(options, method.labelPipeline, (caller, request) =>
      hub.labelPipeline(caller, request),
    ),
    changeLimits: unary(options, method.changeLimits, (caller, request) => hub.changeLimits(caller, request)),
    skipStage: unary(options, method.skipStage, (caller, request) => hub.skipStage(caller, request)),
    overrideStage: unary(options, method.overrideStage, (caller, request) =>
      hub.overrideStage(caller, request),
    ),
    cancelStage: unary(options, method.cancelStage, (caller, request) => hub.cancelStage(caller, request)),
    raiseSpendLimit: unary(options, method.raiseSpendLimit, (caller, request) =>
      hub.raiseSpendLimit(caller, request),
    ),
    stopTenant: unary(options, method.stopTenant, (caller, request) => hub.stopTenant(caller, request)),
    startTenant: unary(options, method.startTenant, (caller, request) => hub.startTenant(caller, request)),
    getTenant: unary(options, method.getTenant, (caller, request) => hub.getTenant(caller, request)),
    reviewStage: unary(options, method.reviewStage, (caller, request) => hub.reviewStage(caller, request)),
    listEscalations: unary(options, method.listEscalations, (caller, request) =>
      hub.listEscalations(caller, limitPage(request, options)),
    ),
    resolveEscalation: unary(options, method.resolveEscalation, (caller, request) =>
      hub.resolveEscalation(caller, request),
    ),
    explainDispatch: unary(options, method.explainDispatch, (caller, request) =>
      hub.explainDispatch(caller, request),
    ),
    previewRewind: unary(options, method.previewRewind, (caller, request) =>
      hub.previewRewind(caller, request),
    ),
    rewindPipeline: unary(options, method.rewindPipeline, (caller, request) =>
      hub.rewindPipeline(caller, request),
    ),
    rerunPipeline: unary(options, method.rerunPipeline, (caller, request) =>
      hub.rerunPipeline(caller, request),
    ),
  };
}
