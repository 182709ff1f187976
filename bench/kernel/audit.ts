/** What it costs to chain, to append to and to verify the audit record, compared with hashing the same bytes. */
import { createHash, createPublicKey, hash, verify } from "node:crypto";
import { AuditCheckpointSchema, type AuditEntry, AuditEntrySchema } from "@baton/contract";
import {
  chainEntries,
  chainVerifier,
  createChainer,
  createRedactor,
  emptyChain,
  entryBytes,
} from "@baton/kernel";
import { checkpointLine, type ExportTools, entryLine, exportVerifier, headerLine } from "@baton/kernel/audit";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { bound, printTable } from "../measure.ts";

const tenantId = "acme";
/** As the hub and the command line do it: by way of a text, into pooled memory. */
const digest = (bytes: Uint8Array) => Buffer.from(hash("sha256", bytes, "binary"), "latin1");
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
  append: "append: redact, chain and write",
  verify: "verify, with the tree",
  stored: "verify as it is stored, with the tree",
  file: "verify an exported file",
} as const;

const tools: ExportTools = {
  digest,
  startDigest: () => {
    const sum = createHash("sha256");
    return { add: (bytes) => void sum.update(bytes), end: () => sum.digest() };
  },
  checkSignature: (key, bytes, signature) => {
    const x = Buffer.from(key).toString("base64url");
    const jwk = { kty: "OKP", crv: "Ed25519", x };
    return verify(null, bytes, createPublicKey({ key: jwk, format: "jwk" }), signature);
  },
  readText: (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"),
  readBase64: (text) => {
    const bytes = Buffer.from(text, "base64");
    return bytes.toString("base64") === text ? bytes : undefined;
  },
};

/** A checkpoint is what the tree is grown for. This one lies behind the end, so that nothing is signed here. */
const neverReached = create(AuditCheckpointSchema, {
  ...{ tenantId, sequence: BigInt(total) + 1n },
  ...{ entryHash: new Uint8Array(32), rootHash: new Uint8Array(32) },
});

/** A record of a million entries is checked while the auditor waits. */
const mostSecondsPerMillion = 10;

export function benchAudit(): void {
  let head = emptyChain(tenantId);
  const verifier = chainVerifier({ tenantId, digest, growTree: true });
  const ofStored = chainVerifier({ tenantId, digest, growTree: true });
  const ofFile = exportVerifier(tools);
  ofFile.push(Buffer.from(headerLine({ scope: "record", tenantId, entries: total, keys: [] })));
  ofFile.push(Buffer.from(checkpointLine(neverReached)));
  const made = createRedactor();
  if (!made.ok) throw new Error("the usual policy is right");
  const append = createChainer(made.redactor, digest);
  const ms = { chain: 0, append: 0, verify: 0, stored: 0, file: 0, hash: 0 };
  const timed = <Result>(what: keyof typeof ms, work: () => Result): Result => {
    // Processor time: the machine may have others to serve, and an auditor's has not.
    const start = process.cpuUsage();
    const result = work();
    const { user, system } = process.cpuUsage(start);
    ms[what] += (user + system) / 1_000;
    return result;
  };
  for (let done = 0; done < total; done += batch) {
    const plain = Array.from({ length: batch }, (_, index) => entry(done + index + 1));
    const chained = timed("chain", () => chainEntries(head, plain, digest));
    // Last, since appending writes positions into the entries.
    const { entries: appended } = timed("append", () => append(head, plain));
    head = chained.head;
    timed("verify", () => {
      for (const one of chained.entries) verifier.push(one);
    });
    timed("stored", () => {
      for (const one of appended) ofStored.push(one.bytes);
    });
    const lines = appended.map((one) => Buffer.from(entryLine(Buffer.from(one.bytes).toString("base64"))));
    timed("file", () => {
      for (const line of lines) ofFile.push(line);
    });
    const bytes = chained.entries.map(entryBytes);
    timed("hash", () => {
      for (const one of bytes) digest(one);
    });
  }
  for (const one of [verifier, ofStored]) {
    if (!one.end().valid) throw new Error("the record does not verify");
  }
  // All but the signature.
  if (ofFile.end()?.entriesChecked !== BigInt(total)) throw new Error("the file does not verify");
  console.log(
    `the audit record, ${total.toLocaleString("en")} entries, beside hashing their bytes, in processor time\n`,
  );
  printTable(
    (["chain", "append", "verify", "stored", "file"] as const).map((work) => ({
      work: titles[work],
      "entries per second": Math.round((total / ms[work]) * 1000).toLocaleString("en"),
      "s per million": ((ms[work] / total) * 1000).toFixed(1),
      "hash only, s": ((ms.hash / total) * 1000).toFixed(1),
      ratio: (ms[work] / ms.hash).toFixed(1),
    })),
  );
  for (const work of ["stored", "file"] as const) {
    bound(`${titles[work]}, s per million entries`, (ms[work] / total) * 1000, mostSecondsPerMillion);
  }
}

if (import.meta.main) benchAudit();
