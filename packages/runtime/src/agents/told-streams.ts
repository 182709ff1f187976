import {
  type Event,
  EventSchema,
  type SandboxPulse,
  type ThoughtStream,
  type TurnEnvelope,
} from "@baton/contract";
import type { LineMasker, RedactionStream, Redactor } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { sameId } from "../events/stored-events.ts";
import { type ToldThought, turnsRemembered } from "./earlier-tellings.ts";

/** What came of an attempt in pieces so far. */
interface Open {
  thought?: { readonly stream: RedactionStream; last: Event; piece: ThoughtStream };
  pulse?: { readonly masker: LineMasker; last: Event; piece: SandboxPulse };
  /** The last event of the thought of each turn, of the last few turns; and what an earlier life of the hub told of it. */
  readonly told: Map<number, { readonly eventId: string; readonly earlier?: ToldThought }>;
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

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** What an earlier life of the hub told of the thoughts of an attempt. */
  recall(attempt: string, thoughts: ReadonlyMap<number, ToldThought>): void {
    if (thoughts.size === 0) return;
    const { told } = this.#openOf(attempt);
    for (const [turnIndex, earlier] of thoughts)
      if (!told.has(turnIndex)) told.set(turnIndex, { eventId: earlier.eventId, earlier });
  }

  /** What can be told by now. */
  take(attempt: string, event: Event): readonly Event[] {
    const { payload } = event;
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
      const chunk = stream.end().text;
      return { eventId, events: [withThought({ ...last, eventId }, { ...piece, chunk, isFinal: true })] };
    }
    const thought = content?.thought ?? "";
    const isTold = told !== undefined && told.earlier?.isFinal !== false;
    if (isTold || (!told && thought === "")) return { eventId: told?.eventId ?? "", events: [] };
    const eventId = told ? sameId(told.eventId, "rest") : sameId(attempt, `${turnIndex}`, "thought");
    const chunk = told?.earlier ? this.#restOf(thought, told.earlier.text) : thought;
    const value = { agentId, turnIndex, chunk, isFinal: true };
    return {
      eventId,
      events: [create(EventSchema, { eventId, sessionId, payload: { case: "thoughtStream", value } })],
    };
  }

  /** Whether something of it may be held back. */
  isOpen(attempt: string): boolean {
    return this.#open.has(attempt);
  }

  /** What was held back of an attempt that has nothing more to tell. */
  end(attempt: string): readonly Event[] {
    const open = this.#open.get(attempt);
    this.#open.delete(attempt);
    if (!open) return [];
    return [...this.#endThought(open), ...this.#endPulse(open)];
  }

  /** The attempt is over; what was held back is not told. */
  forget(attempt: string): void {
    this.#open.delete(attempt);
  }

  /** What is not told of a thought; nothing when the agent thought aloud in other words. */
  #restOf(thought: string, told: string): string {
    const stream = this.#redactor.createStream();
    const whole = stream.push(thought).text + stream.end().text;
    return whole.startsWith(told) ? whole.slice(told.length) : "";
  }

  #think(attempt: string, event: Event, piece: ThoughtStream): readonly Event[] {
    const open = this.#openOf(attempt);
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
    const pulse = open.pulse ?? { masker: this.#redactor.createLineMasker(), last: event, piece };
    open.pulse = pulse;
    [pulse.last, pulse.piece] = [event, piece];
    const lines = pulse.masker.push(`${piece.line}\n`);
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

  #openOf(attempt: string): Open {
    const known = this.#open.get(attempt);
    if (known) return known;
    const open: Open = { told: new Map() };
    this.#open.set(attempt, open);
    return open;
  }
}

function remember(told: Open["told"], turnIndex: number, eventId: string): void {
  told.set(turnIndex, { eventId });
  const [oldest] = told.keys();
  if (told.size > turnsRemembered && oldest !== undefined) told.delete(oldest);
}

function withThought(event: Event, value: ThoughtStream): Event {
  return { ...event, payload: { case: "thoughtStream", value } };
}

function withPulse(event: Event, value: SandboxPulse): Event {
  return { ...event, payload: { case: "sandboxPulse", value } };
}
