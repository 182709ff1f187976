import { hash } from "node:crypto";
import { type AuditEntry, AuditEntrySchema, AuditEventType } from "@baton/contract";
import { verifyChain } from "@baton/kernel";
import type { Store } from "@baton/runtime";
import { fromBinary } from "@bufbuild/protobuf";
import type { Figures } from "../figures.ts";
import type { Violations } from "../violations.ts";
import type { StoredRecord } from "./stored-record.ts";

const {
  PIPELINE_CREATED,
  DISPATCH_SENT,
  RESULT_RECEIVED,
  RESULT_INVALID,
  RESULT_VALIDATED,
  GATE_PASSED,
  ESCALATION,
  ESCALATION_RESOLVED,
  PIPELINE_PAUSED,
  PIPELINE_RESUMED,
  PIPELINE_ABORTED,
  PIPELINE_FAILED,
  PIPELINE_COMPLETED,
} = AuditEventType;

/** So many records of these kinds, so many entries of those (A §5.4): none is missing, and none is without its record. */
const pairs: readonly (readonly [readonly string[], readonly AuditEventType[]])[] = [
  [["created"], [PIPELINE_CREATED]],
  [["dispatched"], [DISPATCH_SENT]],
  [
    ["received", "disregarded"],
    [RESULT_RECEIVED, RESULT_INVALID],
  ],
  [["received"], [RESULT_VALIDATED]],
  [["completed"], [GATE_PASSED]],
  [["escalated"], [ESCALATION]],
  [["resolved"], [ESCALATION_RESOLVED]],
  [["paused"], [PIPELINE_PAUSED]],
  [["resumed"], [PIPELINE_RESUMED]],
  [["aborted"], [PIPELINE_ABORTED]],
  [["pipeline-failed"], [PIPELINE_FAILED]],
  [["pipeline-completed"], [PIPELINE_COMPLETED]],
];

const pageSize = 1_000;

/** The whole record of a tenant, by sequence. */
export async function readAudit(store: Store, tenantId: string): Promise<readonly AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (let after: readonly bigint[] | undefined; ; ) {
    const rows = await store.auditEntries({
      ...{ tenantId, where: [], after, limit: pageSize },
      orderBy: [{ field: "sequence", descending: false }],
    });
    entries.push(...rows.map(({ entry }) => fromBinary(AuditEntrySchema, entry)));
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return entries;
    after = [last.sequence];
  }
}

/** The chain holds from the first entry to the head that the store goes on from. */
export async function checkChain(
  store: Store,
  { figures, violations }: { readonly figures: Figures; readonly violations: Violations },
): Promise<ReadonlyMap<string, readonly AuditEntry[]>> {
  const byPipeline = new Map<string, AuditEntry[]>();
  for (const { tenantId, auditSequence, auditHash } of await store.heads()) {
    const entries = await readAudit(store, tenantId);
    figures.auditEntries += entries.length;
    const head = { tenantId, sequence: auditSequence, entryHash: auditHash };
    const verdict = verifyChain(entries, {
      ...{ tenantId, head },
      digest: (bytes) => hash("sha256", bytes, "buffer"),
    });
    if (!verdict.valid)
      violations.add(
        "the chain verifies",
        `${tenantId}, entry ${verdict.firstBadSequence}: ${verdict.problem}`,
      );
    for (const entry of entries) {
      const known = byPipeline.get(entry.pipelineId);
      if (known) known.push(entry);
      else byPipeline.set(entry.pipelineId, [entry]);
    }
  }
  return byPipeline;
}

/** Journal and audit record of one pipeline tell the same story. */
export function checkAudit(
  pipelineId: string,
  records: readonly StoredRecord[],
  entries: readonly AuditEntry[],
  violations: Violations,
): void {
  for (const [types, events] of pairs) {
    const made = records.filter(({ type }) => types.includes(type)).length;
    const noted = entries.filter(({ eventType }) => events.includes(eventType)).length;
    violations.demand(
      made === noted,
      "every transition has its audit entry, and every entry its transition",
      () => {
        const names = events.map((event) => AuditEventType[event]).join(" or ");
        return `${pipelineId}: ${made} × ${types.join(" or ")} and ${noted} × ${names}`;
      },
    );
  }
  checkNumbers(pipelineId, records.length, entries, violations);
}

/**
 * The id of an entry names the version at which its decision began, and its place in the decision: a decision that was
 * stored without some of its entries, or entries that were stored without their decision, leave a gap.
 */
function checkNumbers(
  pipelineId: string,
  version: number,
  entries: readonly AuditEntry[],
  violations: Violations,
): void {
  const places = new Map<number, number>();
  for (const { auditId } of entries) {
    const [began = Number.NaN, place = Number.NaN] = auditId
      .slice(pipelineId.length + 1)
      .split(".")
      .map(Number);
    const expected = places.get(began) ?? 0;
    violations.demand(
      place === expected && began < version,
      "the entries of a decision are all there",
      () => `${auditId}, where ${pipelineId}/${began}.${expected} was expected below version ${version}`,
    );
    places.set(began, place + 1);
  }
}
