import { createHash } from "node:crypto";
import {
  AuditCheckpointSchema,
  type AuditEntry,
  AuditEntrySchema,
  TurnMetadataSchema,
} from "@baton/contract";
import { anyMessage } from "@baton/contract/testing";
import {
  create,
  type DescMessage,
  fromBinary,
  fromJsonString,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import { StructSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampleEntry } from "../testing/sample-record.ts";
import { canonicalWriter, checkpointBytes, entryBytes } from "./canonical.ts";

const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 500);
const anyEntry = anyMessage(AuditEntrySchema) as fc.Arbitrary<AuditEntry>;
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

/** The same message with all properties set in the opposite order. */
function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversed) as T;
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, reversed(part)]),
  ) as T;
}

describe("canonical bytes", () => {
  it("[OBS-04] do not depend on the order in which fields were set", () => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        expect(hex(entryBytes(reversed(entry)))).toBe(hex(entryBytes(entry)));
      }),
      { numRuns },
    );
  });

  it("[OBS-04] are protobuf's binary form behind a prefix", () => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        const { entryHash: _, ...rest } = entry;
        const expected = Buffer.concat([
          Buffer.from("baton/audit-entry/1\0"),
          toBinary(AuditEntrySchema, rest),
        ]);
        expect(hex(entryBytes(entry))).toBe(hex(expected));
      }),
      { numRuns },
    );
  });

  it("[OBS-04] survive the way through JSON and through protobuf", () => {
    fc.assert(
      fc.property(anyEntry, (entry) => {
        const json = fromJsonString(AuditEntrySchema, toJsonString(AuditEntrySchema, entry));
        const binary = fromBinary(AuditEntrySchema, toBinary(AuditEntrySchema, entry));
        expect(hex(entryBytes(json))).toBe(hex(entryBytes(entry)));
        expect(hex(entryBytes(binary))).toBe(hex(entryBytes(entry)));
      }),
      { numRuns },
    );
  });

  it("[OBS-04] differ for entries that differ, apart from the hash itself", () => {
    fc.assert(
      fc.property(anyEntry, anyEntry, (one, other) => {
        const without = (entry: AuditEntry) => {
          const { entryHash: _, ...rest } = entry;
          return toJsonString(AuditEntrySchema, rest);
        };
        expect(hex(entryBytes(one)) === hex(entryBytes(other))).toBe(without(one) === without(other));
        const rehashed = { ...one, entryHash: new Uint8Array(32) };
        expect(hex(entryBytes(rehashed))).toBe(hex(entryBytes(one)));
      }),
      { numRuns },
    );
  });

  it("[OBS-04] are what they were when records were written with them", () => {
    const entry = { ...sampleEntry(1), sequence: 2n, previousHash: new Uint8Array(32).fill(7) };
    expect(Buffer.from(entryBytes(entry)).subarray(0, 31).toString("latin1")).toBe(
      "baton/audit-entry/1\0\x0a\x07audit-1\x10\x0a",
    );
    const sha256 = createHash("sha256").update(entryBytes(entry)).digest("hex");
    expect(sha256).toBe("24f8c65de61486d51083e37c7c872499a2e0c3e0656bd8abc9c82d45e332708e");
    const checkpoint = create(AuditCheckpointSchema, {
      tenantId: "acme",
      sequence: 300n,
      entryHash: new Uint8Array(2).fill(1),
      rootHash: new Uint8Array(2).fill(2),
      issuedAt: { seconds: 5n },
      keyId: "k",
    });
    const bytes = "0a0461636d6510ac021a020101220202022a02080532016b";
    expect(hex(checkpointBytes(checkpoint))).toBe(hex(Buffer.from("baton/audit-checkpoint/1\0")) + bytes);
  });

  it("[OBS-04] leave out the signature of a checkpoint", () => {
    const unsigned = create(AuditCheckpointSchema, { tenantId: "acme", sequence: 3n });
    const signed = { ...unsigned, signature: new Uint8Array(64).fill(9) };
    expect(hex(checkpointBytes(signed))).toBe(hex(checkpointBytes(unsigned)));
  });

  it("[OBS-04] are refused to a type whose binary form is ambiguous", () => {
    const fieldOf = (schema: DescMessage) => () => canonicalWriter(schema, new Uint8Array(), "none");
    expect(fieldOf(StructSchema)).toThrow("has no canonical form: a map has no order");
    expect(fieldOf(TurnMetadataSchema)).toThrow("has no canonical form: its type is not written here yet");
  });
});

describe("fields that this version does not know", () => {
  const unknown = [{ no: 99, wireType: 0, data: new Uint8Array([1]) }];

  it("[OBS-04] leave an entry without a canonical form, wherever they are", () => {
    const untouched = hex(entryBytes(sampleEntry(1)));
    expect(() => entryBytes({ ...sampleEntry(1), $unknown: unknown })).toThrow(
      "field AuditEntry.99 is unknown here, so there is no canonical form",
    );
    const nested = sampleEntry(1);
    const payload = nested.snapshot?.snapshotPayload;
    if (payload?.case === "dispatch" && payload.value.candidates[0]) {
      payload.value.candidates[0].$unknown = unknown;
    }
    expect(() => entryBytes(nested)).toThrow("field CandidateVerdict.99 is unknown here");
    expect(hex(entryBytes(sampleEntry(1))), "the next entry is not affected").toBe(untouched);
  });

  it("[OBS-04] are seen after decoding an entry of a newer version", () => {
    const bytes = toBinary(AuditEntrySchema, { ...sampleEntry(1), $unknown: unknown });
    expect(() => entryBytes(fromBinary(AuditEntrySchema, bytes))).toThrow("AuditEntry.99");
  });
});
