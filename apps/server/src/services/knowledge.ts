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
  };
}
