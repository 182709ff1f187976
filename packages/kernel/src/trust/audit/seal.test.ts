import { createHash } from "node:crypto";
import { type AuditEntry, AuditEntrySchema } from "@baton/contract";
import { anyMessage } from "@baton/contract/testing";
import { clone, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, type Redactor } from "../redaction/redactor.ts";
import { chainEntries, emptyChain } from "./chain.ts";
import type { Digest } from "./digest.ts";
import { createSealer } from "./seal.ts";
import { sampleEntry, tenantId } from "./testing/sample-record.ts";

const digest: Digest = (bytes) => createHash("sha256").update(bytes).digest();
const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 500);
const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString("hex");

function redactor(knownSecrets: readonly string[] = []): Redactor {
  const made = createRedactor({ knownSecrets });
  if (!made.ok) throw new Error("the usual policy is right");
  return made.redactor;
}

/** The same thing, one step after another. */
function stepByStep(entries: readonly AuditEntry[], redact: Redactor) {
  const redacted = entries.map((entry) => redact.redactMessage(AuditEntrySchema, entry).message);
  return chainEntries(emptyChain(tenantId), redacted, digest);
}

const anyEntry = (anyMessage(AuditEntrySchema) as fc.Arbitrary<AuditEntry>).map((entry) => {
  const { previousHash: _, entryHash: _hash, ...loose } = entry;
  return { ...loose, tenantId, sequence: 0n } as AuditEntry;
});

describe("sealing", () => {
  it("[OBS-04] [OBS-05] is redacting, chaining and writing in one go", () => {
    const usual = redactor();
    const seal = createSealer(usual, digest);
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 4 }), (entries) => {
        const expected = stepByStep(entries, usual);
        const { sealed, head } = seal(
          emptyChain(tenantId),
          entries.map((entry) => clone(AuditEntrySchema, entry)),
        );
        expect(sealed.map(({ bytes }) => hex(bytes))).toEqual(
          expected.entries.map((entry) => hex(toBinary(AuditEntrySchema, entry))),
        );
        expect(sealed.map(({ hash }) => hex(hash))).toEqual(
          expected.entries.map(({ entryHash }) => hex(entryHash)),
        );
        expect({ ...head, entryHash: hex(head.entryHash) }).toEqual({
          ...expected.head,
          entryHash: hex(expected.head.entryHash),
        });
      }),
      { numRuns },
    );
  });

  it("[OBS-05] keeps a secret out of the bytes, wherever it stands", () => {
    const secret = "correct-horse-battery-staple";
    const seal = createSealer(redactor([secret]), digest);
    const entry = { ...sampleEntry(1), action: `used ${secret}`, rationale: `because of ${secret}` };
    const { sealed } = seal(emptyChain(tenantId), [entry]);
    expect(Buffer.from(sealed[0]?.bytes ?? []).includes(secret)).toBe(false);
  });

  it("[OBS-04] refuses an entry of another tenant, or with a place of its own", () => {
    const seal = createSealer(redactor(), digest);
    expect(() => seal(emptyChain(tenantId), [sampleEntry(1, "other")])).toThrow("is not for the record of");
    const entry = sampleEntry(1);
    seal(emptyChain(tenantId), [entry]);
    expect(() => seal(emptyChain(tenantId), [entry])).toThrow("already has a place in a chain");
  });
});
