/** Random steps, which become batches when the versions and sequences are known. */
import type { Batch, Transition } from "@baton/runtime";
import fc from "fast-check";
import type { Model } from "./model.ts";
import {
  auditRow,
  batch,
  callRow,
  content,
  escalationRow,
  eventRow,
  heldRow,
  knowledgeRow,
  pipelineRow,
  startMs,
  stepRow,
  timer,
  turnRow,
} from "./rows.ts";

const few = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { maxLength: 3 });
const pipeline = fc.integer({ min: 0, max: 5 });
const place = fc.integer({ min: 0, max: 2 });

const anyMove = fc.record({
  pipeline,
  /** Rarely the writer has missed a record, or expects one too many. */
  staleBy: fc.oneof(
    { weight: 30, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constantFrom(-1, 1) },
  ),
  count: fc.integer({ min: 1, max: 4 }),
  text: fc.string({ unit: "grapheme", maxLength: 20 }),
  status: fc.constantFrom("PENDING", "RUNNING", "PAUSED", "COMPLETED"),
  view: fc.option(fc.uint8Array({ maxLength: 20 }), { nil: undefined }),
  contents: few(place),
  commands: fc.nat(2),
  timersSet: few(fc.tuple(place, fc.nat(100))),
  timersCleared: few(place),
  escalations: few(fc.tuple(place, fc.boolean())),
  tasks: fc.uniqueArray(
    fc.tuple(
      place,
      fc.constantFrom("READY", "DISPATCHED", "COMPLETED"),
      fc.option(fc.constantFrom("c0ffee", "deadbeef"), { nil: undefined }),
    ),
    { maxLength: 3, selector: ([which]) => which },
  ),
  laterMs: fc.nat(1000),
});

export const anyStep = fc.record({
  moves: fc.uniqueArray(anyMove, { maxLength: 4, selector: (move) => move.pipeline }),
  audit: few(fc.record({ tenant: fc.constantFrom("acme", "zenith"), pipeline: fc.option(fc.nat(8)) })),
  events: few(
    fc.record({ tenant: fc.constantFrom("acme", "zenith"), count: fc.integer({ min: 1, max: 5 }) }),
  ),
  fleet: few(fc.string({ maxLength: 10 })),
  completedCommands: few(fc.nat(30)),
  firedTimers: few(fc.record({ pipeline, timer: place, isNewest: fc.boolean() })),
  turns: few(fc.record({ pipeline, index: fc.nat(4), text: fc.string({ unit: "grapheme", maxLength: 20 }) })),
  callsBegun: few(fc.record({ pipeline, call: place, tool: fc.constantFrom("shell", "edit") })),
  callsEnded: few(fc.record({ pipeline, call: place })),
  held: few(fc.record({ pipeline, text: fc.string({ unit: "grapheme", maxLength: 5 }) })),
  knowledge: few(
    fc.record({
      tenantId: fc.constantFrom("acme", "zenith"),
      topic: fc.constantFrom("cache", "signal"),
      key: fc.constantFrom("a", "b"),
      content: fc.uint8Array({ maxLength: 20 }),
    }),
  ),
  steps: few(
    fc.record({ pipeline, ordinal: fc.integer({ min: 1, max: 4 }), value: fc.uint8Array({ maxLength: 20 }) }),
  ),
});

export type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

/** The batch of a step, after the batches of the model. */
export function batchFor(model: Model, step: Step): Batch {
  const sequences = new Map<string, bigint>();
  const next = (kind: "audit" | "events", tenantId: string, count: number) => {
    const key = `${kind} ${tenantId}`;
    const last = sequences.get(key) ?? lastSequence(model, kind, tenantId);
    sequences.set(key, last + BigInt(count));
    return last + 1n;
  };
  return batch({
    id: { writer: "any", sequence: model.lastBatch("any") + 1 },
    transitions: step.moves.map((move, index) =>
      transitionFor(model, move, model.batches.length * 100 + index * 10),
    ),
    fleet: step.fleet.map((text) => ({ tenantId: "acme", text })),
    audit: step.audit.map(({ tenant, pipeline: of }) =>
      auditRow(tenant, next("audit", tenant, 1), { pipelineId: of === null ? "" : `p${of}` }),
    ),
    events: step.events.map(({ tenant, count }) => {
      const first = next("events", tenant, count);
      return eventRow(tenant, first, first + BigInt(count) - 1n);
    }),
    completedCommands: step.completedCommands.map((index) => [...model.outbox.keys()][index] ?? 999_999),
    firedTimers: step.firedTimers.map(({ pipeline: of, timer: which, isNewest }) => {
      const set = model.timers.get(`p${of} / t${which}`) ?? startMs;
      return timer(`p${of}`, `t${which}`, isNewest ? set : set - 1);
    }),
    turns: step.turns.map(({ pipeline: of, index, text }) => turnRow(`p${of}`, index, { envelope: text })),
    callsBegun: step.callsBegun.map(({ pipeline: of, call, tool }) =>
      callRow(`p${of}`, `c${call}`, { tool, atMs: startMs + of * 10 + call }),
    ),
    callsEnded: step.callsEnded.map(({ pipeline: of, call }) => {
      const { dispatchId, callId } = callRow(`p${of}`, `c${call}`);
      return { dispatchId, callId };
    }),
    held: step.held.map(({ pipeline: of, text }) => heldRow(`p${of}`, text)),
    knowledge: step.knowledge.map((row) => knowledgeRow(row.key, row)),
    steps: step.steps.map(({ pipeline: of, ordinal, value }) => stepRow(`p${of}`, ordinal, { value })),
  });
}

function transitionFor(model: Model, move: Step["moves"][number], firstId: number): Transition {
  const pipelineId = `p${move.pipeline}`;
  const tenantId = move.pipeline % 2 === 0 ? "acme" : "zenith";
  const set = new Map(move.timersSet.map(([which, laterMs]) => [`t${which}`, startMs + laterMs]));
  return {
    pipelineId,
    expectedVersion: model.versionOf(pipelineId) + move.staleBy,
    records: { text: move.text, count: move.count },
    contents: move.contents.map((which) => content(`content ${which}`)),
    row: pipelineRow(pipelineId, {
      tenantId,
      status: move.status,
      ended: move.status === "COMPLETED",
      view: move.status === "COMPLETED" ? move.view : undefined,
      updatedAtMs: startMs + move.laterMs,
    }),
    commands: Array.from({ length: move.commands }, (_, index) => ({
      id: firstId + index,
      pipelineId,
      text: `command ${firstId + index}`,
    })),
    timersSet: [...set].map(([timerId, atMs]) => timer(pipelineId, timerId, atMs)),
    timersCleared: move.timersCleared.map((which) => `t${which}`).filter((timerId) => !set.has(timerId)),
    escalations: move.escalations.map(([which, isResolved]) =>
      escalationRow(`${pipelineId}-e${which}`, pipelineId, {
        tenantId,
        resolvedAtMs: isResolved ? startMs + move.laterMs : undefined,
      }),
    ),
    tasks: move.tasks.map(([which, state, headHash]) => ({ stageId: `s${which}`, state, headHash })),
  };
}

function lastSequence(model: Model, kind: "audit" | "events", tenantId: string): bigint {
  const rows = model.batches.flatMap((each) =>
    kind === "audit"
      ? each.audit.map((row) => ({ tenantId: row.tenantId, last: row.sequence }))
      : each.events.map((row) => ({ tenantId: row.tenantId, last: row.lastSequence })),
  );
  return rows.findLast((row) => row.tenantId === tenantId)?.last ?? 0n;
}

/** Whether a store has to refuse the batch with a conflict. */
export function isStale(model: Model, { transitions }: Batch): boolean {
  return transitions.some((move) => move.expectedVersion !== model.versionOf(move.pipelineId));
}
