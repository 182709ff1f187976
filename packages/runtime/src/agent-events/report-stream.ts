import { type Event, EventSchema, type TurnEnvelope } from "@baton/contract";
import type { LineMasker, RedactionStream, Redactor } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { derivedId, shortId } from "../events/stored-events.ts";
import { heldUnknown } from "../ports/store.ts";
import { readTail, writeTail } from "./tail.ts";
import { endsInMarker, type Turn, TurnMemory, tailOf } from "./turn-memory.ts";

/**
 * Publishes the thoughts and terminal lines of one attempt with secrets masked, though pieces may split a secret (TUR-06).
 * The words at the end that may begin a secret are the tail; the next piece decides about them.
 *
 * live  Everything reported is published.
 * held  The tail is held back, and stored for a restart.
 * over  As live or held, of an attempt that is over: its agent may still report, and the tail is in memory alone.
 * cut   The tail was masked or lost, so what follows may be the second half of a secret: pieces are masked whole.
 *
 * S1. A piece is published under its own id, and what is derived from it under an id that follows from it, so that a
 *     retransmission is recognised.
 * S2. What a thought publishes, read turn by turn, is the redacted thought; other turns in between change nothing.
 */
const transitions = {
  live: { decided: "live", undecided: "held", result: "live", over: "over" },
  held: { decided: "live", undecided: "held", result: "cut", over: "over" },
  over: { decided: "over", undecided: "over", result: "over", over: "over" },
  cut: { decided: "cut", undecided: "cut", result: "cut", over: "cut" },
} as const;

export type StreamState = keyof typeof transitions;

/** Lines that led to no event, by short id. No agent sends more of them without an acknowledgement. */
const maxSilentLines = 128;

const unheardBeginning = "[redacted:unheard-beginning]";

interface Printing {
  readonly masker: LineMasker;
  last: Event;
}

export class ReportStream {
  readonly #redactor: Redactor;
  #state: StreamState;
  /** The tail that an earlier process stored, until it is needed. */
  #stored: string | undefined;
  #turns = new TurnMemory();
  /** The turn whose thought is open. */
  #thinking: Turn | undefined;
  #printing: Printing | undefined;
  #silent: readonly string[] = [];

  constructor(redactor: Redactor, state: StreamState = "live", stored?: string) {
    this.#redactor = redactor;
    this.#state = stored === heldUnknown ? "cut" : state;
    this.#stored = stored;
  }

  get state(): StreamState {
    return this.#state;
  }

  /** What the next process has to know of it; empty when it is nothing. */
  get tail(): string {
    if (this.#stored !== undefined) return this.#state === "over" ? "" : this.#stored;
    if (this.#state === "over" || this.#state === "cut") return "";
    const [thought, pulse] = [this.#thinking, this.#printing];
    const [words, line] = [thought?.stream?.undecided, pulse?.masker.undecided];
    return writeTail({
      thought: thought?.last && words && { last: thought.last, undecided: words },
      pulse: pulse && line && { last: pulse.last, undecided: line },
      silent: this.#silent,
    });
  }

  /** Whether there is more to remember of it than its state. */
  get isEmpty(): boolean {
    return !this.#thinking && !this.#printing && this.#stored === undefined;
  }

  /** What an earlier process published of thoughts. */
  recall(turns: TurnMemory): void {
    this.#turns.recall(turns);
  }

  /** Whether it is a line that came before and led to no event. */
  wasSilent(eventId: string): boolean {
    this.#takeUp();
    return this.#silent.includes(shortId(eventId));
  }

  /** The events that a piece of a thought or a line decides. */
  take(event: Event): readonly Event[] {
    if (this.#state === "cut") return [maskWhole(event)];
    this.#takeUp();
    const events = event.payload.case === "thoughtStream" ? this.#think(event) : this.#print(event);
    this.#decide();
    return events;
  }

  /**
   * The event that ends the thought of a turn: what was not published of it, or all of it. An agent that thought aloud in
   * other words than its turn has ends with its own tail.
   */
  turn(attempt: string, sessionId: string, { turnIndex, agentId, content }: TurnEnvelope) {
    if (this.#state !== "cut") this.#takeUp();
    const thought = content?.thought ?? "";
    const known = this.#turns.get(turnIndex);
    const lastId = known?.eventId ?? "";
    if (lastId === "" ? thought === "" : known?.isOver) return { eventId: lastId, events: [] };
    const turn = this.#turns.use(turnIndex);
    turn.isOver = true;
    if (lastId === "") turn.tail = tailOf(thought);
    else turn.eventId = derivedId(lastId, "rest");
    const chunk = lastId === "" ? thought : this.#endByTurn(turn, thought);
    const eventId = turn.eventId || derivedId(attempt, `${turnIndex}`, "thought");
    const value = { agentId, turnIndex, chunk, isFinal: true };
    this.#decide();
    return {
      eventId,
      events: [create(EventSchema, { eventId, sessionId, payload: { case: "thoughtStream", value } })],
    };
  }

  /** The result has come: no piece decides about the tail any more, and what may begin a secret is masked. */
  end(): readonly Event[] {
    if (this.#state === "cut" || this.#state === "over") return [];
    this.#takeUp();
    this.#move("result");
    const events = [...this.#cutThought(), ...this.#cutLine()];
    this.#forget();
    return events;
  }

  /** The attempt is over. Its tail is not published: it may be a part of a secret. */
  over(): void {
    if (this.#stored === heldUnknown) this.#stored = undefined;
    const hasTail = this.tail !== "";
    this.#move("over");
    if (!hasTail) this.#forget();
  }

  #move(input: "decided" | "undecided" | "result" | "over"): void {
    this.#state = transitions[this.#state][input];
  }

  #decide(): void {
    const isUndecided = this.#thinking?.stream?.undecided ?? this.#printing?.masker.undecided;
    this.#move(isUndecided ? "undecided" : "decided");
  }

  /** All but which turn was the last: what comes of the turns up to it is masked. */
  #forget(): void {
    this.#turns = new TurnMemory(this.#turns.last);
    this.#thinking = undefined;
    this.#printing = undefined;
    this.#silent = [];
  }

  #think(event: Event): readonly Event[] {
    if (event.payload.case !== "thoughtStream") return [];
    const piece = event.payload.value;
    const other = this.#thinking?.index === piece.turnIndex ? undefined : this.#thinking;
    const before = other ? this.#cutThought() : [];
    if (!this.#thinking && this.#turns.isLost(piece.turnIndex)) return [...before, maskWhole(event)];
    const isNew = this.#turns.get(piece.turnIndex) === undefined;
    const turn = this.#turns.use(piece.turnIndex);
    // What was masked at the end of the other turn may go on in this one.
    if (isNew && other && before.some(endsMasked)) turn.tail = other.tail;
    const stream = turn.stream ?? this.#streamAfter(turn.tail);
    let chunk = stream.push(piece.chunk).text;
    Object.assign(turn, { eventId: event.eventId, last: event, isOver: piece.isFinal, stream });
    this.#thinking = turn;
    if (piece.isFinal) {
      turn.tail = this.#close(turn);
      chunk += stream.end().text;
    }
    turn.published?.add(chunk);
    return [...before, withText(event, chunk)];
  }

  /** Goes on from words that are published, or masked where they were cut. */
  #streamAfter(tail: string): RedactionStream {
    return this.#redactor.createStream(undefined, tail ? { text: tail, given: tail.length } : undefined);
  }

  /** Returns the words that are undecided. */
  #close(turn: Turn): string {
    const tail = turn.stream?.undecided?.text ?? "";
    turn.stream = undefined;
    this.#thinking = undefined;
    return tail;
  }

  /** Another turn has come, or the result. */
  #cutThought(): readonly Event[] {
    const turn = this.#thinking;
    if (!turn?.stream || !turn.last) return [];
    const { stream, last } = turn;
    turn.isLost = true; // Until it is cut: a failure leaves it so.
    turn.tail = this.#close(turn);
    const chunk = stream.cut().text;
    turn.isLost = false;
    if (chunk === "") return [];
    turn.published?.add(chunk);
    turn.eventId = derivedId(last.eventId, "rest");
    return [withText({ ...last, eventId: turn.eventId }, chunk)];
  }

  /** What the thought of a turn has beyond what is published of it. */
  #endByTurn(turn: Turn, thought: string): string {
    const { stream, isLost } = turn;
    turn.isLost = true; // Until it is known what is left: a failure leaves it so.
    const tail = stream ? this.#close(turn) : turn.tail;
    const whole = this.#redactor.createStream();
    const begun = whole.push(thought).text;
    const wholeTail = whole.undecided?.text ?? "";
    const rest = turn.published?.restOf(begun + whole.end().text);
    turn.tail = rest === undefined ? tail : wholeTail;
    const chunk = rest ?? stream?.cut().text ?? "";
    turn.isLost = isLost && !stream;
    return chunk;
  }

  #print(event: Event): readonly Event[] {
    if (event.payload.case !== "sandboxPulse") return [];
    this.#printing ??= { masker: this.#redactor.createLineMasker(), last: event };
    this.#printing.last = event;
    const lines = this.#printing.masker.push(`${event.payload.value.line}\n`);
    if (lines.length === 0) this.#silent = [...this.#silent, shortId(event.eventId)].slice(-maxSilentLines);
    return lines.map(({ line, masked }, index) =>
      withText(
        index === 0 ? event : { ...event, eventId: derivedId(event.eventId, `${index}`) },
        line,
        masked,
      ),
    );
  }

  #cutLine(): readonly Event[] {
    const printing = this.#printing;
    if (!printing) return [];
    this.#printing = undefined;
    const { last, masker } = printing;
    return masker
      .cut()
      .map(({ line, masked }, index) =>
        withText({ ...last, eventId: derivedId(last.eventId, "rest", `${index}`) }, line, masked),
      );
  }

  /** Goes on from what an earlier process stored. A failure changes nothing: the next piece tries again. */
  #takeUp(): void {
    if (this.#stored === undefined || this.#stored === heldUnknown) return;
    const { thought, pulse, silent } = readTail(this.#stored);
    const stream = thought && this.#redactor.createStream(undefined, thought.undecided);
    const masker = pulse && this.#redactor.createLineMasker(undefined, pulse.undecided);
    this.#stored = undefined;
    if (thought?.last.payload.case === "thoughtStream") {
      const { last } = thought;
      const { turnIndex } = thought.last.payload.value;
      const published = this.#turns.get(turnIndex)?.published;
      this.#thinking = this.#turns.use(turnIndex);
      Object.assign(this.#thinking, { eventId: last.eventId, last, stream, published, isOver: false });
    }
    if (pulse && masker) this.#printing = { masker, last: pulse.last };
    this.#silent = silent;
    this.#decide();
  }
}

function endsMasked({ payload }: Event): boolean {
  return payload.case === "thoughtStream" && endsInMarker(payload.value.chunk);
}

/** Says that there is a piece, and no more. */
function maskWhole(event: Event): Event {
  const isEmpty = event.payload.case === "thoughtStream" && event.payload.value.chunk === "";
  return withText(event, isEmpty ? "" : unheardBeginning, true);
}

function withText(event: Event, text: string, masked = false): Event {
  const { payload } = event;
  if (payload.case === "thoughtStream") {
    return { ...event, payload: { case: payload.case, value: { ...payload.value, chunk: text } } };
  }
  if (payload.case !== "sandboxPulse") return event;
  const value = { ...payload.value, line: text, masked: masked || payload.value.masked };
  return { ...event, payload: { case: payload.case, value } };
}
