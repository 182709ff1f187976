import { createHash, createHmac } from "node:crypto";
import type { AuditCheckpoint, AuditEntry } from "@baton/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkpointBytes } from "../canonical/canonical.ts";
import type { VerifySignature } from "../checkpoint.ts";
import type { Digest } from "../digest.ts";
import { checkpointAt, rehash, tenantId } from "../testing/sample-record.ts";
import { bad, count, verifying } from "../testing/verifying.ts";
import { verifyChain } from "./chain-verifier.ts";

const digest: Digest = (bytes) => createHash("sha256").update(bytes).digest();
const sign = (bytes: Uint8Array) => createHmac("sha256", "secret").update(bytes).digest();
const verifySignature: VerifySignature = (bytes, signature, keyId) =>
  keyId === "key-1" && sign(bytes).equals(signature);
const { at, checkpoint, entries, frontiers, verify } = verifying({ digest, verifySignature }, sign);
const position = fc.integer({ min: 1, max: count });

describe("a record against what was kept elsewhere", () => {
  it("[OBS-04] shows that its tail was cut", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: count - 1 }), position, (length, kept) => {
        const head = { tenantId, sequence: BigInt(kept), entryHash: at(kept).entryHash };
        const expected = kept <= length ? { valid: true } : bad(length + 1, "cut");
        expect(verify(entries.slice(0, length), { head })).toMatchObject(expected);
        const checkpoints = [checkpoint(kept)];
        expect(verify(entries.slice(0, length), { checkpoints })).toMatchObject(expected);
      }),
    );
  });

  it("[OBS-04] shows that it was rewritten from some entry on", () => {
    fc.assert(
      fc.property(position, position, (first, kept) => {
        const rewritten: AuditEntry[] = entries.slice(0, first - 1);
        for (const entry of entries.slice(first - 1)) {
          const previousHash = rewritten.at(-1)?.entryHash;
          rewritten.push(rehash(entry, { action: "other", ...(previousHash && { previousHash }) }, digest));
        }
        const expected = kept < first ? { valid: true } : bad(kept, "checkpoint-mismatch");
        expect(verify(rewritten, { checkpoints: [checkpoint(kept)] })).toMatchObject(expected);
      }),
    );
    const rewritten = verify(entries.slice(0, 4).with(3, rehash(at(4), { action: "other" }, digest)), {
      checkpoints: [checkpoint(2), checkpoint(4)],
    });
    expect(rewritten).toMatchObject({
      problem: "the record was rewritten somewhere from entry 3 on: it does not lead to the checkpoint at 4",
    });
  });

  it("[OBS-04] shows a checkpoint that was forged", () => {
    const forgeries: Partial<AuditCheckpoint>[] = [
      { signature: new Uint8Array(32) },
      { keyId: "key-2" },
      { tenantId: "other" },
      { entryHash: digest(new Uint8Array()) },
      { rootHash: digest(new Uint8Array()) },
      { $unknown: [{ no: 9, wireType: 0, data: new Uint8Array([1]) }] },
    ];
    fc.assert(
      fc.property(position, fc.constantFrom(...forgeries), (sequence, forgery) => {
        const checkpoints = [{ ...checkpoint(sequence), ...forgery }];
        expect(verify(entries, { checkpoints })).toMatchObject(bad(sequence, "checkpoint-forged"));
      }),
    );
    const empty = { ...checkpoint(9), sequence: 0n };
    const ofNothing = { ...empty, signature: sign(checkpointBytes(empty)) };
    expect(verify(entries, { checkpoints: [ofNothing] })).toMatchObject(bad(0, "checkpoint-forged"));
    const moved = { ...checkpoint(9), sequence: 99n };
    expect(verify(entries, { checkpoints: [moved] })).toMatchObject(bad(99, "checkpoint-forged"));
    expect(verify(entries, { checkpoints: [checkpoint(6), moved] })).toMatchObject(
      bad(99, "checkpoint-forged"),
    );
  });

  it("[OBS-04] believes no checkpoint when there is no key to check it with", () => {
    const verdict = verifyChain(entries, { tenantId, digest, checkpoints: [checkpoint(9)] });
    expect(verdict).toMatchObject(bad(9, "checkpoint-forged"));
  });

  it("[OBS-04] shows a signed checkpoint over another tree", () => {
    const frontier = { size: 9n, peaks: frontiers[9]?.peaks.toReversed() ?? [] };
    const wrong = checkpointAt({ entries, frontiers: frontiers.with(9, frontier) }, 9, digest, sign);
    expect(verify(entries, { checkpoints: [wrong] })).toMatchObject(bad(9, "checkpoint-mismatch"));
  });

  it("[OBS-04] names the first fault when there are several", () => {
    const tampered = entries.with(4, { ...at(5), action: "x" }).with(11, { ...at(12), action: "x" });
    const forged = { ...checkpoint(8), keyId: "key-2" };
    expect(verify(tampered, { checkpoints: [forged] })).toMatchObject(bad(5, "changed"));
    expect(verify(tampered.with(4, at(5)), { checkpoints: [forged] })).toMatchObject(
      bad(8, "checkpoint-forged"),
    );
  });
});
