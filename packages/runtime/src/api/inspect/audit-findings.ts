import { type AuditEntry, AuditEntrySchema, type GateSnapshot } from "@baton/contract";
import { isUnchecked } from "@baton/kernel/deciding";
import { fromBinary } from "@bufbuild/protobuf";
import { available } from "../../ports/available.ts";
import type { AuditedAttempt, UncheckedAttempts } from "../../views/attempt-view.ts";
import type { HubContext } from "../context.ts";

/** Entries of one type searched per pipeline, the newest first, and per read. */
export const auditScanLimits = { entries: 20_000, page: 1_000 };

const eventTypes = ["DISPATCH_DECISION", "GATE_PASSED", "GATE_FAILED", "GATE_REJECTED"] as const;

interface Scope {
  readonly tenantId: string;
  readonly pipelineId: string;
}

/** The dispatch decision and the gate of an attempt in the audit record. */
export async function auditedAttempt(
  context: HubContext,
  scope: Scope,
  dispatchId: string,
): Promise<AuditedAttempt> {
  const newest = await Promise.all(eventTypes.map((kind) => newestOf(context, scope, kind, dispatchId)));
  const entries = newest
    .flatMap(({ entry }) => entry ?? [])
    .toSorted((a, b) => Number(b.sequence - a.sequence));
  const dispatch = entries.find(({ snapshot }) => snapshot?.snapshotPayload.case === "dispatch");
  const payload = dispatch?.snapshot?.snapshotPayload;
  return {
    gate: entries.map(gateOf).find((gate) => gate !== undefined),
    dispatch: payload?.case === "dispatch" ? payload.value : undefined,
    isCut: newest.some(({ isCut }) => isCut),
  };
}

/** Which of these accepted attempts passed without checks. */
export async function findUnchecked(
  context: Pick<HubContext, "store">,
  scope: Scope,
  accepted: Iterable<string>,
  limits = auditScanLimits,
): Promise<UncheckedAttempts> {
  const left = new Set(accepted);
  const unchecked = new Set<string>();
  const pages = new Pages(context, scope, "GATE_PASSED", limits);
  while (left.size > 0 && pages.hasMore) {
    for (const entry of await pages.next()) {
      const gate = gateOf(entry);
      if (!left.delete(entry.dispatchId) || gate === undefined) continue;
      if (isUnchecked(gate)) unchecked.add(entry.dispatchId);
    }
  }
  return { unchecked, unknown: pages.isCut ? left : new Set() };
}

/** The gate's findings and its reviewer. */
function gateOf({ snapshot, actor }: AuditEntry): GateSnapshot | undefined {
  const payload = snapshot?.snapshotPayload;
  if (payload?.case !== "gate") return undefined;
  const { value } = payload;
  return { ...value, ...(value.reviewer ? {} : actor && { reviewer: actor }) };
}

async function newestOf(
  context: HubContext,
  scope: Scope,
  kind: (typeof eventTypes)[number],
  dispatchId: string,
): Promise<{ readonly entry: AuditEntry | undefined; readonly isCut: boolean }> {
  const pages = new Pages(context, scope, kind, auditScanLimits);
  while (pages.hasMore) {
    const entry = (await pages.next()).find((one) => one.dispatchId === dispatchId);
    if (entry !== undefined) return { entry, isCut: false };
  }
  return { entry: undefined, isCut: pages.isCut };
}

/** Pages of one event type of a pipeline, newest first. */
class Pages {
  hasMore = true;
  /** More entries may exist beyond the limit. */
  isCut = false;
  readonly #store: HubContext["store"];
  readonly #scope: Scope;
  readonly #kind: (typeof eventTypes)[number];
  readonly #page: number;
  #left: number;
  #after: readonly [bigint] | undefined;

  constructor(
    { store }: Pick<HubContext, "store">,
    scope: Scope,
    kind: (typeof eventTypes)[number],
    limits: typeof auditScanLimits,
  ) {
    this.#store = store;
    this.#scope = scope;
    this.#kind = kind;
    this.#page = limits.page;
    this.#left = limits.entries;
  }

  async next(): Promise<readonly AuditEntry[]> {
    const { tenantId, pipelineId } = this.#scope;
    const limit = Math.min(this.#page, this.#left);
    const rows = await available(
      this.#store.auditEntries({
        tenantId,
        where: [
          { field: "pipelineId", operator: "=", value: pipelineId },
          { field: "eventType", operator: "=", value: this.#kind },
        ],
        orderBy: [{ field: "sequence", descending: true }],
        after: this.#after,
        limit,
      }),
    );
    const last = rows.at(-1);
    this.#after = last && [last.sequence];
    this.#left -= rows.length;
    this.isCut = rows.length === limit && this.#left === 0;
    this.hasMore = rows.length === limit && this.#left > 0;
    return rows.map(({ entry }) => fromBinary(AuditEntrySchema, entry));
  }
}
