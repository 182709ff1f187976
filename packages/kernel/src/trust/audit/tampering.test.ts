import { createHash, createHmac } from "node:crypto";
import type { AuditEntry } from "@baton/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { VerifySignature } from "./checkpoint.ts";
import type { Digest } from "./digest.ts";
import { rehash, sampleEntry, tenantId } from "./testing/sample-record.ts";
import { bad, changes, count, verifying } from "./testing/verifying.ts";

const digest: Digest = (bytes) => createHash("sha256").update(bytes).digest();
const sign = (bytes: Uint8Array) => createHmac("sha256", "secret").update(bytes).digest();
const verifySignature: VerifySignature = (bytes, signature, keyId) =>
  keyId === "key-1" && sign(bytes).equals(signature);
const { at, entries, verify } = verifying({ digest, verifySignature }, sign);
const position = fc.integer({ min: 1, max: count });
const inner = fc.integer({ min: 1, max: count - 1 });

describe("a record that was tampered with", () => {
  it("[OBS-04] shows a changed field", () => {
    fc.assert(
      fc.property(position, fc.constantFrom(...changes), (sequence, alter) => {
        const verdict = verify(entries.with(sequence - 1, alter(at(sequence))));
        expect(verdict).toMatchObject(bad(sequence, "changed"));
        expect(verdict.entriesChecked).toBe(BigInt(sequence - 1));
      }),
    );
  });

  it("[OBS-04] finds an entry whose hash was recomputed", () => {
    fc.assert(
      fc.property(inner, (sequence) => {
        const forged = rehash(at(sequence), { rationale: "nothing to see" }, digest);
        expect(verify(entries.with(sequence - 1, forged))).toMatchObject(bad(sequence, "changed"));
      }),
    );
  });

  it("[OBS-04] decides which of two entries is wrong by the next one", () => {
    fc.assert(
      fc.property(inner, (sequence) => {
        const forged = rehash(at(sequence), { previousHash: digest(new Uint8Array()) }, digest);
        expect(verify(entries.with(sequence - 1, forged))).toMatchObject(bad(sequence, "changed"));
      }),
    );
    const last = rehash(at(count), { previousHash: digest(new Uint8Array()) }, digest);
    const kept = { tenantId, sequence: BigInt(count - 1), entryHash: at(count - 1).entryHash };
    expect(verify(entries.with(-1, last), { head: kept })).toMatchObject(bad(count, "changed"));
  });

  it("[OBS-04] shows removed entries", () => {
    fc.assert(
      fc.property(inner, fc.integer({ min: 1, max: 5 }), (sequence, length) => {
        const removed = Math.min(length, count - sequence);
        const verdict = verify(entries.toSpliced(sequence - 1, removed));
        expect(verdict).toMatchObject(bad(sequence, "removed"));
      }),
    );
    expect(verify(entries.toSpliced(4, 2))).toMatchObject({
      problem: "entries 5 to 6 are missing before entry 7",
    });
  });

  it("[OBS-04] shows an inserted entry, made well or badly, before or after the one whose number it took", () => {
    const forgeries: ((sequence: number) => AuditEntry)[] = [
      (sequence) => ({ ...at(sequence), rationale: "added" }),
      (sequence) => rehash(at(sequence), { rationale: "added" }, digest),
      (sequence) => rehash(at(sequence), { previousHash: digest(new Uint8Array()) }, digest),
    ];
    fc.assert(
      fc.property(inner, fc.constantFrom(...forgeries), (sequence, forge) => {
        const verdict = verify(entries.toSpliced(sequence - 1, 0, forge(sequence)));
        expect(verdict).toMatchObject(bad(sequence, "inserted"));
      }),
    );
    fc.assert(
      fc.property(position, position, (one, other) => {
        const [copied, after] = [Math.min(one, other), Math.max(one, other)];
        const verdict = verify(entries.toSpliced(after, 0, at(copied)));
        expect(verdict).toMatchObject(bad(copied, "inserted"));
      }),
    );
    const unplaced = { ...rehash(sampleEntry(99), {}, digest) };
    expect(verify(entries.toSpliced(5, 0, unplaced))).toMatchObject(bad(6, "inserted"));
  });

  it("[OBS-04] finds reordered entries", () => {
    fc.assert(
      fc.property(position, position, (one, other) => {
        fc.pre(one !== other);
        const swapped = entries.with(one - 1, at(other)).with(other - 1, at(one));
        expect(verify(swapped)).toMatchObject(bad(Math.min(one, other), "reordered"));
      }),
    );
  });

  it("[OBS-04] shows an entry of another tenant", () => {
    fc.assert(
      fc.property(position, (sequence) => {
        const foreign = rehash(at(sequence), { tenantId: "other" }, digest);
        const verdict = verify(entries.with(sequence - 1, foreign));
        expect(verdict).toMatchObject(bad(sequence, "foreign-tenant"));
      }),
    );
    expect(verify(entries, { tenantId: "other" })).toMatchObject(bad(1, "foreign-tenant"));
  });

  it("[OBS-04] is not called changed where this version cannot read it", () => {
    const newer = { ...at(7), $unknown: [{ no: 26, wireType: 0, data: new Uint8Array([1]) }] };
    expect(verify(entries.with(6, newer))).toMatchObject(bad(7, "unreadable"));
  });
});
