import { type AuditEntry, AuditEntrySchema, type GateSnapshot } from "@baton/contract";
import { isUnchecked } from "@baton/kernel/deciding";
import { fromBinary } from "@bufbuild/protobuf";
import type { Noted, TakenAsTheyCame } from "../views/attempt-view.ts";
import { available, type HubContext } from "./context.ts";

/** Entries of a kind that are gone through for one pipeline, the last ones; so many at once, and then others have a turn. */
export const notedLimits = { entries: 20_000, page: 1_000 };

const noted = ["DISPATCH_DECISION", "GATE_PASSED", "GATE_FAILED", "GATE_REJECTED"] as const;

interface Place {
  readonly tenantId: string;
  readonly pipelineId: string;
}

/** What the record says of the choice of an agent, and of the gate. */
export async function notedOf(context: HubContext, place: Place, dispatchId: string): Promise<Noted> {
  const newest = await Promise.all(noted.map((kind) => newestOf(context, place, kind, dispatchId)));
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

/** Which of these attempts, all of them accepted, were taken as they came. */
export async function findUnchecked(
  context: Pick<HubContext, "store">,
  place: Place,
  accepted: Iterable<string>,
  limits = notedLimits,
): Promise<TakenAsTheyCame> {
  const left = new Set(accepted);
  const unchecked = new Set<string>();
  const pages = new Pages(context, place, "GATE_PASSED", limits);
  while (left.size > 0 && pages.hasMore) {
    for (const entry of await pages.next()) {
      const gate = gateOf(entry);
      if (!left.delete(entry.dispatchId) || gate === undefined) continue;
      if (isUnchecked(gate)) unchecked.add(entry.dispatchId);
    }
  }
  return { unchecked, unknown: pages.isCut ? left : new Set() };
}

/** What the gate saw, and who decided. */
function gateOf({ snapshot, actor }: AuditEntry): GateSnapshot | undefined {
  const payload = snapshot?.snapshotPayload;
  if (payload?.case !== "gate") return undefined;
  const { value } = payload;
  return { ...value, ...(value.reviewer ? {} : actor && { reviewer: actor }) };
}

async function newestOf(
  context: HubContext,
  place: Place,
  kind: (typeof noted)[number],
  dispatchId: string,
): Promise<{ readonly entry: AuditEntry | undefined; readonly isCut: boolean }> {
  const pages = new Pages(context, place, kind, notedLimits);
  while (pages.hasMore) {
    const entry = (await pages.next()).find((one) => one.dispatchId === dispatchId);
    if (entry !== undefined) return { entry, isCut: false };
  }
  return { entry: undefined, isCut: pages.isCut };
}

/** Entries of a kind of one pipeline, newest first. */
class Pages {
  hasMore = true;
  /** There may be more of them, and they are not looked at. */
  isCut = false;
  readonly #store: HubContext["store"];
  readonly #place: Place;
  readonly #kind: (typeof noted)[number];
  readonly #page: number;
  #left: number;
  #after: readonly [bigint] | undefined;

  constructor(
    { store }: Pick<HubContext, "store">,
    place: Place,
    kind: (typeof noted)[number],
    limits: typeof notedLimits,
  ) {
    this.#store = store;
    this.#place = place;
    this.#kind = kind;
    this.#page = limits.page;
    this.#left = limits.entries;
  }

  async next(): Promise<readonly AuditEntry[]> {
    const { tenantId, pipelineId } = this.#place;
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
