/** The cache: calls of KnowledgeService. */
import type { JsonObject } from "@bufbuild/protobuf";
import { breaks, type Case, hollow, valid } from "../case.ts";
import { fullAlignment } from "../messages/governance.ts";
import { minimalResult } from "../messages/result.ts";
import { missing } from "../missing.ts";
import { finishedAt, ofLength } from "../parts.ts";

const key = ofLength(64, "d");

const record: JsonObject = {
  cacheKey: key,
  storedAt: finishedAt,
  producer: "writer",
  alignment: fullAlignment,
  result: minimalResult,
  fingerprint: ofLength(64, "f"),
  sapVersion: "2.0",
  capability: "report.write",
  territory: "EUFM",
  sourceTaskId: "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
  sourcePipelineId: "p-0",
  riskTier: "RISK_TIER_LOW",
  digest: ofLength(64, "e"),
};

const revoked: JsonObject = { cacheKey: key, revocation: { reason: "it is wrong", by: "ada" } };

export const knowledgeCases: readonly Case[] = [
  valid("list-cache-records-request", "ListCacheRecordsRequest", "The second page of a key.", {
    cacheKey: key,
    pageSize: 500,
    pageToken: ofLength(64),
  }),
  valid("list-cache-records-request-empty", "ListCacheRecordsRequest", "The newest records.", {}),
  valid("list-cache-records-response", "ListCacheRecordsResponse", "An outcome and a revocation.", {
    records: [record, revoked],
    nextPageToken: "17",
  }),
  valid("list-cache-records-response-hollow", "ListCacheRecordsResponse", "Parts that are there but empty.", {
    records: [{ cacheKey: key, alignment: {}, storedAt: "1970-01-01T00:00:00Z" }],
  }),
  valid("get-cache-record-request", "GetCacheRecordRequest", "An outcome by its key.", { cacheKey: key }),
  valid("get-cache-record-response", "GetCacheRecordResponse", "An outcome with its output.", { record }),
  valid("get-cache-record-response-hollow", "GetCacheRecordResponse", "A record of nothing.", { record: {} }),
  valid("get-cache-record-response-empty", "GetCacheRecordResponse", "No record.", {}),
  valid("get-cache-record-response-revoked", "GetCacheRecordResponse", "A revocation without a reason.", {
    record: { revocation: {} },
  }),
  ...hollow("GetCacheRecordResponse", { record }, [["record.result", missing.agentResult]]),
  valid("revoke-cache-record-request", "RevokeCacheRecordRequest", "A key and a reason.", {
    cacheKey: key,
    reason: "it is wrong",
  }),
  valid("revoke-cache-record-request-longest", "RevokeCacheRecordRequest", "The longest reason.", {
    cacheKey: key,
    reason: ofLength(2_000),
  }),
  valid("revoke-cache-record-response", "RevokeCacheRecordResponse", "The revocation.", { record: revoked }),
  valid("revoke-cache-record-response-hollow", "RevokeCacheRecordResponse", "A record of nothing.", {
    record: {},
  }),
  valid("revoke-cache-record-response-empty", "RevokeCacheRecordResponse", "No record.", {}),
  ...breaks("ListCacheRecordsRequest", {}, [
    ["cache_key", ofLength(65), "string.max_len", "A key that is too long."],
    ["page_size", -1, "int32.gte_lte", "Fewer than no records.", { suffix: "below" }],
    ["page_size", 501, "int32.gte_lte", "Too many records.", { suffix: "above" }],
    ["page_token", ofLength(65), "string.max_len", "A token that is too long."],
  ]),
  ...breaks("ListCacheRecordsResponse", { records: [record, revoked] }, [
    ["records[0].risk_tier", 9, "enum.defined_only", "A tier that is none."],
  ]),
  ...breaks("GetCacheRecordRequest", { cacheKey: key }, [
    ["cache_key", "", "string.min_len", "No key."],
    ["cache_key", ofLength(65), "string.max_len", "A key that is too long."],
  ]),
  ...breaks("RevokeCacheRecordRequest", { cacheKey: key, reason: "it is wrong" }, [
    ["cache_key", "", "string.min_len", "No key."],
    ["cache_key", ofLength(65), "string.max_len", "A key that is too long."],
    ["reason", "", "string.min_len", "No reason."],
    ["reason", ofLength(2_001), "string.max_len", "A reason that is too long."],
  ]),
];
