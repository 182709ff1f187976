import { encodeBinary, PipelineSchema } from "@baton/contract";
import {
  type Command,
  hasEnded,
  type Move as Moved,
  type PipelineRecord,
  type PipelineState,
  type Redactor,
  spanIdOf,
} from "@baton/kernel";
import type { LooseEvent } from "../events/stored-events.ts";
import type { Filter } from "../filter/filter.ts";
import { writeCommand, writeRecords } from "../journal/codec.ts";
import { ContentKeeper } from "../journal/contents.ts";
import type {
  AuditRow,
  Batch,
  CallRow,
  EscalationRow,
  EventRow,
  FleetRow,
  HeldRow,
  PipelineRow,
  StoredCommand,
  StoredTimer,
  TaskRow,
  Transition,
  TurnRow,
} from "../ports/store.ts";
import { escalationRow } from "../views/escalation-view.ts";
import { foundBy } from "../views/found-by.ts";
import { pipelineView } from "../views/pipeline-view.ts";
import type { Books } from "./books.ts";
import type { EventWork } from "./work.ts";

/** Gathers what is stored together. */
export class BatchBuilder {
  readonly #books: Books;
  readonly #listing: Redactor;
  readonly #drafts = new Map<string, TransitionDraft>();
  readonly #fleet: FleetRow[] = [];
  readonly #audit: AuditRow[] = [];
  readonly #events = new Map<string, LooseEvent[]>();
  /** By pipeline and timer. */
  readonly #rung = new Map<string, StoredTimer>();
  readonly #carriedOut: number[] = [];
  readonly #turns: TurnRow[] = [];
  readonly #callsBegun: CallRow[] = [];
  readonly #callsEnded: Pick<CallRow, "dispatchId" | "callId">[] = [];
  readonly #held: HeldRow[] = [];
  /** Timers that are set and cleared with it, in order. */
  readonly timerChanges: TimerChange[] = [];

  constructor(books: Books, filter: Filter) {
    this.#books = books;
    this.#listing = filter.at("listing");
  }

  moved(pipelineId: string, move: Move): void {
    const draft =
      this.#drafts.get(pipelineId) ?? new TransitionDraft(move.before?.version ?? 0, this.#listing);
    this.#drafts.set(pipelineId, draft);
    draft.take(move);
  }

  /** What was decided is written at once: when the store is free for the next batch, it need not wait for that. */
  write(pipelineId: string): void {
    this.#drafts.get(pipelineId)?.write(pipelineId);
  }

  /** Keeps the command with the pipeline's records, to be carried out again if the hub stops before it is known to be. */
  command(pipelineId: string, id: number, command: Command): void {
    const draft = this.#drafts.get(pipelineId);
    // Carried out and not stored, it would be gone with the hub.
    if (!draft) throw new Error(`"${command.type}" was decided without a record of it`);
    draft.commands.push({ id, command });
  }

  setTimer(timer: StoredTimer): void {
    const draft = this.#drafts.get(timer.pipelineId);
    draft?.cleared.delete(timer.timerId);
    draft?.timers.set(timer.timerId, timer);
    // One that rang too early stays as it is stored.
    this.#rung.delete(`${timer.pipelineId} ${timer.timerId}`);
    this.timerChanges.push({ kind: "set", timer });
  }

  clearTimer(pipelineId: string, timerId: string): void {
    const draft = this.#drafts.get(pipelineId);
    draft?.timers.delete(timerId);
    draft?.cleared.add(timerId);
    this.timerChanges.push({ kind: "clear", pipelineId, timerId });
  }

  fleet(rows: readonly FleetRow[]): void {
    this.#fleet.push(...rows);
  }

  audit(rows: readonly AuditRow[]): void {
    this.#audit.push(...rows);
  }

  events(tenantId: string, events: readonly LooseEvent[]): void {
    if (events.length === 0) return;
    const known = this.#events.get(tenantId);
    if (known) known.push(...events);
    else this.#events.set(tenantId, [...events]);
  }

  /** What an agent told. */
  told({ tenantId, events, joined, turn, callsBegun, callsEnded, held, ...about }: EventWork): void {
    const { pipelineId, stageId, dispatchId } = about;
    this.events(
      tenantId,
      events.map((event) => {
        const parts = joined?.get(event.eventId);
        return { pipelineId, stageId, dispatchId, event, ...(parts && { joined: parts }) };
      }),
    );
    if (turn) this.#turns.push(turn);
    if (callsBegun) this.#callsBegun.push(...callsBegun);
    for (const callId of callsEnded ?? []) this.#callsEnded.push({ dispatchId, callId });
    if (held !== undefined) this.#held.push({ tenantId, pipelineId, dispatchId, text: held });
  }

  rung(timer: StoredTimer): void {
    this.#rung.set(`${timer.pipelineId} ${timer.timerId}`, timer);
  }

  carriedOut(commandId: number): void {
    this.#carriedOut.push(commandId);
  }

  build(nowMs: number): Batch {
    const events: EventRow[] = [];
    for (const [tenantId, loose] of this.#events) {
      const row = this.#books.number(tenantId, loose, nowMs);
      if (row) events.push(row);
    }
    return {
      transitions: Array.from(this.#drafts.values(), ({ written }) => written),
      fleet: this.#fleet,
      audit: this.#audit,
      events,
      carriedOut: this.#carriedOut,
      rung: [...this.#rung.values()],
      turns: this.#turns,
      callsBegun: this.#callsBegun,
      callsEnded: this.#callsEnded,
      held: this.#held,
    };
  }
}

export function isEmpty(batch: Batch): boolean {
  return (
    batch.transitions.length === 0 &&
    batch.fleet.length === 0 &&
    batch.audit.length === 0 &&
    batch.events.length === 0 &&
    batch.carriedOut.length === 0 &&
    batch.rung.length === 0 &&
    batch.turns.length === 0 &&
    batch.callsBegun.length === 0 &&
    batch.callsEnded.length === 0 &&
    batch.held.length === 0
  );
}

export type TimerChange =
  | { readonly kind: "set"; readonly timer: StoredTimer }
  | { readonly kind: "clear"; readonly pipelineId: string; readonly timerId: string };

/** What was decided about a pipeline at once. */
export interface Move {
  readonly before: PipelineState | undefined;
  readonly records: readonly PipelineRecord[];
  readonly after: PipelineState;
  readonly moves: readonly Moved[];
}

class TransitionDraft {
  readonly commands: { readonly id: number; readonly command: Command }[] = [];
  readonly timers = new Map<string, StoredTimer>();
  readonly cleared = new Set<string>();
  readonly #expectedVersion: number;
  readonly #listing: Redactor;
  readonly #records: PipelineRecord[] = [];
  readonly #escalations = new Map<string, EscalationRow>();
  /** By the number of the stage: where it is in the end. */
  #tasks: Map<number, Omit<TaskRow, "stageId">> | undefined;
  #state: PipelineState | undefined;
  #written: Transition | undefined;

  constructor(expectedVersion: number, listing: Redactor) {
    this.#expectedVersion = expectedVersion;
    this.#listing = listing;
  }

  take({ before, records, after, moves }: Move): void {
    this.#records.push(...records);
    this.#state = after;
    for (const { stage, to, commit } of moves) {
      if (stage === undefined) continue;
      this.#tasks ??= new Map();
      this.#tasks.set(stage, { state: to, headHash: commit ?? this.#tasks.get(stage)?.headHash });
    }
    for (const record of records) {
      if (record.type === "escalated") {
        const { escalationId: id, kind, stage, dispatchId, snapshot, atMs: raisedAtMs } = record;
        this.#escalations.set(
          id,
          escalationRow(this.#listing, after, { id, kind, stage, dispatchId, snapshot, raisedAtMs }),
        );
      }
      if (record.type === "resolved") this.#resolve(record.escalationId, before, records, record);
    }
  }

  #resolve(
    id: string,
    before: PipelineState | undefined,
    records: readonly PipelineRecord[],
    answer: { readonly resolution: string; readonly by: string; readonly atMs: number },
  ): void {
    const raised = records.find((record) => record.type === "escalated" && record.escalationId === id);
    const open =
      raised?.type === "escalated" ? { ...raised, id, raisedAtMs: raised.atMs } : before?.escalations.get(id);
    if (open && this.#state)
      this.#escalations.set(id, escalationRow(this.#listing, this.#state, open, answer));
  }

  get written(): Transition {
    if (!this.#written) throw new Error("a transition is written when it is decided");
    return this.#written;
  }

  /** As it is by now; a pipeline that moves again before all is stored is written again. */
  write(pipelineId: string): void {
    if (!this.#state) throw new Error("a transition leads somewhere");
    const keeper = new ContentKeeper();
    const text = writeRecords(this.#records, keeper);
    const commands = this.commands.map(
      ({ id, command }): StoredCommand => ({ id, pipelineId, text: writeCommand(command, keeper) }),
    );
    this.#written = {
      pipelineId,
      expectedVersion: this.#expectedVersion,
      records: { text, count: this.#records.length },
      contents: keeper.contents,
      row: pipelineRow(this.#state, this.#listing),
      commands,
      timersSet: [...this.timers.values()],
      timersCleared: [...this.cleared],
      escalations: [...this.#escalations.values()],
      tasks: this.#tasks ? taskRows(this.#state, this.#tasks, this.#listing) : [],
    };
  }
}

function taskRows(
  { plan }: PipelineState,
  tasks: ReadonlyMap<number, Omit<TaskRow, "stageId">>,
  listing: Redactor,
): readonly TaskRow[] {
  const rows: TaskRow[] = [];
  for (const [stage, { state, headHash }] of tasks) {
    rows.push({ stageId: shownStage(plan.stages[stage]?.id ?? "", listing), state, headHash });
  }
  return rows;
}

/** Stages are told apart by their ids, so one that looks like a secret is named by a digest, as in the names of branches. */
function shownStage(stageId: string, listing: Redactor): string {
  return listing.redactText(stageId).text === stageId ? stageId : `x.${spanIdOf(stageId)}`;
}

/** What lists show has no secrets in it, from the moment it is stored. */
function pipelineRow(state: PipelineState, listing: Redactor): PipelineRow {
  const ended = hasEnded(state);
  return {
    pipelineId: state.id,
    tenantId: state.tenantId,
    status: state.life.status,
    ended,
    templateId: state.templateId,
    pipelineName: listing.redactText(state.name).text.slice(0, longestName),
    ...foundBy(state, listing),
    createdAtMs: state.createdAtMs,
    updatedAtMs: state.updatedAtMs,
    view: ended ? listedView(state, listing) : undefined,
  };
}

function listedView(state: PipelineState, listing: Redactor): Uint8Array {
  const view = pipelineView(state, { withResults: false });
  return encodeBinary(PipelineSchema, listing.redactMessage(PipelineSchema, view).message);
}

/** A name for people may be of any length; lists are filtered and ordered by its beginning. */
const longestName = 1_024;
