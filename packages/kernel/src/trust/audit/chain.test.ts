import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chainEntries, emptyChain } from "./chain.ts";
import type { Digest } from "./digest.ts";
import { sampleEntry, tenantId } from "./testing/sample-record.ts";

const digest: Digest = (bytes) => createHash("sha256").update(bytes).digest();
const start = emptyChain(tenantId);

describe("chainEntries", () => {
  it("[OBS-04] gives each entry its sequence and the hash of the one before", () => {
    const plain = [sampleEntry(1), sampleEntry(2), sampleEntry(3)];
    const { entries, head } = chainEntries(start, plain, digest);
    expect(entries.map(({ sequence }) => sequence)).toEqual([1n, 2n, 3n]);
    expect(entries[0]?.previousHash).toBeUndefined();
    expect(entries[1]?.previousHash).toEqual(entries[0]?.entryHash);
    expect(entries[2]?.previousHash).toEqual(entries[1]?.entryHash);
    expect(head).toEqual({ tenantId, sequence: 3n, entryHash: entries[2]?.entryHash });
    expect(plain[0]?.sequence, "the entries that came in are left alone").toBe(0n);
  });

  it("[OBS-04] gives the same chain in one batch or in many", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { maxLength: 8 }), (batches) => {
        const all = Array.from({ length: batches.reduce((sum, size) => sum + size, 0) }, (_, i) =>
          sampleEntry(i + 1),
        );
        let head = start;
        let taken = 0;
        for (const size of batches) {
          ({ head } = chainEntries(head, all.slice(taken, taken + size), digest));
          taken += size;
        }
        expect(head).toEqual(chainEntries(start, all, digest).head);
      }),
      { numRuns: 50 },
    );
  });

  it("[OBS-04] refuses an entry of another tenant", () => {
    expect(() => chainEntries(start, [sampleEntry(1, "other")], digest)).toThrow(
      'entry audit-1 of tenant "other" is not for the record of "acme"',
    );
  });

  it("[OBS-04] refuses an entry that is already in a chain", () => {
    const { entries, head } = chainEntries(start, [sampleEntry(1)], digest);
    expect(() => chainEntries(head, entries, digest)).toThrow("entry audit-1 is already in a chain");
  });

  it("[OBS-04] refuses an entry with fields it does not know", () => {
    const newer = { ...sampleEntry(1), $unknown: [{ no: 26, wireType: 0, data: new Uint8Array([1]) }] };
    expect(() => chainEntries(start, [newer], digest)).toThrow("field AuditEntry.26 is unknown here");
  });
});
