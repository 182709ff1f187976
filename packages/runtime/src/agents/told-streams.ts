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
import { type ToldThought, turnsRemembered } from "./earlier-tellings.ts";
import { readHeld, writeHeld } from "./held-text.ts";

/** More lines of an agent do not wait for an acknowledgement while nothing of them is told. */
const mostSilent = 128;

/** Attempts that are over and whose agents may go on: from what was held back, and where nothing was. Others are masked. */
const mostOver = 1_000;
const mostDone = 10_000;

/** What is shown of words whose beginning this life of the hub has not: they may be the second half of a secret. */
const unheard = "[redacted:unheard-beginning]";

/** What came of an attempt in pieces so far. */
interface Open {
  thought?: { readonly stream: RedactionStream; last: Event; piece: ThoughtStream };
  pulse?: { readonly masker: LineMasker; last: Event; piece: SandboxPulse };
  /** The last event of the thought of each turn, of the last few turns; and what an earlier life of the hub told of it. */
  readonly told: Map<number, { readonly eventId: string; readonly earlier?: ToldThought }>;
  /** Short ids of the last lines that led to no event. */
  silent: readonly string[];
  /** Whether it is known where its words stand: this life has heard them all, or has what an earlier one held back. */
  isHeard: boolean;
}

/**
 * Thoughts come in chunks and terminals in lines, and a secret may lie across two of them (TUR-06). So each is read as
 * one text: what may be the beginning of a secret is held back until the next piece, or the end, decides.
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
  readonly #over = new Map<string, string>();
  /** Attempts that ended in this life when nothing was held back, or when their agents were in the middle of a word and done. */
  readonly #done = new Map<string, "whole" | "cut off">();

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
  recall(attempt: string, thoughts: ReadonlyMap<number, ToldThought>): void {
    if (thoughts.size === 0) return;
    const { told } = this.#knownOf(attempt);
    for (const [turnIndex, earlier] of thoughts)
      if (!told.has(turnIndex)) told.set(turnIndex, { eventId: earlier.eventId, earlier });
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
    const open = this.#openOf(attempt);
    const told = open.told.get(turnIndex);
    if (open.thought?.piece.turnIndex === turnIndex) {
      const { stream, last, piece } = open.thought;
      delete open.thought;
      const eventId = sameId(last.eventId, "rest");
      const rest = told?.earlier && this.#restOf(content?.thought ?? "", told.earlier.text);
      const chunk = rest ?? stream.end().text;
      return { eventId, events: [withThought({ ...last, eventId }, { ...piece, chunk, isFinal: true })] };
    }
    const thought = content?.thought ?? "";
    const isTold = told !== undefined && told.earlier?.isFinal !== false;
    if (isTold || (!told && thought === "")) return { eventId: told?.eventId ?? "", events: [] };
    const eventId = told ? sameId(told.eventId, "rest") : sameId(attempt, `${turnIndex}`, "thought");
    const chunk = told?.earlier ? (this.#restOf(thought, told.earlier.text) ?? "") : thought;
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
    if (open.thought?.stream.undecided || open.pulse?.masker.undecided)
      keep(this.#done, attempt, "cut off", mostDone);
    return [...this.#endThought(open), ...this.#endPulse(open)];
  }

  /** The attempt is over; what was held back is not told. */
  forget(attempt: string): void {
    const held = this.held(attempt);
    this.#open.delete(attempt);
    this.#left.delete(attempt);
    if (held === heldUnknown) keep(this.#done, attempt, "cut off", mostDone);
    else if (held !== "") keep(this.#over, attempt, held, mostOver);
    else if (!this.#done.has(attempt)) keep(this.#done, attempt, "whole", mostDone);
  }

  /** Whether the next words of an attempt go on from what this life of the hub has of it. */
  #isHeard(attempt: string, isOver: boolean): boolean {
    const done = this.#done.get(attempt);
    if (done === "cut off" || this.#left.get(attempt) === heldUnknown) return false;
    if (!isOver || done === "whole" || this.#left.has(attempt) || this.#over.has(attempt)) return true;
    return this.#open.get(attempt)?.isHeard === true;
  }

  /** What is not told of a thought; undefined when the agent thought aloud in other words. */
  #restOf(thought: string, told: string): string | undefined {
    const stream = this.#redactor.createStream();
    const whole = stream.push(thought).text + stream.end().text;
    return whole.startsWith(told) ? whole.slice(told.length) : undefined;
  }

  #think(attempt: string, event: Event, piece: ThoughtStream): readonly Event[] {
    const open = this.#openOf(attempt);
    open.isHeard = true;
    const isOther = open.thought !== undefined && open.thought.piece.turnIndex !== piece.turnIndex;
    const before = isOther ? this.#endThought(open) : [];
    const thought = open.thought ?? { stream: this.#redactor.createStream(), last: event, piece };
    const chunk = thought.stream.push(piece.chunk).text + (piece.isFinal ? thought.stream.end().text : "");
    [thought.last, thought.piece] = [event, piece];
    remember(open.told, piece.turnIndex, event.eventId);
    if (piece.isFinal) delete open.thought;
    else open.thought = thought;
    return [...before, withThought(event, { ...piece, chunk })];
  }

  #endThought(open: Open): readonly Event[] {
    const { thought } = open;
    delete open.thought;
    const chunk = thought?.stream.end().text ?? "";
    if (!thought || chunk === "") return [];
    const eventId = sameId(thought.last.eventId, "rest");
    return [withThought({ ...thought.last, eventId }, { ...thought.piece, chunk })];
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

  #endPulse({ pulse }: Open): readonly Event[] {
    const lines = pulse?.masker.end() ?? [];
    return lines.flatMap(({ line, masked }, place) => {
      if (!pulse) return [];
      const eventId = sameId(pulse.last.eventId, "rest", `${place}`);
      return [withPulse({ ...pulse.last, eventId }, { ...pulse.piece, line, masked })];
    });
  }

  /** When what was left cannot be taken up, nothing is taken: the next one tries again. */
  #openOf(attempt: string): Open {
    const open = this.#knownOf(attempt);
    const left = this.#left.get(attempt) ?? this.#over.get(attempt);
    if (left === undefined || left === heldUnknown) return open;
    const { thought, pulse, silent } = readHeld(left);
    open.isHeard = true;
    if (thought?.last.payload.case === "thoughtStream") {
      const stream = this.#redactor.createStream(undefined, thought.undecided);
      open.thought = { stream, last: thought.last, piece: thought.last.payload.value };
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
    const open: Open = { told: new Map(), silent: [], isHeard: false };
    this.#open.set(attempt, open);
    return open;
  }
}

function remember(told: Open["told"], turnIndex: number, eventId: string): void {
  keep(told, turnIndex, { eventId }, turnsRemembered);
}

/** At most so many, and not those that came first. */
function keep<Key, Value>(kept: Map<Key, Value>, key: Key, value: Value, most: number): void {
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > most && oldest !== undefined) kept.delete(oldest);
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
