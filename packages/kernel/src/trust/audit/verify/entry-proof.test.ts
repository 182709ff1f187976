import { createHash, createHmac } from "node:crypto";
import { type AuditEntry, InclusionProofSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { makeCheckpoint } from "../checkpoint.ts";
import type { Digest } from "../digest.ts";
import { emptyFrontier } from "../merkle/frontier.ts";
import { inclusionProof } from "../merkle/inclusion.ts";
import { nodesFromEntries } from "../merkle/node-hashes.ts";
import { checkpointAt, rehash, sampleRecord, tenantId } from "../testing/sample-record.ts";
import { type ProofOptions, verifyEntryProof } from "./entry-proof.ts";

const digest: Digest = (bytes) => createHash("sha256").update(bytes).digest();
const sign = (bytes: Uint8Array) => createHmac("sha256", "secret").update(bytes).digest();
const options: ProofOptions = {
  tenantId,
  digest,
  verifySignature: (bytes, signature) => sign(bytes).equals(signature),
};
const record = sampleRecord(20, digest);
const at = (sequence: number) => record.entries[sequence - 1] as AuditEntry;
const hashAt = nodesFromEntries((index) => at(Number(index) + 1).entryHash as Uint8Array, digest);

function proofOf(sequence: number, size: number) {
  return create(InclusionProofSchema, {
    leafIndex: BigInt(sequence - 1),
    hashes: inclusionProof(BigInt(sequence - 1), BigInt(size), hashAt, digest),
    checkpoint: checkpointAt(record, size, digest, sign),
  });
}

describe("verifyEntryProof", () => {
  it("[OBS-04] needs the entry, the proof and the key, and nothing else of the record", () => {
    for (let sequence = 1; sequence <= 13; sequence++) {
      expect(verifyEntryProof(at(sequence), proofOf(sequence, 13), options)).toEqual({ valid: true });
    }
  });

  it("[OBS-04] refuses another entry, a changed one and one that came after the checkpoint", () => {
    const proof = proofOf(5, 13);
    expect(verifyEntryProof(at(6), proof, options)).toEqual({
      valid: false,
      problem: "the proof is not for entry 6",
    });
    expect(verifyEntryProof({ ...at(5), action: "x" }, proof, options)).toEqual({
      valid: false,
      problem: "entry 5 is not what its hash was made of",
    });
    const forged = rehash(at(5), { action: "x" }, digest);
    const problem = "the hashes do not lead from entry 5 to the checkpoint at 13";
    expect(verifyEntryProof(forged, proof, options)).toEqual({ valid: false, problem });
    const later = { ...proofOf(5, 13), leafIndex: 14n };
    expect(verifyEntryProof(at(15), later, options)).toMatchObject({ valid: false });
  });

  it("[OBS-04] refuses a checkpoint that is missing, forged or of another tenant", () => {
    const { checkpoint: _, ...without } = proofOf(5, 13);
    expect(verifyEntryProof(at(5), without, options)).toEqual({
      valid: false,
      problem: "the proof leads to no checkpoint",
    });
    const unsigned = proofOf(5, 13);
    if (unsigned.checkpoint) unsigned.checkpoint.signature = new Uint8Array(32);
    expect(verifyEntryProof(at(5), unsigned, options)).toEqual({
      valid: false,
      problem: 'the checkpoint at 13 is not signed by key "key-1"',
    });
    expect(verifyEntryProof(at(5), proofOf(5, 13), { ...options, tenantId: "other" })).toEqual({
      valid: false,
      problem: 'the checkpoint at 13 is of tenant "acme"',
    });
  });
});

describe("makeCheckpoint", () => {
  const issue = { issuedAt: at(1).timestamp as NonNullable<AuditEntry["timestamp"]>, keyId: "key-1" };

  it("[OBS-04] refuses an empty record, and a tree that is not over the chain", () => {
    const empty = { tenantId, sequence: 0n, entryHash: undefined };
    expect(() => makeCheckpoint(empty, emptyFrontier, issue, digest)).toThrow("still empty");
    const head = { tenantId, sequence: 3n, entryHash: at(3).entryHash };
    expect(() => makeCheckpoint(head, emptyFrontier, issue, digest)).toThrow(
      "the tree has 0 leaves, the chain 3 entries",
    );
  });
});
