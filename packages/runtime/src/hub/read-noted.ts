import { type AuditEntry, AuditEntrySchema, type GateSnapshot } from "@baton/contract";
import { isUnchecked } from "@baton/kernel/deciding";
import { fromBinary } from "@bufbuild/protobuf";
import type { Noted } from "../views/attempt-view.ts";
import { available, type HubContext } from "./context.ts";

/** Of a great many entries of a kind, the last ones are looked at. */
const most = 1_000;

const noted = ["DISPATCH_DECISION", "GATE_PASSED", "GATE_FAILED", "GATE_REJECTED"] as const;

/** What the record says of the choice of an agent, and of the gate. */
export async function notedOf(
  context: HubContext,
  tenantId: string,
  pipelineId: string,
  dispatchId: string,
): Promise<Noted> {
  const pages = await Promise.all(
    noted.map((eventType) => entriesOf(context, tenantId, pipelineId, eventType)),
  );
  const entries = pages
    .flat()
    .filter((entry) => entry.dispatchId === dispatchId)
    .toSorted((a, b) => Number(b.sequence - a.sequence));
  const dispatch = entries.find(({ snapshot }) => snapshot?.snapshotPayload.case === "dispatch");
  const payload = dispatch?.snapshot?.snapshotPayload;
  return {
    gate: entries.map(gateOf).find((gate) => gate !== undefined),
    dispatch: payload?.case === "dispatch" ? payload.value : undefined,
  };
}

/** The attempts of a pipeline that were accepted as they came. */
export async function uncheckedIn(
  context: HubContext,
  tenantId: string,
  pipelineId: string,
): Promise<ReadonlySet<string>> {
  const entries = await entriesOf(context, tenantId, pipelineId, "GATE_PASSED");
  const unchecked = entries.filter((entry) => {
    const gate = gateOf(entry);
    return gate !== undefined && isUnchecked(gate);
  });
  return new Set(unchecked.map(({ dispatchId }) => dispatchId));
}

/** What the gate saw, and who decided. */
function gateOf({ snapshot, actor }: AuditEntry): GateSnapshot | undefined {
  const payload = snapshot?.snapshotPayload;
  if (payload?.case !== "gate") return undefined;
  const { value } = payload;
  return { ...value, ...(value.reviewer ? {} : actor && { reviewer: actor }) };
}

/** Newest first. */
async function entriesOf(
  { store }: HubContext,
  tenantId: string,
  pipelineId: string,
  eventType: (typeof noted)[number],
): Promise<readonly AuditEntry[]> {
  const rows = await available(
    store.auditEntries({
      tenantId,
      where: [
        { field: "pipelineId", operator: "=", value: pipelineId },
        { field: "eventType", operator: "=", value: eventType },
      ],
      orderBy: [{ field: "sequence", descending: true }],
      after: undefined,
      limit: most,
    }),
  );
  return rows.map(({ entry }) => fromBinary(AuditEntrySchema, entry));
}
