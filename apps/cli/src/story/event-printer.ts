import type { EventRecord, SandboxPulse } from "@baton/contract/forms";
import { ToolStatus } from "@baton/contract/forms";
import { limits } from "../limits.ts";
import { describeMs } from "../terminal/format.ts";
import { eventLine, type Statement, type StoryLine } from "./story-line.ts";

/** Events that are printed on request; completed tools always are. */
export type Extra = "thoughts" | "starts" | "prints" | "moves";

/** A story line and its event; of a thought, the event of its last chunk. */
export interface PrintedEvent {
  readonly storyLine: StoryLine;
  readonly event: EventRecord;
}

interface Thought {
  readonly text: string;
  readonly last: EventRecord;
}

/**
 * What an agent does while it works, from events. The chunks of a thought are joined until it ends or a tool call comes in
 * between: then the part before the call is printed first. The hub may hold back the last word while it could be the beginning
 * of a secret; it follows with the rest of the thought.
 */
export class EventPrinter {
  readonly #extras: ReadonlySet<Extra>;
  /** Running commands by dispatch and call id, which is unique within an attempt only. */
  readonly #running = new Map<string, string>();
  /** By dispatch and turn. */
  readonly #thoughts = new Map<string, Thought>();

  constructor(extras: ReadonlySet<Extra>) {
    this.#extras = extras;
  }

  print(record: EventRecord): readonly PrintedEvent[] {
    const { event, dispatchId, withheld } = record;
    const payload = event?.payload;
    if (withheld) {
      const text = `${kinds[payload?.case ?? ""] ?? "something"} is not shown: ${withheld.reason} (${withheld.code})`;
      return [
        ...this.#thoughtSoFar(dispatchId),
        { storyLine: eventLine("withheld", text, "asks"), event: record },
      ];
    }
    switch (payload?.case) {
      case "taskTransition": {
        const { fromState, toState } = payload.value;
        const statements =
          fromState === toState ? stayed(toState, dispatchId) : { text: fromState, leadsTo: toState };
        return this.#extra("moves", record, eventLine("moves", [statements], "strong"));
      }
      case "thoughtStream": {
        const { turnIndex, chunk, isFinal } = payload.value;
        const thought = this.#gather(`${dispatchId} ${turnIndex}`, chunk, record);
        return isFinal ? this.#finish(`${dispatchId} ${turnIndex}`, thought) : [];
      }
      case "toolInvoked": {
        const { callId, tool, arguments: given } = payload.value;
        const line = commandLine(tool, given?.args);
        this.#remember(this.#running, `${dispatchId} ${callId}`, line);
        const before = this.#thoughtSoFar(dispatchId);
        return [...before, ...this.#extra("starts", record, eventLine("starts", line, "quiet"))];
      }
      case "toolCompleted": {
        const { callId, tool, status, durationMs } = payload.value;
        const call = `${dispatchId} ${callId}`;
        const line = this.#running.get(call) ?? tool;
        this.#running.delete(call);
        const mark = status === ToolStatus.SUCCESS ? "done" : "failed";
        const text = `${line} (${describeMs(durationMs)})`;
        return [
          ...this.#thoughtSoFar(dispatchId),
          { storyLine: eventLine("runs", [{ mark, text }]), event: record },
        ];
      }
      case "sandboxPulse":
        return this.#extra("prints", record, eventLine("prints", printed(payload.value), "quiet"));
      default:
        return [];
    }
  }

  /** Prints the unfinished thoughts of an attempt that has ended, or of all attempts. */
  end(dispatchId?: string): readonly PrintedEvent[] {
    return this.#openThoughts(dispatchId).flatMap(([turn, thought]) => this.#finish(turn, thought));
  }

  #thoughtSoFar(dispatchId: string): readonly PrintedEvent[] {
    return this.#openThoughts(dispatchId).flatMap(([turn, { text, last }]) => {
      if (text.trim() === "") return [];
      this.#thoughts.set(turn, { text: "", last });
      // A thought may end at the end of a line; otherwise it goes on.
      return this.#think({ text: /\n\s*$/.test(text) ? text : `${text.trimEnd()} …`, last });
    });
  }

  #openThoughts(dispatchId?: string): readonly (readonly [turn: string, thought: Thought])[] {
    const all = [...this.#thoughts];
    return dispatchId === undefined ? all : all.filter(([turn]) => turn.startsWith(`${dispatchId} `));
  }

  #think({ text, last }: Thought): readonly PrintedEvent[] {
    const lines = readableThought(text)
      .split("\n")
      .filter((line) => line.trim() !== "");
    if (lines.length === 0) return [];
    const statements = lines.map((line) => ({ text: line }));
    return this.#extra("thoughts", last, eventLine("thinks", statements, "busy"));
  }

  #extra(extra: Extra, event: EventRecord, storyLine: StoryLine): readonly PrintedEvent[] {
    return this.#extras.has(extra) ? [{ storyLine, event }] : [];
  }

  #gather(turn: string, chunk: string, last: EventRecord): Thought {
    const text = (this.#thoughts.get(turn)?.text ?? "") + chunk;
    const thought = { text: text.slice(0, limits.thoughtCharacters), last };
    this.#remember(this.#thoughts, turn, thought);
    return thought;
  }

  #finish(turn: string, thought: Thought): readonly PrintedEvent[] {
    this.#thoughts.delete(turn);
    return this.#think(thought);
  }

  /** Drops the oldest beyond the limit: some never end. */
  #remember<Value>(open: Map<string, Value>, key: string, value: Value): void {
    open.set(key, value);
    const [oldest] = open.keys();
    if (open.size > limits.openActivities && oldest !== undefined) open.delete(oldest);
  }
}

/** The kind of a withheld event. */
const kinds: Readonly<Record<string, string>> = {
  thoughtStream: "a thought",
  toolInvoked: "a call of a tool",
  toolCompleted: "the end of a call",
  taskTransition: "a transition",
  sandboxPulse: "a line of output",
};

/**
 * A transition within one status: the decision to retry, the sending of that attempt, or a rewind to an earlier attempt.
 */
function stayed(state: string, dispatchId: string): Statement {
  if (state !== "DISPATCHED")
    return { text: `${state} again${dispatchId && `, as ${dispatchId}`}, after a rewind` };
  return {
    text: dispatchId === "" ? `${state}, another attempt follows` : `${state} again, as ${dispatchId}`,
  };
}

/** Output of a gate command with its check, and the number of lines left out. */
function printed({ line, check, leftOut }: SandboxPulse): string {
  const whose = check === "" ? "" : `${check}: `;
  const gap = leftOut > 0 ? `(${leftOut} lines left out) ` : "";
  return `${whose}${gap}${line}`;
}

/** Arguments of several lines, such as programs, are left out. */
export function commandLine(tool: string, args: unknown): string {
  const words = Array.isArray(args) ? args.filter((word) => typeof word === "string") : [];
  return [tool, ...words.map((word) => (word.includes("\n") ? "..." : word))].join(" ");
}

/** The answer of a model is streamed as it is written. Of one in the protocol the reasoning is for people, and its data. */
function readableThought(text: string): string {
  if (!text.startsWith("{")) return text;
  try {
    const { thought, status, data } = JSON.parse(text) as Record<string, unknown>;
    if (typeof thought !== "string" || typeof status !== "string") return text;
    const values = data === undefined ? "{}" : JSON.stringify(data);
    const answer = `(${status}${values === "{}" ? "" : `, ${values}`})`;
    return thought === "" ? answer : `${thought} ${answer}`;
  } catch {
    return text;
  }
}
