import { hash } from "node:crypto";
import { AuditEntrySchema, AuditEventType } from "@baton/contract";
import { create, fromBinary } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { EgressFilter, egressLimits } from "../../redaction/egress-filter.ts";
import { Ledger } from "./ledger.ts";

it("[OBS-04] [OBS-05] entries whose redaction took too long are chained again at the same position", () => {
  let [nowMs, looks] = [0, 0];
  // The machine sleeps while the first try is made.
  const filter = new EgressFilter({
    nowMs: () => {
      if (++looks === 2) nowMs += egressLimits.redactionMs + 1;
      return nowMs;
    },
  });
  const ledger = new Ledger(filter, (bytes) => hash("sha256", bytes, "buffer"), []);
  const entries = ["one", "two"].map((auditId) =>
    create(AuditEntrySchema, {
      auditId,
      tenantId: "local",
      pipelineId: "p",
      eventType: AuditEventType.DISPATCH_SENT,
      timestamp: timestampFromMs(1),
    }),
  );
  const rows = ledger.chain("local", entries);
  expect(looks).toBe(4);
  expect(rows.map(({ sequence }) => sequence)).toEqual([1n, 2n]);
  const [first, second] = rows.map(({ entry }) => fromBinary(AuditEntrySchema, entry));
  expect(first?.previousHash ?? []).toHaveLength(0);
  expect(second?.previousHash).toEqual(first?.entryHash);
});
