import { TurnEnvelopeSchema as ContractTurnSchema, decodeBinary, encodeBinary } from "@baton/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type Event,
  EventPayloadSchema,
  EventSchema,
  eventPayloads,
  migrateTurn,
  readTurn,
  type TurnEnvelope,
  TurnEnvelopeSchema,
  type TurnMigration,
  TurnVersionError,
  turnFromContract,
  turnToContract,
} from "./index.ts";

const runs = { numRuns: Number(process.env.BATON_FUZZ_RUNS ?? 500) };

const turn: TurnEnvelope = {
  turn_index: 0,
  agent_id: "developer",
  role: "reviewer",
  content: { thought: "It rains.", action: "take an umbrella", observation: "wet shoes" },
  metadata: {
    version: "1.0.0",
    task_id: "p-1/implement",
    timestamp: "2026-02-21T10:00:00Z",
    confidence: 0.5,
    estimated_complexity: "low",
  },
};

const with_ = (path: string, value: unknown): unknown => {
  const copy = structuredClone(turn) as unknown as Record<string, Record<string, unknown>>;
  const [outer = "", inner] = path.split(".");
  if (inner === undefined) (copy as Record<string, unknown>)[outer] = value;
  else (copy[outer] as Record<string, unknown>)[inner] = value;
  return copy;
};

describe("a turn", () => {
  it("[TUR-01] is taken as the specification shows it, by parse and by safeParse", () => {
    expect(TurnEnvelopeSchema.parse(turn)).toEqual(turn);
    expect(TurnEnvelopeSchema.safeParse(turn).success).toBe(true);
  });

  it.each([
    ["turn_index", -1],
    ["turn_index", 0.5],
    ["turn_index", "0"],
    ["turn_index", Number.NaN],
    ["agent_id", "tester"],
    ["role", "Developer"],
    ["content", {}],
    ["content.thought", undefined],
    ["content.action", 3],
    ["metadata.version", "1.0.1"],
    ["metadata.task_id", null],
    ["metadata.timestamp", "2026-02-21T10:00:00+01:00"],
    ["metadata.timestamp", "2026-02-21 10:00:00Z"],
    ["metadata.timestamp", "2026-02-21T10:00:00"],
    ["metadata.timestamp", "2026-02-30T10:00:00Z"],
    ["metadata.confidence", 1.01],
    ["metadata.confidence", -0.01],
    ["metadata.confidence", Number.POSITIVE_INFINITY],
    ["metadata.estimated_complexity", "extreme"],
  ])("[TUR-01] is refused when %s is %j, and the place is named", (path, value) => {
    const read = TurnEnvelopeSchema.safeParse(with_(path, value));
    expect(read.success).toBe(false);
    expect(read.error?.issues[0]?.path.join(".")).toContain(path);
  });

  it.each([
    ["turn_index", 2 ** 31 - 1],
    ["metadata.confidence", 0],
    ["metadata.confidence", 1],
    ["metadata.timestamp", "2026-02-21T10:00:00.123Z"],
    ["metadata.estimated_complexity", "high"],
    ["content.observation", ""],
  ])("[TUR-01] is taken when %s is %j", (path, value) => {
    expect(TurnEnvelopeSchema.safeParse(with_(path, value)).success).toBe(true);
  });

  it("[TUR-03] keeps its thought to the letter on the way through the contract and back", () => {
    fc.assert(
      fc.property(anyTurn, (given) => {
        const carried = turnToContract(given, "senior-ts-dev");
        const received = decodeBinary(ContractTurnSchema, encodeBinary(ContractTurnSchema, carried));
        expect(received.packId).toBe("senior-ts-dev");
        expect(turnFromContract(received)).toEqual(given);
      }),
      runs,
    );
  });

  it("[TUR-09] of a newer version is refused, with the version that can be read", () => {
    expect(() => readTurn(with_("metadata.version", "1.1.0"))).toThrow(
      "metadata.version: this turn is of version 1.1.0, and this version of Baton reads up to 1.0.0",
    );
    expect(() => readTurn(with_("metadata.version", "nonsense"))).toThrow(TurnVersionError);
  });

  it("[TUR-09] of an older version is brought to the present one, step by step", () => {
    // As if `metadata.mood` had become mandatory in 1.1.0, and a number in 2.0.0.
    const inMetadata = (turn: unknown, more: object) => {
      const { metadata, ...rest } = turn as { metadata: object };
      return { ...rest, metadata: { ...metadata, ...more } };
    };
    const migrations: readonly TurnMigration[] = [
      { from: "1.0.0", to: "1.1.0", migrate: (turn) => inMetadata(turn, { mood: "calm" }) },
      { from: "1.1.0", to: "2.0.0", migrate: (turn) => inMetadata(turn, { mood: 1 }) },
    ];
    const migrated = migrateTurn(turn, "2.0.0", migrations);
    expect(migrated).toEqual({ ...turn, metadata: { ...turn.metadata, version: "2.0.0", mood: 1 } });
    expect(() => migrateTurn(turn, "2.0.0", migrations.slice(1))).toThrow(TurnVersionError);
  });
});

describe("an event", () => {
  it("[TUR-01] of each of the five types is taken as the specification shows it", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(anyEvent, (given) => {
        seen.add(given.payload.type);
        expect(EventSchema.parse(given)).toEqual(given);
      }),
      runs,
    );
    expect(seen.size).toBe(eventPayloads.length);
  });

  it.each([
    [{ type: "SOMETHING_ELSE" }],
    [{ type: "SANDBOX_PULSE", line: "a", masked: "no", timestamp: "2026-02-21T10:00:00Z" }],
    [{ type: "THOUGHT_STREAM", agent_id: "developer", turn_index: -1, chunk: "", is_final: true }],
    [
      {
        type: "TOOL_LIFECYCLE_COMPLETED",
        ...{ call_id: "c", tool: "node", status: "lost", duration_ms: 1, timestamp: "2026-02-21T10:00:00Z" },
      },
    ],
    [
      {
        type: "TOOL_LIFECYCLE_COMPLETED",
        ...{
          call_id: "c",
          tool: "node",
          status: "timeout",
          duration_ms: -1,
          timestamp: "2026-02-21T10:00:00Z",
        },
      },
    ],
  ])("[TUR-01] is refused with the payload %j", (payload) => {
    expect(EventPayloadSchema.safeParse(payload).success).toBe(false);
  });

  it("[TUR-09] of a new type is one schema added to the union; the others stay as they are", () => {
    const Coffee = z.object({ type: z.literal("COFFEE_BREAK"), cups: z.int().min(1) });
    const Payload = z.discriminatedUnion("type", [...eventPayloads, Coffee]);
    const Extended = EventSchema.extend({ payload: Payload });
    const wrapper = { event_id: "7b0b2b0e-8f3a-4d0e-9d4e-3b8c3c2f1a10", session_id: "s" };
    const coffee = { ...wrapper, payload: { type: "COFFEE_BREAK", cups: 2 } };
    const pulse = {
      ...wrapper,
      payload: { type: "SANDBOX_PULSE", line: "ok", masked: false, timestamp: "2026-02-21T10:00:00Z" },
    };
    expect(Extended.parse(coffee)).toEqual(coffee);
    expect(Extended.parse(pulse)).toEqual(pulse);
    expect(Extended.safeParse({ ...coffee, payload: { type: "COFFEE_BREAK", cups: 0 } }).success).toBe(false);
    expect(EventSchema.safeParse(coffee).success).toBe(false);
  });
});

const text = fc.string({ unit: "grapheme", maxLength: 200 });
const name = fc.string({ minLength: 1, maxLength: 20 });
const instant = fc
  .date({ min: new Date("1970-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true })
  .map((date) => date.toISOString().replace(".000Z", "Z"));
const role = fc.constantFrom("researcher", "architect", "developer", "reviewer");
const index = fc.nat(2 ** 31 - 1);

const anyTurn: fc.Arbitrary<TurnEnvelope> = fc.record({
  turn_index: index,
  agent_id: role,
  role,
  content: fc.record({ thought: text, action: text, observation: text }),
  metadata: fc.record({
    version: fc.constant("1.0.0" as const),
    task_id: name,
    timestamp: instant,
    confidence: fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0),
    estimated_complexity: fc.constantFrom("low", "medium", "high"),
  }),
});

const json = fc.dictionary(
  fc.string({ maxLength: 10 }).filter((key) => key !== "__proto__"),
  fc.oneof(text, fc.boolean(), fc.integer(), fc.constant(null), fc.array(fc.integer(), { maxLength: 3 })),
  { maxKeys: 4, noNullPrototype: true },
);

const anyEvent: fc.Arbitrary<Event> = fc.record({
  event_id: fc.uuid(),
  session_id: name,
  payload: fc.oneof(
    fc.record({
      type: fc.constant("THOUGHT_STREAM" as const),
      ...{ agent_id: role, turn_index: index, chunk: text, is_final: fc.boolean() },
    }),
    fc.record({
      type: fc.constant("TOOL_LIFECYCLE_INVOKED" as const),
      ...{ call_id: name, tool: name, arguments: json, timestamp: instant },
    }),
    fc.record({
      type: fc.constant("TOOL_LIFECYCLE_COMPLETED" as const),
      ...{ call_id: name, tool: name, status: fc.constantFrom("success", "failure", "timeout") },
      duration_ms: fc.double({ min: 0, max: 1e9, noNaN: true }).map((value) => value + 0),
      timestamp: instant,
    }),
    fc.record(
      {
        type: fc.constant("TASK_TRANSITION" as const),
        ...{ task_id: name, from_state: name, to_state: name, git_hash: name, timestamp: instant },
      },
      { requiredKeys: ["type", "task_id", "from_state", "to_state", "timestamp"] },
    ),
    fc.record({
      type: fc.constant("SANDBOX_PULSE" as const),
      ...{ line: text, masked: fc.boolean(), timestamp: instant },
    }),
  ),
}) as fc.Arbitrary<Event>;
