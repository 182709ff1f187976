import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { VerifySignature } from "../checkpoint.ts";
import type { Digest } from "../digest.ts";
import { checkpointAt } from "../testing/sample-record.ts";
import { bad, changes, count, verifying } from "../testing/verifying.ts";

const digest: Digest = (bytes) => createHash("sha256").update(bytes).digest();
const sign = (bytes: Uint8Array) => createHmac("sha256", "secret").update(bytes).digest();
const verifySignature: VerifySignature = (bytes, signature, keyId) =>
  keyId === "key-1" && sign(bytes).equals(signature);
const { at, checkpoint, entries, frontiers, verify } = verifying({ digest, verifySignature }, sign);
const position = fc.integer({ min: 1, max: count });
const inner = fc.integer({ min: 1, max: count - 1 });

describe("a record whose older entries have expired", () => {
  const startAt = (sequence: number) => ({
    checkpoint: checkpoint(sequence),
    peaks: frontiers[sequence]?.peaks ?? [],
  });

  it("[OBS-08] is verified from any checkpoint on, later checkpoints with it", () => {
    fc.assert(
      fc.property(position, fc.uniqueArray(position), fc.boolean(), (cut, later, withPeaks) => {
        const { peaks, ...bare } = startAt(cut);
        const verdict = verify(entries.slice(cut), {
          start: withPeaks ? { ...bare, peaks } : bare,
          checkpoints: later.map(checkpoint),
          growTree: true,
        });
        expect(verdict).toMatchObject({
          valid: true,
          entriesChecked: BigInt(count - cut),
          head: { sequence: BigInt(count) },
          vouchedThrough: BigInt(Math.max(cut, ...later)),
        });
        expect(verdict.valid && verdict.frontier).toEqual(withPeaks ? frontiers[count] : undefined);
      }),
    );
  });

  it("[OBS-08] still shows what was done to the entries that remain", () => {
    fc.assert(
      fc.property(inner, fc.nat(), fc.constantFrom(...changes), (cut, offset, alter) => {
        const sequence = cut + 1 + (offset % (count - cut));
        const tampered = entries.with(sequence - 1, alter(at(sequence))).slice(cut);
        expect(verify(tampered, { start: startAt(cut) })).toMatchObject(bad(sequence, "changed"));
        const shortened = entries.slice(cut + 1);
        if (shortened.length === 0) return;
        expect(verify(shortened, { start: startAt(cut) })).toMatchObject(bad(cut + 1, "removed"));
      }),
    );
  });

  it("[OBS-08] is not verified from a checkpoint that is not to be believed", () => {
    const start = startAt(10);
    const forged = {
      ...start,
      checkpoint: { ...start.checkpoint, entryHash: at(9).entryHash as Uint8Array },
    };
    expect(verify(entries.slice(10), { start: forged })).toMatchObject(bad(10, "checkpoint-forged"));
    const otherTree = { ...start, peaks: startAt(12).peaks };
    expect(verify(entries.slice(10), { start: otherTree })).toMatchObject(bad(10, "checkpoint-mismatch"));
    expect(verify(entries.slice(10))).toMatchObject(bad(1, "removed"));
  });

  it("[OBS-08] is not verified from a checkpoint when there is another one at the same entry", () => {
    const hashes = entries.map((entry, index) => (index === 9 ? at(3) : entry));
    const other = checkpointAt({ entries: hashes, frontiers }, 10, digest, sign);
    const verdict = verify(entries.slice(10), { start: startAt(10), checkpoints: [other] });
    expect(verdict).toMatchObject(bad(10, "checkpoint-mismatch"));
  });
});
