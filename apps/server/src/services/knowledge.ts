import { KnowledgeService } from "@baton/contract";
import type { Hub } from "@baton/runtime";
import type { ServiceImpl } from "@connectrpc/connect";
import { type MethodOptions, unary } from "./answer.ts";

const { method } = KnowledgeService;

/** SAP V2 §6. */
export function knowledgeService(hub: Hub, options: MethodOptions): ServiceImpl<typeof KnowledgeService> {
  return {
    listCacheRecords: unary(options, method.listCacheRecords, (caller, request) =>
      hub.listCacheRecords(caller, request),
    ),
    getCacheRecord: unary(options, method.getCacheRecord, (caller, request) =>
      hub.getCacheRecord(caller, request),
    ),
    revokeCacheRecord: unary(options, method.revokeCacheRecord, (caller, request) =>
      hub.revokeCacheRecord(caller, request),
    ),
    giveFeedback: unary(options, method.giveFeedback, (caller, request) => hub.giveFeedback(caller, request)),
    listSignals: unary(options, method.listSignals, (caller, request) => hub.listSignals(caller, request)),
    listLessons: unary(options, method.listLessons, (caller, request) => hub.listLessons(caller, request)),
    withdrawLesson: unary(options, method.withdrawLesson, (caller, request) =>
      hub.withdrawLesson(caller, request),
    ),
    getHeuristics: unary(options, method.getHeuristics, (caller, request) =>
      hub.getHeuristics(caller, request),
    ),
    changeHeuristics: unary(options, method.changeHeuristics, (caller, request) =>
      hub.changeHeuristics(caller, request),
    ),
  };
}
