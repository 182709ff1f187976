import { hash } from "node:crypto";
import {
  ActorType,
  AuditEventType,
  type CacheRecord,
  CacheRecordSchema,
  decodeBinary,
  encodeBinary,
  GetCacheRecordResponseSchema,
  ListCacheRecordsResponseSchema,
  RevokeCacheRecordResponseSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { available } from "../../ports/available.ts";
import type { Caller } from "../../ports/caller.ts";
import { HubError } from "../../ports/hub-error.ts";
import type { KnowledgeRow } from "../../ports/store.ts";
import { type HubContext, notFound } from "../context.ts";
import type { Hub } from "../hub.ts";
import { readSequence } from "./read-sequence.ts";

type CacheCalls = Pick<Hub, "listCacheRecords" | "getCacheRecord" | "revokeCacheRecord">;

const defaultPage = 50;

/** The cache of the caller's tenant (SAP-05). */
export function cacheCalls({ engine, store }: HubContext): CacheCalls {
  const newest = async (tenantId: string, key: string): Promise<CacheRecord> => {
    const [row] = await available(store.knowledge({ tenantId, topic: "cache", key, limit: 1 }));
    if (row) return recordOf(row);
    throw notFound("outcome", key, "list the cache (baton cache list) and name one of its keys");
  };
  return {
    async listCacheRecords({ tenantId }, { cacheKey, pageSize, pageToken }) {
      const limit = pageSize || defaultPage;
      const before = readSequence(pageToken);
      const key = cacheKey || undefined;
      const rows = await available(
        store.knowledge({ tenantId, topic: "cache", key, before, limit: limit + 1 }),
      );
      const page = rows.slice(0, limit);
      return create(ListCacheRecordsResponseSchema, {
        records: page.map((row) => ({ ...recordOf(row), result: undefined })),
        nextPageToken: rows.length > limit ? String(page.at(-1)?.sequence) : "",
      });
    },

    async getCacheRecord({ tenantId }, { cacheKey }) {
      return create(GetCacheRecordResponseSchema, { record: await newest(tenantId, cacheKey) });
    },

    async revokeCacheRecord(caller, { cacheKey, reason }) {
      refuseAgents(caller);
      const { tenantId, id: by } = caller;
      const stored = await newest(tenantId, cacheKey);
      if (stored.revocation) return create(RevokeCacheRecordResponseSchema, { record: stored });
      const { capability, territory, fingerprint, sapVersion, sourceTaskId, sourcePipelineId } = stored;
      const atMs = engine.nowMs;
      const revoked = create(CacheRecordSchema, {
        ...{ cacheKey, capability, territory, fingerprint, sapVersion, sourceTaskId, sourcePipelineId },
        storedAt: timestampFromMs(atMs),
        revocation: { reason, by },
      });
      const content = encodeBinary(CacheRecordSchema, revoked);
      const digest = hash("sha256", content);
      await available(
        engine.addKnowledge(tenantId, [{ tenantId, topic: "cache", key: cacheKey, atMs, content }], {
          eventType: AuditEventType.CACHE_STORED,
          actor: { type: ActorType.HUMAN, id: by },
          action: `revoked the outcome of key ${cacheKey}; SHA-256 of the record ${digest}`,
          rationale: reason,
        }),
      );
      return create(RevokeCacheRecordResponseSchema, { record: { ...revoked, digest } });
    },
  };
}

function recordOf({ content }: KnowledgeRow): CacheRecord {
  return { ...decodeBinary(CacheRecordSchema, content), digest: hash("sha256", content) };
}

function refuseAgents({ kind }: Caller): void {
  if (kind !== "agent") return;
  throw new HubError("denied", "BATON-PIPELINE-004", "an agent cannot revoke an outcome", {
    fix: "use a person's key",
  });
}
