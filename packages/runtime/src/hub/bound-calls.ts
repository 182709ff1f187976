import type { Caller, Hub } from "./hub.ts";
import { sizeOf } from "./size-of.ts";
import type { WaitingRoom } from "./waiting-room.ts";

type StoringCalls = Pick<
  Hub,
  | "submitTask"
  | "pausePipeline"
  | "resumePipeline"
  | "abortPipeline"
  | "changeLimits"
  | "skipStage"
  | "overrideStage"
  | "cancelStage"
  | "rewindPipeline"
  | "rerunPipeline"
  | "reviewStage"
  | "resolveEscalation"
  | "stopTenant"
  | "startTenant"
  | "registerAgent"
  | "sendHeartbeat"
  | "restoreAgent"
>;

/** Calls that store something wait in memory until they have: they are refused at once when there is no room for that. */
export function boundCalls(calls: StoringCalls, room: WaitingRoom): StoringCalls {
  const bound =
    <Request extends object, Response>(call: (caller: Caller, request: Request) => Promise<Response>) =>
    async (caller: Caller, request: Request): Promise<Response> => {
      const leave = room.enter(caller.tenantId, sizeOf(request));
      return call(caller, request).finally(leave);
    };
  return {
    submitTask: bound(calls.submitTask),
    pausePipeline: bound(calls.pausePipeline),
    resumePipeline: bound(calls.resumePipeline),
    abortPipeline: bound(calls.abortPipeline),
    changeLimits: bound(calls.changeLimits),
    skipStage: bound(calls.skipStage),
    overrideStage: bound(calls.overrideStage),
    cancelStage: bound(calls.cancelStage),
    rewindPipeline: bound(calls.rewindPipeline),
    rerunPipeline: bound(calls.rerunPipeline),
    reviewStage: bound(calls.reviewStage),
    resolveEscalation: bound(calls.resolveEscalation),
    stopTenant: bound(calls.stopTenant),
    startTenant: bound(calls.startTenant),
    registerAgent: bound(calls.registerAgent),
    sendHeartbeat: bound(calls.sendHeartbeat),
    restoreAgent: bound(calls.restoreAgent),
  };
}
