/** What it costs to chain, to seal and to verify the audit record, beside hashing the same bytes and nothing else. */
import { hash } from "node:crypto";
import { type AuditEntry, AuditEntrySchema } from "@baton/contract";
import {
  chainEntries,
  chainVerifier,
  createRedactor,
  createSealer,
  emptyChain,
  entryBytes,
} from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { printTable } from "../measure.ts";

const tenantId = "acme";
const digest = (bytes: Uint8Array) => hash("sha256", bytes, "buffer");
const total = 200_000;
const batch = 200;

function entry(number: number): AuditEntry {
  return create(AuditEntrySchema, {
    auditId: `p-${number}/7.0`,
    eventType: 11,
    timestamp: timestampFromMs(1_767_225_600_000 + number),
    protocolVersion: { schemaVersion: "1.0.0", policyVersion: "1.0.0" },
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    tenantId,
    pipelineId: `p-${number}`,
    stageId: "implement",
    dispatchId: `p-${number}/implement/1`,
    attemptNumber: 1,
    packId: "senior-ts-dev",
    actor: { type: 1, id: "baton" },
    action: "sent the envelope",
    snapshot: {
      snapshotPayload: { case: "dispatch", value: { selectedPackId: "senior-ts-dev", attemptNumber: 1 } },
    },
  });
}

const titles = {
  chain: "chain",
  seal: "seal: redact, chain and write",
  verify: "verify, with the tree",
} as const;

export function benchAudit(): void {
  let head = emptyChain(tenantId);
  const verifier = chainVerifier({ tenantId, digest, growTree: true });
  const made = createRedactor();
  if (!made.ok) throw new Error("the usual policy is right");
  const seal = createSealer(made.redactor, digest);
  const ms = { chain: 0, seal: 0, verify: 0, hash: 0 };
  const timed = <Result>(what: keyof typeof ms, work: () => Result): Result => {
    const start = performance.now();
    const result = work();
    ms[what] += performance.now() - start;
    return result;
  };
  for (let done = 0; done < total; done += batch) {
    const plain = Array.from({ length: batch }, (_, index) => entry(done + index + 1));
    const chained = timed("chain", () => chainEntries(head, plain, digest));
    // Last, since the sealer writes their places into the entries.
    timed("seal", () => seal(head, plain));
    head = chained.head;
    timed("verify", () => {
      for (const one of chained.entries) verifier.push(one);
    });
    const bytes = chained.entries.map(entryBytes);
    timed("hash", () => {
      for (const one of bytes) digest(one);
    });
  }
  if (!verifier.end().valid) throw new Error("the record does not verify");
  console.log(`the audit record, ${total.toLocaleString("en")} entries, beside hashing their bytes\n`);
  printTable(
    (["chain", "seal", "verify"] as const).map((work) => ({
      work: titles[work],
      "entries per second": Math.round((total / ms[work]) * 1000).toLocaleString("en"),
      "s per million": ((ms[work] / total) * 1000).toFixed(1),
      "hash only, s": ((ms.hash / total) * 1000).toFixed(1),
      ratio: (ms[work] / ms.hash).toFixed(1),
    })),
  );
}

if (import.meta.main) benchAudit();
