/**
 * Fills a store with pipelines that have ended, as a hub that ran for long would have: what a real hub stores of one, again
 * and again, with ids and a chain of audit entries of their own.
 */
import { hash } from "node:crypto";
import { mkdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { AuditEntrySchema } from "@baton/contract";
import { entryBytes } from "@baton/kernel";
import { type Batch, openSqliteStore, type Transition } from "@baton/runtime";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { recordPipeline } from "./recorded-pipeline.ts";

/** What the parent receives. */
export interface Filled {
  readonly filled: number;
  readonly bytesEach: number;
  /** How much is left of texts, contents, entries and events; one unless the disk has no room for all of them. */
  readonly share: number;
}

const [directory = "", count = ""] = process.argv.slice(2);
const total = Number(count);
/** Transitions in a batch, and those whose events share a row, as in a hub with so many pipelines at once. */
const [perBatch, perEvents] = [256, 64];
const tenantId = "local";
/** Beside what is stored, each row has columns and index entries. */
const overheadBytes = 4_000;
const prefix = entryBytes(create(AuditEntrySchema));

const { pipelineId: recordedId, batches } = await recordPipeline();
const share = shareThatFits();
const steps = batches.map(stepOf);

const store = await openSqliteStore({ directory });
const audit = { sequence: 0n, hash: new Uint8Array() };
let lastEvent = 0n;
let lastCommand = 0;
let lastBatch = 0;
for (let start = 0; start < total; start += perBatch) {
  const numbers = Array.from({ length: Math.min(perBatch, total - start) }, (_, place) => start + place);
  const firstCommand = lastCommand;
  for (const step of steps) await store.commit(batchOf(step, numbers, firstCommand));
}
const left = { commands: (await store.outbox()).length, timers: (await store.timers()).length };
await store.close();
if (left.commands + left.timers > 0) throw new Error(`the pipelines have not ended: ${JSON.stringify(left)}`);
const filled: Filled = {
  filled: total,
  bytesEach: statSync(join(directory, "baton.db")).size / total,
  share,
};
process.send?.(filled);
process.exit();

type Step = ReturnType<typeof stepOf>;

/** A step of the recorded pipeline, cut to the share. */
function stepOf(batch: Batch, place: number) {
  const [transition] = batch.transitions;
  if (transition === undefined) throw new Error("a step has a transition");
  const { records, contents, row } = transition;
  const isLast = place === batches.length - 1;
  return {
    transition: {
      ...transition,
      records: { ...records, text: cut(records.text) },
      contents: contents.map(({ bytes }) => {
        const kept = cut(bytes);
        return { digest: hash("sha256", kept, "base64url"), bytes: kept };
      }),
      row: { ...row, view: row.view && cut(row.view) },
    },
    // What the recorded hub crossed off later, it crossed off; here, when the pipeline has ended.
    isLast,
    audit: batch.audit.map((entry) => ({ ...entry, head: cut(headOf(entry.entry)) })),
    events: batch.events.map(({ firstSequence, lastSequence, events }) => ({
      count: Number(lastSequence - firstSequence) + 1,
      bytes: cut(events),
    })),
  };
}

function batchOf(step: Step, numbers: readonly number[], firstCommand: number): Batch {
  const { isLast } = step;
  const transitions = numbers.map((number) => transitionOf(step, number));
  const completedCommands = isLast
    ? Array.from({ length: lastCommand - firstCommand }, (_, place) => firstCommand + place + 1)
    : [];
  // Commands of the last step are crossed off with it: carried out comes first, so none are written.
  const settled = isLast ? transitions.map((one) => ({ ...one, commands: [] })) : transitions;
  return {
    id: { writer: "fill", sequence: ++lastBatch },
    transitions: settled,
    fleet: [],
    audit: numbers.flatMap((number) => entriesOf(step, number)),
    events: eventsOf(step, numbers),
    completedCommands,
    ...{
      firedTimers: [],
      turns: [],
      steps: [],
      callsBegun: [],
      callsEnded: [],
      held: [],
      spend: [],
      knowledge: [],
    },
  };
}

function transitionOf({ transition, isLast }: Step, number: number): Transition {
  const pipelineId = idOf(number);
  const atMs = transition.row.createdAtMs + number;
  const { commands, timersSet } = transition;
  return {
    ...transition,
    pipelineId,
    row: { ...transition.row, pipelineId, tenantId, createdAtMs: atMs, updatedAtMs: atMs },
    commands: commands.map(({ text }) => ({ id: ++lastCommand, pipelineId, text: cut(text) })),
    timersSet: isLast ? [] : timersSet.map((timer) => ({ ...timer, pipelineId })),
  };
}

function entriesOf({ audit: entries }: Step, number: number): Batch["audit"] {
  const pipelineId = idOf(number);
  return entries.map(({ auditId, eventType, atMs, head }) => {
    const sequence = ++audit.sequence;
    const { hash: chained, entry } = chain(head, sequence, audit.hash);
    audit.hash = chained;
    const ownId = auditId.replace(recordedId, pipelineId);
    return {
      tenantId,
      sequence,
      auditId: ownId,
      pipelineId,
      eventType,
      atMs: atMs + number,
      hash: chained,
      entry,
    };
  });
}

function eventsOf({ events }: Step, numbers: readonly number[]): Batch["events"] {
  const rows: Batch["events"][number][] = [];
  for (let start = 0; start < numbers.length; start += perEvents) {
    const several = numbers.slice(start, start + perEvents);
    const bytes = Buffer.concat(several.flatMap(() => events.map((row) => row.bytes)));
    const firstSequence = lastEvent + 1n;
    lastEvent += BigInt(several.length * events.reduce((sum, row) => sum + row.count, 0));
    if (lastEvent >= firstSequence) {
      rows.push({ tenantId, firstSequence, lastSequence: lastEvent, atMs: several[0] ?? 0, events: bytes });
    }
  }
  return rows;
}

/** An entry without its place in the chain, which is in the last three fields. */
function headOf(entry: Uint8Array): Uint8Array {
  const message = fromBinary(AuditEntrySchema, entry);
  message.sequence = 0n;
  delete message.previousHash;
  delete message.entryHash;
  return toBinary(AuditEntrySchema, message);
}

/** Puts an entry into the chain: fields 23, 24 and 25. */
function chain(head: Uint8Array, sequence: bigint, previous: Uint8Array) {
  const place = toBinary(
    AuditEntrySchema,
    create(AuditEntrySchema, { sequence, ...(previous.length > 0 && { previousHash: previous }) }),
  );
  const chained = new Uint8Array(hash("sha256", Buffer.concat([prefix, head, place]), "buffer"));
  const entry = Buffer.concat([head, place, Uint8Array.of(0xca, 0x01, chained.length), chained]);
  return { hash: chained, entry };
}

/** One, unless the disk would be more than four fifths full. */
function shareThatFits(): number {
  mkdirSync(directory, { recursive: true });
  const { bavail, bsize } = statfsSync(directory);
  const room = bavail * bsize * 0.8;
  const bytes = batches.reduce((sum, batch) => sum + sizeOf(batch), 0);
  const share = (room / total - overheadBytes) / bytes;
  return Math.max(0, Math.min(1, share));
}

function sizeOf({ transitions, audit: entries, events }: Batch): number {
  const sizes = [
    ...transitions.flatMap(({ records, contents, row }) => [
      records.text.length,
      row.view?.length ?? 0,
      ...contents.map(({ bytes }) => bytes.length),
    ]),
    ...entries.map(({ entry }) => entry.length),
    ...events.map(({ events: bytes }) => bytes.length),
  ];
  return sizes.reduce((sum, size) => sum + size, 0);
}

function cut<Value extends string | Uint8Array>(value: Value): Value;
function cut(value: string | Uint8Array): string | Uint8Array {
  return value.slice(0, Math.ceil(value.length * share));
}

/** As scattered as the ids of a hub, and as long. */
function idOf(number: number): string {
  return `p-${hash("sha256", String(number)).slice(0, recordedId.length - 2)}`;
}
