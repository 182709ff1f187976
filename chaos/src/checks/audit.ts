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

/** Records and the audit entries they require (A §5.4), in equal numbers. */
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

/** The audit record of a tenant, by sequence. */
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

/** Verifies the chain from the first entry to the stored head. Returns the entries by pipeline. */
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

/** The journal and the audit record of a pipeline agree. */
export function checkAudit(
  pipelineId: string,
  records: readonly StoredRecord[],
  entries: readonly AuditEntry[],
  violations: Violations,
): void {
  for (const [types, events] of pairs) {
    const made = records.filter(({ type }) => types.includes(type)).length;
    const noted = entries.filter(({ eventType }) => events.includes(eventType)).length;
    violations.check(
      made === noted,
      "every transition has its audit entries, and every entry its transition",
      () => {
        const names = events.map((event) => AuditEventType[event]).join(" or ");
        return `${pipelineId}: ${made} × ${types.join(" or ")} and ${noted} × ${names}`;
      },
    );
  }
  checkNumbers(pipelineId, records.length, entries, violations);
}

/**
 * The id of an entry has the version at which its decision began and the entry's place in the decision. A decision without
 * some of its entries, or entries without their decision, leave a gap.
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
    violations.check(
      place === expected && began < version,
      "the entries of a decision are complete",
      () => `${auditId}, where ${pipelineId}/${began}.${expected} was expected below version ${version}`,
    );
    places.set(began, place + 1);
  }
}
