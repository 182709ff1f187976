import { createHash } from "node:crypto";
import {
  ActorType,
  AuditActorSchema,
  type AuditEntry,
  AuditEntrySchema,
  type AuditEventType,
  type AuditSnapshot,
  type GateCheck,
  GateCheckSchema,
  type GateSnapshot,
  GateSnapshotSchema,
} from "@baton/contract";
import { anyMessage } from "@baton/contract/testing";
import { clone, create, fromBinary, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../deep-freeze.ts";
import { defaultRedactionPolicy, redactionRules } from "../redaction/policy.ts";
import { createRedactor, type Redactor } from "../redaction/redactor.ts";
import { chainEntries, emptyChain } from "./chain.ts";
import { type Chainer, createChainer } from "./chainer.ts";
import type { Digest } from "./digest.ts";
import { sampleEntry, tenantId } from "./testing/sample-record.ts";

const digest: Digest = (bytes) => createHash("sha256").update(bytes).digest();
const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 500);
const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString("hex");

function redactor(knownSecrets: readonly string[] = [], policy = defaultRedactionPolicy): Redactor {
  const made = createRedactor({ knownSecrets, policy });
  if (!made.ok) throw new Error("the default policy is valid");
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

/** What chaining gives must be what the steps give. */
function expectTheSame(entries: readonly AuditEntry[], redact: Redactor, chain: Chainer): void {
  const expected = stepByStep(entries, redact);
  const { entries: chained, head } = chain(
    emptyChain(tenantId),
    entries.map((entry) => ({ ...entry })),
  );
  expect(chained.map(({ bytes }) => hex(bytes))).toEqual(
    expected.entries.map((entry) => hex(toBinary(AuditEntrySchema, entry))),
  );
  expect(chained.map(({ hash }) => hex(hash))).toEqual(
    expected.entries.map(({ entryHash }) => hex(entryHash)),
  );
  expect({ ...head, entryHash: hex(head.entryHash) }).toEqual({
    ...expected.head,
    entryHash: hex(expected.head.entryHash),
  });
}

/** Made by hand: `create` would copy what it holds. */
function gateSnapshot(value: GateSnapshot): AuditSnapshot {
  return { $typeName: "vasini.agent.v1.AuditSnapshot", snapshotPayload: { case: "gate", value } };
}

describe("chaining", () => {
  it("[OBS-04] [OBS-05] is redacting, chaining and writing in one go", () => {
    const shared = redactor();
    const chain = createChainer(shared, digest);
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 4 }), (entries) => {
        expectTheSame(
          entries.map((entry) => clone(AuditEntrySchema, entry)),
          shared,
          chain,
        );
      }),
      { numRuns },
    );
  });

  it("[OBS-04] [OBS-05] is the same for entries that have much in common, whatever the policy masks", () => {
    const secret = "correct-horse-battery-staple";
    const strict = redactor([secret], {
      alwaysRedact: ["audit_entry.attempt_number", "**/*.pack_id", "gate.reviewer", "timestamp.nanos"],
      conditionalRedact: [
        { field: "audit_entry.action", rule: redactionRules.stripLines, maxLength: 64 },
        { field: "audit_entry.rationale", rule: redactionRules.redactPersonal },
      ],
    });
    const chains = [strict, redactor([secret])].map(
      (redact) => [redact, createChainer(redact, digest)] as const,
    );
    const anyText = fc.oneof(
      fc.constantFrom("", "sent", `used ${secret}`, "to ada@example.org", "größer", "a line\n".repeat(40)),
      fc.string(),
    );
    const anyChange = fc.record(
      { action: anyText, rationale: anyText, stageId: anyText, packId: anyText, attemptNumber: fc.nat() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(anyEntry, fc.array(anyChange, { maxLength: 6 }), (base, changes) => {
        const entries = changes.map((change) => ({ ...base, ...change }));
        for (const [redact, chain] of chains) expectTheSame(entries, redact, chain);
      }),
      { numRuns },
    );
  });

  it("[OBS-04] is the same for one decision after another, however large they are", () => {
    const shared = redactor();
    const chain = createChainer(shared, digest);
    const actors = [1, 2].map((type) =>
      Object.freeze(create(AuditActorSchema, { type, id: `someone-${type}` })),
    );
    const anyText = fc.constantFrom("", "sent", "received", "x".repeat(30_000), "y".repeat(150_000));
    const [checked, checkedToo] = ["scope", "lint"].map((gateName) =>
      deepFreeze([1, 2, 3].map((status) => create(GateCheckSchema, { gateName, passed: true, status }))),
    );
    const anyChecks = fc.constantFrom([], checked, checkedToo, checked?.slice(1));
    const anySnapshot = fc
      .record({ checks: anyChecks, tier: anyText, passed: fc.boolean() })
      .map((value) => gateSnapshot({ ...create(GateSnapshotSchema), ...value } as GateSnapshot));
    const anyAlike = fc.record({
      snapshot: anySnapshot,
      eventType: fc.constantFrom<AuditEventType>(1, 2, 999 as AuditEventType),
      actor: fc.constantFrom(...actors),
      action: anyText,
      rationale: anyText,
      stageId: fc.constantFrom("", "one", "two"),
      attemptNumber: fc.constantFrom(0, 1, 2),
    });
    fc.assert(
      fc.property(fc.array(fc.array(anyAlike, { maxLength: 4 }), { maxLength: 4 }), (decisions) => {
        for (const changes of decisions)
          expectTheSame(
            changes.map((change) => ({ ...sampleEntry(1), ...change })),
            shared,
            chain,
          );
      }),
      { numRuns: Math.min(numRuns, 100) },
    );
  });

  it("[OBS-04] sees what was changed between two entries, or between two decisions", () => {
    const shared = redactor();
    const chain = createChainer(shared, digest);
    const actor = create(AuditActorSchema, { type: ActorType.AGENT, id: "one" });
    const { snapshot } = sampleEntry(1);
    Object.freeze(snapshot);
    const entryOf = (number: number) => ({ ...sampleEntry(number), actor, snapshot }) as AuditEntry;
    expectTheSame([entryOf(1), entryOf(2)], shared, chain);
    actor.id = "two";
    if (snapshot?.snapshotPayload.case === "dispatch") snapshot.snapshotPayload.value.usedFallback = true;
    expectTheSame([entryOf(1), entryOf(2)], shared, chain);
    const names = ["three", "four"];
    const changing = createChainer(shared, (bytes) => {
      actor.id = names.shift() ?? "";
      return digest(bytes);
    });
    const { entries: chained } = changing(emptyChain(tenantId), [entryOf(1), entryOf(2), entryOf(3)]);
    const actors = chained.map(({ bytes }) => fromBinary(AuditEntrySchema, bytes).actor?.id);
    expect(actors).toEqual(["two", "three", "four"]);
  });

  it("[OBS-04] takes a list for the same only when nothing in it can change", () => {
    const shared = redactor();
    const chain = createChainer(shared, digest);
    const check = create(GateCheckSchema, { gateName: "scope" });
    const checks = Object.freeze([check]) as GateCheck[];
    const entryOf = () => ({
      ...sampleEntry(1),
      snapshot: gateSnapshot({ ...create(GateSnapshotSchema), checks }),
    });
    expectTheSame([entryOf(), entryOf()], shared, chain);
    check.passed = true;
    expectTheSame([entryOf(), entryOf()], shared, chain);
    expect(() => {
      const [known] = deepFreeze([create(GateCheckSchema, { run: { command: "npm test" } })]);
      if (known?.run) known.run.command = "true";
    }).toThrow(TypeError);
  });

  it("[OBS-04] leaves what it has given out alone", () => {
    const chain = createChainer(redactor(), digest);
    const { entries: chained, head } = chain(emptyChain(tenantId), [sampleEntry(1), sampleEntry(2)]);
    const before = chained.map(({ bytes, hash }) => hex(bytes) + hex(hash));
    chain(head, [sampleEntry(3), sampleEntry(4)]);
    expect(chained.map(({ bytes, hash }) => hex(bytes) + hex(hash))).toEqual(before);
  });

  it("[OBS-04] goes on after an entry that it refused", () => {
    const shared = redactor();
    const chain = createChainer(shared, digest);
    const unknown = [{ no: 99, wireType: 0, data: new Uint8Array([1]) }];
    const entries = [sampleEntry(1), { ...sampleEntry(2), $unknown: unknown }];
    expect(() => chain(emptyChain(tenantId), entries)).toThrow("AuditEntry.99");
    expectTheSame([sampleEntry(3), sampleEntry(4)], shared, chain);
  });

  it("[OBS-04] refuses a digest that gives no hash of 32 bytes", () => {
    const chain = createChainer(redactor(), (bytes) => digest(bytes).subarray(1));
    expect(() => chain(emptyChain(tenantId), [sampleEntry(1)])).toThrow("a hash has 32 bytes, not 31");
  });

  it("[OBS-05] keeps a secret out of the bytes, wherever it stands", () => {
    const secret = "correct-horse-battery-staple";
    const chain = createChainer(redactor([secret]), digest);
    const entry = { ...sampleEntry(1), action: `used ${secret}`, rationale: `because of ${secret}` };
    const { entries: chained } = chain(emptyChain(tenantId), [entry]);
    expect(Buffer.from(chained[0]?.bytes ?? []).includes(secret)).toBe(false);
  });

  it("[OBS-04] refuses an entry of another tenant, or one that is already chained", () => {
    const chain = createChainer(redactor(), digest);
    expect(() => chain(emptyChain(tenantId), [sampleEntry(1, "other")])).toThrow("is not for the record of");
    const entry = sampleEntry(1);
    chain(emptyChain(tenantId), [entry]);
    expect(() => chain(emptyChain(tenantId), [entry])).toThrow("is already in a chain");
  });
});
