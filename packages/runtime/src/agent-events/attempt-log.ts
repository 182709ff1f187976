import { type Event, EventSchema, ToolStatus, type TurnEnvelope, type UsedTool } from "@baton/contract";
import { RedactionFailure, type Redactor } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Engine } from "../engine/engine.ts";
import type { EventRequest } from "../engine/input.ts";
import { splitEvent } from "../events/split-event.ts";
import type { Clock } from "../ports/clock.ts";
import { HubError } from "../ports/hub-error.ts";
import type { CallRow, Store } from "../ports/store.ts";
import { stageOf } from "../ports/stored-command.ts";
import { EventBatch } from "./event-batch.ts";
import { maskEvent, maskPieces, maskWholeEvent, refuseLongName, refuseUnmasked } from "./mask-events.ts";
import { ReportStream, type StreamState } from "./report-stream.ts";
import type { StoredReports } from "./stored-reports.ts";
import { type KeptTurn, TurnLog, turnRow } from "./turn-log.ts";

/** Calls of one attempt that have not ended; more are refused. */
export const maxOpenCalls = 1_000;

export interface Attempt {
  readonly tenantId: string;
  readonly pipelineId: string;
  readonly dispatchId: string;
}

export interface AttemptLogParts {
  readonly engine: Engine;
  readonly store: Pick<Store, "hasTurn" | "turns" | "events">;
  readonly redactor: Redactor;
  readonly uuid: () => string;
  readonly after: Clock["after"];
}

/**
 * From its hello or its call on, an agent reports within one session: what it repeats there is known by its number. What it
 * reported in an earlier session may come again.
 */
export type ReportSession = object;

type Extra = Pick<EventRequest, "joined" | "turn" | "callsBegun" | "callsEnded">;

/**
 * Takes the reports of one attempt: stores events without secrets (TUR-03), and turns as they were reported. The store has one
 * row of what is reported and not published (`tail.ts`), written in the transaction of what is published.
 */
export class AttemptLog {
  readonly attempt: Attempt;
  readonly #parts: AttemptLogParts;
  /** In which state the stream begins; undefined until it is known. */
  initial: StreamState | undefined;
  #lazyStream: ReportStream | undefined;
  #batch: EventBatch | undefined;
  #turns: TurnLog | undefined;
  readonly #calls = new Map<string, CallRow>();
  /** The row that the store has or is about to have. */
  #storedTail = "";
  /** What is stored of it, when its agent may repeat that, and for which session it was looked up. */
  #stored: StoredReports | undefined;
  lookedUpIn: ReportSession | undefined;
  /** Whether its agent has come back and may repeat what it reported. */
  mayRepeat = false;
  /** When it ended, in the count of sessions and ends. */
  endedAt = 0;
  /** Turns and tools of this process, for the limit of the attempt. */
  steps = 0;
  /** Calls of an agent that restrains itself, until they end. */
  readonly asked = new Map<string, UsedTool>();

  constructor(parts: AttemptLogParts, { tenantId, pipelineId, dispatchId }: Attempt) {
    this.#parts = parts;
    this.attempt = { tenantId, pipelineId, dispatchId };
  }

  /** Whether little is left to remember. */
  get isSmall(): boolean {
    return !this.#stored && (this.#lazyStream?.isEmpty ?? true);
  }

  /** What an earlier process left open. */
  recall(tail: string): void {
    this.#storedTail = tail;
    this.#lazyStream = new ReportStream(this.#parts.redactor, "live", tail);
  }

  recallCall(call: CallRow): void {
    if (!this.#calls.has(call.callId)) this.#calls.set(call.callId, call);
  }

  setStored(stored: StoredReports, session: ReportSession): void {
    [this.#stored, this.lookedUpIn, this.mayRepeat] = [stored, session, true];
    if (stored.turns.last >= 0) this.#stream.recall(stored.turns);
  }

  /**
   * Resolves when it is durable: true when this process receives it for the first time. Rejects with `HubError` when it is
   * refused.
   */
  async event(event: Event): Promise<boolean> {
    const { payload } = event;
    if (payload.case === "thoughtStream" || payload.case === "sandboxPulse") {
      await this.#piece(event);
      return true;
    }
    const met = this.#stored?.receive(event.eventId) ?? "new";
    if (met !== "new") return met === "stored";
    if (payload.case === "taskTransition") throw notYours();
    const extra: { callsBegun?: readonly CallRow[]; callsEnded?: readonly string[] } = {};
    if (payload.case === "toolInvoked") {
      const { callId, tool } = payload.value;
      if (this.#calls.has(callId)) return false; // Retransmitted over another connection.
      if (this.#calls.size >= maxOpenCalls) throw tooManyCalls();
      extra.callsBegun = [{ ...this.attempt, callId, tool, atMs: this.#parts.engine.nowMs }];
    }
    if (payload.case === "toolCompleted") {
      const { callId } = payload.value;
      if (!this.#calls.has(callId)) throw noSuchCall(callId);
      extra.callsEnded = [callId];
    }
    const masked = maskWholeEvent(this.#parts.redactor, event);
    for (const call of extra.callsBegun ?? []) this.#calls.set(call.callId, call);
    for (const callId of extra.callsEnded ?? []) this.#calls.delete(callId);
    await this.#store([masked], extra);
    return true;
  }

  /** Resolves when it has its position. It is durable before it is published (TUR-02). */
  turn(packId: string, turn: TurnEnvelope): Promise<KeptTurn> {
    const row = turnRow(turn, { ...this.attempt, packId, atMs: this.#parts.engine.nowMs });
    this.#turns ??= new TurnLog(this.#parts);
    return this.#turns.keep(row, () => {
      const { eventId, events } = this.#publishTurn(turn);
      return () => this.#store(events, { turn: { ...row, eventId } });
    });
  }

  /**
   * The result has come: the tail is published, and calls that did not return have timed out (TUR-05). Undefined when there
   * is nothing of the kind, as for most attempts.
   */
  end(): Promise<void> | undefined {
    const events = this.#maskPieces(() => this.#lazyStream?.end() ?? []);
    if (events.length > 0 || this.#isOpen) return this.#store(events, this.#endCalls());
    return undefined;
  }

  /** The attempt is over, however it ended. */
  over(endedAt: number): void {
    this.endedAt = endedAt;
    if (this.initial !== "cut") this.initial = "over";
    this.#lazyStream?.over();
    if (!this.#isOpen) return;
    // When the hub closes first, the next process finds the calls where they are stored.
    this.#store([], this.#endCalls()).catch(() => {});
    this.#batch?.close();
  }

  get #stream(): ReportStream {
    this.#lazyStream ??= new ReportStream(this.#parts.redactor, this.initial);
    return this.#lazyStream;
  }

  /** Whether something of it has to be stored at its end. */
  get #isOpen(): boolean {
    return this.#calls.size > 0 || this.#batch?.isOpen === true || this.#storedTail !== "";
  }

  async #piece(event: Event): Promise<void> {
    const { eventId } = event;
    // What a stored piece did not publish is in the tail already: it is not read twice.
    if (this.#stored?.has(eventId)) return;
    if (this.#stored && refuseUnmasked(() => this.#stream.wasSilent(eventId))) return;
    refuseLongName(event);
    const events = this.#unstored(this.#maskPieces(() => this.#stream.take(event)));
    if (events.length === 0 && this.#newTail === undefined) return;
    this.#batch ??= new EventBatch(this.#parts.after, (all, joined) => this.#publish(all, { joined }));
    await this.#batch.add(events);
  }

  /** A turn that cannot be redacted is stored all the same, and redacted when it is read. */
  #publishTurn(turn: TurnEnvelope) {
    const { redactor } = this.#parts;
    const { tenantId, dispatchId, pipelineId } = this.attempt;
    try {
      const { eventId, events } = this.#stream.turn(`${tenantId}\n${dispatchId}`, pipelineId, turn);
      return { eventId, events: events.map((event) => maskEvent(redactor, event)) };
    } catch (error) {
      if (!(error instanceof RedactionFailure)) throw error;
      return { eventId: "", events: [] };
    }
  }

  #endCalls() {
    const left = [...this.#calls.values()];
    this.#calls.clear();
    const { engine, uuid } = this.#parts;
    return {
      left: left.map((call) => timedOut(call, engine.nowMs, uuid())),
      callsEnded: left.map(({ callId }) => callId),
    };
  }

  /** In one transaction, behind the pieces that wait. */
  async #store(
    events: readonly Event[],
    { left = [], ...extra }: Extra & { left?: readonly Event[] },
  ): Promise<void> {
    const waiting = this.#batch?.take();
    const ends = this.#maskPieces(() => left);
    const all = [...(waiting?.events ?? []), ...this.#unstored(events), ...ends];
    const storing = this.#publish(all, { ...extra, joined: waiting?.joined });
    waiting?.settle(storing);
    await storing;
  }

  /** With the tail: published events and tail are together all that was reported. */
  async #publish(events: readonly Event[], extra: Extra): Promise<void> {
    const held = this.#newTail;
    if (events.length === 0 && !extra.turn && held === undefined) return;
    if (held !== undefined) this.#storedTail = held;
    const stageId = stageOf(this.attempt.dispatchId);
    const published = events.flatMap(splitEvent);
    await this.#parts.engine.publish({ ...this.attempt, stageId, events: published, ...extra, held });
  }

  /** Undefined when the store has it so. */
  get #newTail(): string | undefined {
    const tail = this.#lazyStream?.tail ?? "";
    return tail === this.#storedTail ? undefined : tail;
  }

  #unstored(events: readonly Event[]): readonly Event[] {
    return events.filter(({ eventId }) => !this.#stored?.has(eventId));
  }

  #maskPieces(take: () => readonly Event[]): readonly Event[] {
    return refuseUnmasked(() => maskPieces(this.#parts.redactor, take()));
  }
}

/** A tool that never returned has timed out. */
function timedOut({ callId, tool, atMs, pipelineId }: CallRow, nowMs: number, eventId: string): Event {
  const durationMs = Math.max(0, nowMs - atMs);
  const timestamp = timestampFromMs(nowMs);
  const value = { callId, tool, status: ToolStatus.TIMEOUT, durationMs, timestamp };
  return create(EventSchema, { eventId, sessionId: pipelineId, payload: { case: "toolCompleted", value } });
}

/** The hub decides where a task is; watchers go by it. */
function notYours(): HubError {
  return new HubError("denied", "BATON-AGENT-006", "TASK_TRANSITION is published by the hub alone", {
    fix: "report thoughts, tool calls and output; the hub publishes the state of the task",
  });
}

function noSuchCall(callId: string): HubError {
  return new HubError("precondition", "BATON-AGENT-004", `no call "${callId}" of this attempt is open`, {
    fix: "report TOOL_LIFECYCLE_INVOKED with the same call_id first, and its end once",
  });
}

function tooManyCalls(): HubError {
  return new HubError("exhausted", "BATON-AGENT-005", `${maxOpenCalls} calls of this attempt are open`, {
    fix: "report TOOL_LIFECYCLE_COMPLETED when a tool returns",
  });
}
