import { type Event, EventRecordSchema, EventSchema, type TurnEnvelope } from "@baton/contract";
import { RedactionFailure, type Redactor } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import type { Driver } from "../driver/driver.ts";
import { stageOf } from "../driver/order.ts";
import type { EventWork } from "../driver/work.ts";
import { inPieces } from "../events/in-pieces.ts";
import { bytesTooLarge, shownLimits, tooLargeCode } from "../events/shown-size.ts";
import type { Filter } from "../filter/filter.ts";
import { HubError } from "../hub/hub-error.ts";
import type { Clock } from "../ports/clock.ts";
import type { CallRow, HeldRow, Store } from "../ports/store.ts";
import type { Address } from "./address.ts";
import { EarlierTellings, type Wanted } from "./earlier-tellings.ts";
import { GatheredEvents } from "./gathered-events.ts";
import { turnRow } from "./keep-turn.ts";
import { mostOpenCalls, OpenCalls, timedOut } from "./open-calls.ts";
import { Repeaters, type SaidIn } from "./repeaters.ts";
import { ToldStreams } from "./told-streams.ts";

export interface TellingsParts {
  readonly driver: Driver;
  readonly store: Pick<Store, "hasTurn" | "events">;
  readonly filter: Filter;
  readonly uuid: () => string;
  readonly after: Clock["after"];
  readonly soon: Clock["soon"];
}

/** The attempt that something is told of, and who tells it. */
export interface Telling extends Pick<Address, "tenantId" | "packId"> {
  readonly pipelineId: string;
  readonly dispatchId: string;
  /** Whether the attempt is over already. */
  readonly isOver?: boolean;
}

/** A turn that has its place in what is told. */
export interface KeptTurn {
  readonly isNew: boolean;
  /** Resolves when it is durable. */
  readonly stored: Promise<void>;
}

type Extra = Pick<EventWork, "joined" | "turn" | "callsBegun" | "callsEnded">;

/**
 * What agents tell of their work, on its way into the store and to those who watch. Everybody may see it, so it is stored
 * without secrets (TUR-03); a turn is kept as it was said, and shown without secrets (GetTurns).
 */
export class Tellings {
  readonly #parts: TellingsParts;
  readonly #events: Redactor;
  readonly #streams: ToldStreams;
  readonly #gathered: GatheredEvents;
  readonly #calls = new OpenCalls();
  readonly #repeaters: Repeaters;
  /** Turns that are on their way to the store, by attempt and index. */
  readonly #keeping = new Map<string, Promise<void>>();
  /** By attempt: what the store has of what is held back, or is about to have. */
  readonly #heldStored = new Map<string, string>();

  constructor(parts: TellingsParts) {
    this.#parts = parts;
    this.#events = parts.filter.at("event");
    this.#streams = new ToldStreams(this.#events);
    this.#gathered = new GatheredEvents(parts.after);
    const { store, driver, soon } = parts;
    const lastEvent = (tenantId: string) => driver.lastEvent(tenantId);
    this.#repeaters = new Repeaters(new EarlierTellings({ store, lastEvent, soon, beganMs: driver.nowMs }));
  }

  /** An agent begins to speak, and may say again what it said before. */
  begin(saidIn: SaidIn): void {
    this.#repeaters.begin(saidIn);
  }

  /** The agent has come back with the attempt: it may say again what is stored. */
  mayRepeat(telling: Pick<Telling, "tenantId" | "dispatchId">, isUnderWay: boolean): void {
    this.#repeaters.add(attemptOf(telling), isUnderWay);
  }

  /** Whether it has to be looked up what is stored of the attempt, before anything more is taken of it. */
  isRepeater(telling: Omit<Telling, "packId">, saidIn: SaidIn): boolean {
    return this.#repeaters.isUnknown(attemptOf(telling), saidIn, telling.isOver === true);
  }

  async recallTold(wanted: Wanted, saidIn: SaidIn): Promise<void> {
    const attempt = attemptOf(wanted);
    // A store that is away cannot say. Said twice is better than not at all.
    const earlier = await this.#repeaters.find(attempt, saidIn, wanted).catch(() => undefined);
    if (earlier) this.#streams.recall(attempt, earlier);
  }

  /**
   * Whether this life of the hub hears it for the first time; resolves when it is durable. What fails to be redacted is
   * refused.
   */
  async event(telling: Telling, event: Event): Promise<boolean> {
    const { dispatchId } = telling;
    const { payload } = event;
    if (payload.case === "thoughtStream" || payload.case === "sandboxPulse") {
      await this.#piece(telling, event);
      return true;
    }
    const met = this.#repeaters.known(attemptOf(telling))?.meet(event.eventId) ?? "new";
    if (met !== "new") return met === "stored";
    switch (payload.case) {
      case "toolInvoked": {
        const { callId, tool } = payload.value;
        if (this.#calls.has(dispatchId, callId)) return false; // Told again, over another connection.
        if (this.#calls.isFull(dispatchId)) throw tooManyCalls();
        const events = [this.#showable(event)];
        const call = { ...addressOf(telling), callId, tool, atMs: this.#parts.driver.nowMs };
        this.#calls.begin(call);
        await this.#store(telling, events, { callsBegun: [call] });
        return true;
      }
      case "toolCompleted": {
        const { callId } = payload.value;
        if (!this.#calls.has(dispatchId, callId)) throw noSuchCall(callId);
        const events = [this.#showable(event)];
        this.#calls.end(dispatchId, callId);
        await this.#store(telling, events, { callsEnded: [callId] });
        return true;
      }
      case "taskTransition":
        throw notYoursToTell();
      default:
        await this.#store(telling, [this.#showable(event)]);
        return true;
    }
  }

  /** Of one that is stored, what was not told yet is held back already: it is not read twice. */
  async #piece(telling: Telling, event: Event): Promise<void> {
    const attempt = attemptOf(telling);
    if (this.#isTold(attempt, event)) return;
    refuseLongName(event);
    const events = this.#unstored(
      attempt,
      this.#clean(() => this.#streams.take(attempt, event, telling.isOver)),
    );
    if (events.length === 0 && this.#newlyHeld(attempt) === undefined) return;
    await this.#gathered.add(attempt, events, (all, joined) => this.#publish(telling, all, { joined }));
  }

  #isTold(attempt: string, { eventId }: Event): boolean {
    const earlier = this.#repeaters.known(attempt);
    if (!earlier) return false;
    return earlier.has(eventId) || this.#refuse(() => this.#streams.wasSilent(attempt, eventId));
  }

  #unstored(attempt: string, events: readonly Event[]): readonly Event[] {
    const earlier = this.#repeaters.known(attempt);
    return earlier ? events.filter(({ eventId }) => !earlier.has(eventId)) : events;
  }

  /**
   * Resolves when it has its place. It is durable before anybody is told of it (TUR-02). One that was kept before, by an
   * earlier life of the hub or from a connection that was lost, is not told again.
   */
  async turn(telling: Telling, turn: TurnEnvelope): Promise<KeptTurn> {
    const { store, driver } = this.#parts;
    const { dispatchId, packId } = telling;
    const key = `${dispatchId}\n${turn.turnIndex}`;
    const keeping = this.#keeping.get(key);
    if (keeping) return { isNew: false, stored: keeping };
    // Before anything is waited for: when the attempt ends meanwhile, it is forgotten what was told of it.
    const { eventId, events } = this.#passOn(telling, turn);
    // A store that is away cannot say: what is given to it meanwhile waits, and it keeps a turn once.
    if (await store.hasTurn(dispatchId, turn.turnIndex).catch(() => false)) {
      return { isNew: false, stored: Promise.resolve() };
    }
    const place = { ...addressOf(telling), packId, atMs: driver.nowMs };
    const row = turnRow(turn, place, eventId);
    const stored = this.#store(telling, events, { turn: row }).finally(() => this.#keeping.delete(key));
    this.#keeping.set(key, stored);
    return { isNew: true, stored };
  }

  /**
   * The agent has nothing more to tell: what was held back is told, and what never returned has timed out (TUR-05). Undefined
   * when there is nothing of the kind, as of most attempts.
   */
  end(telling: Telling): Promise<void> | undefined {
    const attempt = attemptOf(telling);
    const held = this.#streams.isOpen(attempt) ? this.#clean(() => this.#streams.end(attempt)) : [];
    if (held.length === 0 && this.#isQuiet(telling)) return undefined;
    return this.#store(telling, held, this.#endCalls(telling.dispatchId));
  }

  /** The attempt is over, however it ended. What was held back is not told: it may be a part of a secret. */
  forget(telling: Omit<Telling, "packId">): void {
    const attempt = attemptOf(telling);
    this.#streams.forget(attempt);
    this.#repeaters.end(attempt);
    // Most attempts end like this, so it costs next to nothing.
    if (this.#isQuiet(telling)) return;
    // When the hub closes first, the next one finds the calls where they are stored.
    this.#store(telling, [], this.#endCalls(telling.dispatchId)).catch(() => {});
    this.#gathered.forget(attempt);
  }

  /** Calls that an earlier life of the hub heard begin. Those of attempts that are over have timed out. */
  recall(calls: readonly CallRow[], isUnderWay: (call: CallRow) => boolean): void {
    for (const call of calls) if (!this.#calls.has(call.dispatchId, call.callId)) this.#calls.begin(call);
    for (const [, [call]] of Map.groupBy(calls, ({ dispatchId }) => dispatchId)) {
      if (call && !isUnderWay(call)) this.forget(call);
    }
  }

  /** What an earlier life of the hub held back. That of attempts that are over is not told. */
  recallHeld(rows: readonly HeldRow[], isUnderWay: (row: HeldRow) => boolean): void {
    for (const row of rows) {
      this.#heldStored.set(attemptOf(row), row.text);
      this.#streams.leave(attemptOf(row), row.text);
      if (!isUnderWay(row)) this.forget(row);
    }
  }

  /** Whether nothing of an attempt has to be stored at its end. */
  #isQuiet(telling: Omit<Telling, "packId">): boolean {
    const attempt = attemptOf(telling);
    const hasCalls = this.#calls.hasAny(telling.dispatchId);
    return !hasCalls && !this.#gathered.isOpen(attempt) && !this.#heldStored.has(attempt);
  }

  #endCalls(dispatchId: string): Extra & { readonly left: readonly CallRow[] } {
    const left = this.#calls.takeAll(dispatchId);
    return { left, callsEnded: left.map(({ callId }) => callId) };
  }

  /** In one transaction, behind what still waits of the attempt. */
  async #store(
    telling: Omit<Telling, "packId">,
    events: readonly Event[],
    { left = [], ...extra }: Extra & { readonly left?: readonly CallRow[] } = {},
  ): Promise<void> {
    const { driver, uuid } = this.#parts;
    const attempt = attemptOf(telling);
    const waiting = this.#gathered.take(attempt);
    const ends = left.map((call) => timedOut(call, driver.nowMs, uuid()));
    const all = [...waiting.events, ...this.#unstored(attempt, events), ...this.#clean(() => ends)];
    const storing = this.#publish(telling, all, { ...extra, joined: waiting.joined });
    waiting.follow(storing);
    await storing;
  }

  /** What is held back goes with it: what was told and what was not are together all that was said. */
  async #publish(
    telling: Omit<Telling, "packId">,
    events: readonly Event[],
    extra: Extra = {},
  ): Promise<void> {
    const attempt = attemptOf(telling);
    const held = this.#newlyHeld(attempt);
    if (events.length === 0 && !extra.turn && held === undefined) return;
    if (held) this.#heldStored.set(attempt, held);
    else if (held === "") this.#heldStored.delete(attempt);
    const stageId = stageOf(telling.dispatchId);
    const told = events.flatMap(inPieces);
    await this.#parts.driver.publish({ ...addressOf(telling), stageId, events: told, ...extra, held });
  }

  /** What is held back of an attempt; undefined when the store has it so. */
  #newlyHeld(attempt: string): string | undefined {
    const held = this.#streams.held(attempt);
    return held === (this.#heldStored.get(attempt) ?? "") ? undefined : held;
  }

  /** What cannot be redacted is not shown; the turn is kept all the same, and redacted when it is asked for. */
  #passOn(telling: Telling, turn: TurnEnvelope) {
    try {
      const { eventId, events } = this.#streams.turn(attemptOf(telling), telling.pipelineId, turn);
      return { eventId, events: events.map((event) => this.#redact(event)) };
    } catch (error) {
      if (!(error instanceof RedactionFailure)) throw error;
      return { eventId: "", events: [] };
    }
  }

  /** What streams tell is masked already; each piece is small enough to be looked through once more. */
  #clean(tell: () => readonly Event[]): readonly Event[] {
    return this.#refuse(() =>
      tell()
        .flatMap(inPieces)
        .map((event) => this.#redact(event)),
    );
  }

  /** What nobody could be shown is not taken. Thoughts and lines are told in pieces instead. */
  #showable(event: Event): Event {
    const masked = this.#refuse(() => this.#redact(event));
    const bytes = bytesTooLarge(EventSchema, masked);
    if (bytes === undefined) return masked;
    throw tooLargeToShow(bytes);
  }

  /** What cannot be redacted is not taken. */
  #refuse<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof RedactionFailure)) throw error;
      throw new HubError("internal", error.code, `it is not taken: ${error.message}`, {
        fix: "send less at once; if that is not it, ask whoever runs the hub to look into its log",
      });
    }
  }

  /** As it will be shown, with a record around it, so that what is not too deep now is not too deep then. */
  #redact(event: Event): Event {
    const { message } = this.#events.redactMessage(EventRecordSchema, { ...record, event });
    if (!message.event) throw new RedactionFailure("BATON-REDACTION-101");
    return message.event;
  }
}

function attemptOf({ tenantId, dispatchId }: Pick<Telling, "tenantId" | "dispatchId">): string {
  return `${tenantId}\n${dispatchId}`;
}

function addressOf({ tenantId, pipelineId, dispatchId }: Omit<Telling, "packId">) {
  return { tenantId, pipelineId, dispatchId };
}

const record = create(EventRecordSchema);

/** Of a check that a line belongs to. */
const longestName = 4_096;

function tooLargeToShow(bytes: number): HubError {
  const text = `the event has ${bytes} bytes with its secrets masked, and ${shownLimits.bytes} can be shown`;
  return new HubError("invalid", tooLargeCode, text, {
    fix: "tell less: refer to large content by its path and digest",
  });
}

/** A line is told in pieces, and the name of the check with each. */
function refuseLongName({ payload }: Event): void {
  if (payload.case !== "sandboxPulse" || payload.value.check.length <= longestName) return;
  const text = `the name of the check has ${payload.value.check.length} characters, and ${longestName} can be shown`;
  throw new HubError("invalid", tooLargeCode, text, { fix: "give the check a short name" });
}

/** Where a task is, is what the hub decides; who watches goes by it. */
function notYoursToTell(): HubError {
  return new HubError("denied", "BATON-AGENT-006", "TASK_TRANSITION is told by the hub alone", {
    fix: "tell what you think, call and print; the hub tells where the task is",
  });
}

function noSuchCall(callId: string): HubError {
  return new HubError("precondition", "BATON-AGENT-004", `no call "${callId}" of this attempt is open`, {
    fix: "tell TOOL_LIFECYCLE_INVOKED with the same call_id first, and its end once",
  });
}

function tooManyCalls(): HubError {
  return new HubError("exhausted", "BATON-AGENT-005", `${mostOpenCalls} calls of this attempt are open`, {
    fix: "tell TOOL_LIFECYCLE_COMPLETED when a tool returns",
  });
}
