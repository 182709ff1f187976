import {
  type Event,
  EventSchema,
  type SandboxPulse,
  type ThoughtStream,
  type TurnEnvelope,
} from "@baton/contract";
import type { LineMasker, RedactionStream, Redactor } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { sameId, shortId } from "../events/stored-events.ts";
import { heldUnknown } from "../ports/store.ts";
import type { Earlier } from "./earlier-tellings.ts";
import { readHeld, writeHeld } from "./held-text.ts";
import { Latest } from "./latest.ts";
import { endsInMarker, ToldTurns, type TurnTold, tailOf } from "./told-turns.ts";

/** More lines of an agent do not wait for an acknowledgement while nothing of them is told. */
const mostSilent = 128;

/** Attempts that are over and whose agents may go on: from what was held back, and where nothing was. Others are masked. */
const mostOver = 1_000;
const mostDone = 10_000;

/** What is shown of words whose beginning this life of the hub has not: they may be the second half of a secret. */
const unheard = "[redacted:unheard-beginning]";

/** What came of an attempt in pieces so far. */
interface Open {
  thought?: { readonly turn: TurnTold; readonly stream: RedactionStream; last: Event; piece: ThoughtStream };
  pulse?: { readonly masker: LineMasker; last: Event; piece: SandboxPulse };
  readonly turns: ToldTurns;
  /** Short ids of the last lines that led to no event. */
  silent: readonly string[];
  /** Whether it is known where its words stand: this life has heard them all, or has what an earlier one held back. */
  isHeard: boolean;
}

/**
 * Thoughts come in chunks and terminals in lines, and a secret may lie across two of them (TUR-06). So each is read as
 * one text: what may be the beginning of a secret is held back until the next piece, or the end, decides. Where a thought is
 * cut off, by a piece of another turn or by a result, no more comes that could decide: what may be the beginning is masked, and
 * so is the rest of it if it comes all the same.
 *
 * What is told here has the same id whenever the same is told: what is stored of it already can be known by that.
 */
export class ToldStreams {
  readonly #redactor: Redactor;
  /** By attempt. */
  readonly #open = new Map<string, Open>();
  /** By attempt: what an earlier life of the hub held back, until somebody speaks of it. */
  readonly #left = new Map<string, string>();
  /** By attempt that is over: what was held back of it. Its agent may still be in the middle of a secret. */
  readonly #over = new Latest<string, { readonly held: string; readonly lastTurn: number }>(mostOver);
  /**
   * Attempts that ended in this life when nothing was held back, with the last turn that was told of, or when their agents
   * were in the middle of a word and done.
   */
  readonly #done = new Latest<string, number | "cut off">(mostDone);

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** What is held back of an attempt, for the next life of the hub. Empty when it is nothing. */
  held(attempt: string): string {
    const left = this.#left.get(attempt);
    if (left !== undefined) return left;
    const { thought, pulse, silent = [] } = this.#open.get(attempt) ?? {};
    const thinking = thought?.stream.undecided;
    const printing = pulse?.masker.undecided;
    return writeHeld({
      thought: thought && thinking && { last: thought.last, undecided: thinking },
      pulse: pulse && printing && { last: pulse.last, undecided: printing },
      silent,
    });
  }

  /** What an earlier life of the hub held back of an attempt: it goes on from there. */
  leave(attempt: string, held: string): void {
    this.#left.set(attempt, held);
  }

  /** Whether it is a line that has come before, and led to no event. */
  wasSilent(attempt: string, eventId: string): boolean {
    return this.#openOf(attempt).silent.includes(shortId(eventId));
  }

  /** What an earlier life of the hub told of the thoughts of an attempt. */
  recall(attempt: string, earlier: Pick<Earlier, "thoughts" | "forgotten">): void {
    if (earlier.thoughts.size > 0) this.#knownOf(attempt).turns.recall(earlier);
  }

  /** What can be told by now. Of an attempt that is over, words that go on from where nobody knows are not shown. */
  take(attempt: string, event: Event, isOver = false): readonly Event[] {
    const { payload } = event;
    if (!this.#isHeard(attempt, isOver)) return [maskWhole(event)];
    if (payload.case === "thoughtStream") return this.#think(attempt, event, payload.value);
    if (payload.case === "sandboxPulse") return this.#print(attempt, event, payload.value);
    return [event];
  }

  /** How a turn is passed on: by the thoughts that were told of it, which end here, or by its thought as a whole. */
  turn(
    attempt: string,
    sessionId: string,
    turn: TurnEnvelope,
  ): { readonly eventId: string; readonly events: readonly Event[] } {
    const { turnIndex, agentId, content } = turn;
    const thought = content?.thought ?? "";
    const open = this.#openOf(attempt);
    if (open.thought?.piece.turnIndex === turnIndex) return this.#endByTurn(open, open.thought, thought);
    const told = open.turns.get(turnIndex);
    const isTold = told !== undefined && told.eventId !== "";
    if (isTold ? told.isOver : thought === "") return { eventId: told?.eventId ?? "", events: [] };
    const eventId = isTold ? sameId(told.eventId, "rest") : sameId(attempt, `${turnIndex}`, "thought");
    const chunk = isTold ? (this.#restOf(thought, told) ?? "") : thought;
    if (isTold) Object.assign(told, { eventId, isOver: true });
    else Object.assign(open.turns.use(turnIndex), { isOver: true, tail: tailOf(thought) });
    const value = { agentId, turnIndex, chunk, isFinal: true };
    return {
      eventId,
      events: [create(EventSchema, { eventId, sessionId, payload: { case: "thoughtStream", value } })],
    };
  }

  /** Whether something of it may be held back. */
  isOpen(attempt: string): boolean {
    return this.#open.has(attempt) || this.#left.has(attempt);
  }

  /** What was held back of an attempt that has nothing more to tell. */
  end(attempt: string): readonly Event[] {
    if (!this.isOpen(attempt)) return [];
    const open = this.#openOf(attempt);
    this.#open.delete(attempt);
    // What is told now stands alone: if more comes of it all the same, that must not complete it.
    const isCut = open.thought?.stream.undecided || open.pulse?.masker.undecided;
    this.#done.set(attempt, isCut ? "cut off" : open.turns.last);
    return [...this.#cutThought(open), ...this.#cutPulse(open)];
  }

  /** The attempt is over; what was held back is not told. */
  forget(attempt: string): void {
    const held = this.held(attempt);
    const done = this.#done.get(attempt);
    const lastTurn = this.#open.get(attempt)?.turns.last ?? done ?? -1;
    this.#open.delete(attempt);
    this.#left.delete(attempt);
    if (held === heldUnknown || lastTurn === "cut off") this.#done.set(attempt, "cut off");
    else if (held !== "") this.#over.set(attempt, { held, lastTurn });
    else if (done !== "cut off") this.#done.set(attempt, lastTurn);
  }

  /** Whether the next words of an attempt go on from what this life of the hub has of it. */
  #isHeard(attempt: string, isOver: boolean): boolean {
    const done = this.#done.get(attempt);
    if (done === "cut off" || this.#left.get(attempt) === heldUnknown) return false;
    if (!isOver || done !== undefined || this.#left.has(attempt) || this.#over.has(attempt)) return true;
    return this.#open.get(attempt)?.isHeard === true;
  }

  /** What is told last of a thought that its turn ends: the turn has it whole, unless the agent thought aloud in other words. */
  #endByTurn(open: Open, { turn, stream, last, piece }: NonNullable<Open["thought"]>, thought: string) {
    const eventId = sameId(last.eventId, "rest");
    delete open.thought;
    Object.assign(turn, { eventId, isOver: true, isLost: true }); // In case of a failure.
    const said = stream.undecided?.text ?? "";
    const rest = this.#restOf(thought, turn);
    if (rest === undefined) turn.tail = said;
    const chunk = rest ?? stream.cut().text;
    turn.isLost = false;
    return { eventId, events: [withThought({ ...last, eventId }, { ...piece, chunk, isFinal: true })] };
  }

  /** What is not told of a thought, which is told to its end now; undefined when the agent thought aloud in other words. */
  #restOf(thought: string, turn: TurnTold): string | undefined {
    const stream = this.#redactor.createStream();
    const begun = stream.push(thought).text;
    const tail = stream.undecided?.text ?? "";
    const rest = turn.sum?.restOf(begun + stream.end().text);
    if (rest !== undefined) turn.tail = tail;
    return rest;
  }

  #think(attempt: string, event: Event, piece: ThoughtStream): readonly Event[] {
    const open = this.#openOf(attempt);
    open.isHeard = true;
    const other = open.thought?.piece.turnIndex === piece.turnIndex ? undefined : open.thought?.turn;
    const before = other ? this.#cutThought(open) : [];
    if (!open.thought && open.turns.isLost(piece.turnIndex)) return [...before, maskWhole(event)];
    const isNew = open.turns.get(piece.turnIndex) === undefined;
    const turn = open.turns.use(piece.turnIndex, open.thought?.turn);
    // What was masked there may go on here.
    if (isNew && before.some(endsMasked)) turn.tail = other?.tail ?? "";
    const thought = open.thought ?? { turn, stream: this.#takeUp(turn), last: event, piece };
    let chunk = thought.stream.push(piece.chunk).text;
    [thought.last, thought.piece, turn.eventId, turn.isOver] = [event, piece, event.eventId, piece.isFinal];
    if (piece.isFinal) {
      delete open.thought;
      turn.tail = thought.stream.undecided?.text ?? "";
      chunk += thought.stream.end().text;
    } else open.thought = thought;
    turn.sum?.add(chunk);
    return [...before, withThought(event, { ...piece, chunk })];
  }

  /** Goes on from what was said, all of which was told, or masked where it was cut off. */
  #takeUp({ tail }: TurnTold): RedactionStream {
    return this.#redactor.createStream(
      undefined,
      tail === "" ? undefined : { text: tail, given: tail.length },
    );
  }

  /** Something else has come, and what is held back will be told no more than now. */
  #cutThought(open: Open): readonly Event[] {
    const { thought } = open;
    if (!thought) return [];
    const { turn, stream, last, piece } = thought;
    delete open.thought;
    turn.isLost = true; // In case of a failure.
    turn.tail = stream.undecided?.text ?? "";
    const chunk = stream.cut().text;
    turn.isLost = false;
    if (chunk === "") return [];
    turn.sum?.add(chunk);
    turn.eventId = sameId(last.eventId, "rest");
    return [withThought({ ...last, eventId: turn.eventId }, { ...piece, chunk })];
  }

  #print(attempt: string, event: Event, piece: SandboxPulse): readonly Event[] {
    const open = this.#openOf(attempt);
    open.isHeard = true;
    const pulse = open.pulse ?? { masker: this.#redactor.createLineMasker(), last: event, piece };
    open.pulse = pulse;
    [pulse.last, pulse.piece] = [event, piece];
    const lines = pulse.masker.push(`${piece.line}\n`);
    if (lines.length === 0) open.silent = [...open.silent, shortId(event.eventId)].slice(-mostSilent);
    return lines.map(({ line, masked }, place) =>
      withPulse(place === 0 ? event : { ...event, eventId: sameId(event.eventId, `${place}`) }, {
        ...piece,
        line,
        masked: masked || piece.masked,
      }),
    );
  }

  #cutPulse({ pulse }: Open): readonly Event[] {
    const lines = pulse?.masker.cut() ?? [];
    return lines.flatMap(({ line, masked }, place) => {
      if (!pulse) return [];
      const eventId = sameId(pulse.last.eventId, "rest", `${place}`);
      return [withPulse({ ...pulse.last, eventId }, { ...pulse.piece, line, masked })];
    });
  }

  /** When what was left cannot be taken up, nothing is taken: the next one tries again. */
  #openOf(attempt: string): Open {
    const open = this.#knownOf(attempt);
    const left = this.#left.get(attempt) ?? this.#over.get(attempt)?.held;
    if (left === undefined || left === heldUnknown) return open;
    const { thought, pulse, silent } = readHeld(left);
    open.isHeard = true;
    if (thought?.last.payload.case === "thoughtStream") {
      const stream = this.#redactor.createStream(undefined, thought.undecided);
      const piece = thought.last.payload.value;
      const sum = open.turns.get(piece.turnIndex)?.sum;
      const { eventId } = thought.last;
      const turn = Object.assign(open.turns.use(piece.turnIndex), { eventId, sum, isOver: false });
      open.thought = { turn, stream, last: thought.last, piece };
    }
    if (pulse?.last.payload.case === "sandboxPulse") {
      const masker = this.#redactor.createLineMasker(undefined, pulse.undecided);
      open.pulse = { masker, last: pulse.last, piece: pulse.last.payload.value };
    }
    open.silent = silent;
    this.#left.delete(attempt);
    this.#over.delete(attempt);
    return open;
  }

  #knownOf(attempt: string): Open {
    const known = this.#open.get(attempt);
    if (known) return known;
    const done = this.#done.get(attempt) ?? this.#over.get(attempt)?.lastTurn;
    const turns = new ToldTurns(typeof done === "number" ? done : undefined);
    const open: Open = { turns, silent: [], isHeard: false };
    this.#open.set(attempt, open);
    return open;
  }
}

function endsMasked({ payload }: Event): boolean {
  return payload.case === "thoughtStream" && endsInMarker(payload.value.chunk);
}

/** It is told that something was said, and no more. Other events are whole by themselves. */
function maskWhole(event: Event): Event {
  const { payload } = event;
  if (payload.case === "thoughtStream") {
    const chunk = payload.value.chunk === "" ? "" : unheard;
    return withThought(event, { ...payload.value, chunk });
  }
  if (payload.case !== "sandboxPulse") return event;
  return withPulse(event, { ...payload.value, line: unheard, masked: true });
}

function withThought(event: Event, value: ThoughtStream): Event {
  return { ...event, payload: { case: "thoughtStream", value } };
}

function withPulse(event: Event, value: SandboxPulse): Event {
  return { ...event, payload: { case: "sandboxPulse", value } };
}
