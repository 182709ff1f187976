import type { EventRecord, SandboxPulse } from "@baton/contract/forms";
import { ToolStatus } from "@baton/contract/forms";
import { limits } from "../limits.ts";
import { describeMs } from "../terminal/time.ts";
import { type Beat, deed, type Said } from "./beat.ts";

/** Besides the tools that returned, which are always told. */
export type Extra = "thoughts" | "starts" | "prints" | "moves";

/** What is told, and the event that it comes from: of a thought, that of its last piece. */
export interface Heard {
  readonly beat: Beat;
  readonly event: EventRecord;
}

interface Thought {
  readonly text: string;
  readonly last: EventRecord;
}

/**
 * What an agent does while it works, from the events. Pieces of a thought are gathered until the thought is whole, or a tool
 * comes in between: then what was thought before the tool is told before it. The hub may hold back the last word, as long as
 * that could be the beginning of a secret; it follows with the rest of the thought.
 */
export class EventTeller {
  readonly #extras: ReadonlySet<Extra>;
  /** Commands that run, by dispatch and the id of their call: attempts number theirs by themselves. */
  readonly #running = new Map<string, string>();
  /** By dispatch and turn. */
  readonly #thoughts = new Map<string, Thought>();

  constructor(extras: ReadonlySet<Extra>) {
    this.#extras = extras;
  }

  tell(record: EventRecord): readonly Heard[] {
    const { event, dispatchId, withheld } = record;
    const payload = event?.payload;
    if (withheld) {
      const text = `${kinds[payload?.case ?? ""] ?? "something"} is not shown: ${withheld.reason} (${withheld.code})`;
      return [...this.#thoughtSoFar(dispatchId), { beat: deed("withheld", text, "asks"), event: record }];
    }
    switch (payload?.case) {
      case "taskTransition": {
        const { fromState, toState } = payload.value;
        const said =
          fromState === toState ? stayed(toState, dispatchId) : { text: fromState, leadsTo: toState };
        return this.#extra("moves", record, deed("moves", [said], "strong"));
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
        return [...before, ...this.#extra("starts", record, deed("starts", line, "quiet"))];
      }
      case "toolCompleted": {
        const { callId, tool, status, durationMs } = payload.value;
        const call = `${dispatchId} ${callId}`;
        const line = this.#running.get(call) ?? tool;
        this.#running.delete(call);
        const mark = status === ToolStatus.SUCCESS ? "done" : "failed";
        const text = `${line} (${describeMs(durationMs)})`;
        return [...this.#thoughtSoFar(dispatchId), { beat: deed("runs", [{ mark, text }]), event: record }];
      }
      case "sandboxPulse":
        return this.#extra("prints", record, deed("prints", printed(payload.value), "quiet"));
      default:
        return [];
    }
  }

  /** An attempt has ended, or all is told: thoughts that were not ended are told as far as they went. */
  end(dispatchId?: string): readonly Heard[] {
    return this.#openThoughts(dispatchId).flatMap(([turn, thought]) => this.#finish(turn, thought));
  }

  #thoughtSoFar(dispatchId: string): readonly Heard[] {
    return this.#openThoughts(dispatchId).flatMap(([turn, { text, last }]) => {
      if (text.trim() === "") return [];
      this.#thoughts.set(turn, { text: "", last });
      // The end of a line is where a thought may well end; in the middle of one it goes on.
      return this.#think({ text: /\n\s*$/.test(text) ? text : `${text.trimEnd()} …`, last });
    });
  }

  #openThoughts(dispatchId?: string): readonly (readonly [turn: string, thought: Thought])[] {
    const all = [...this.#thoughts];
    return dispatchId === undefined ? all : all.filter(([turn]) => turn.startsWith(`${dispatchId} `));
  }

  #think({ text, last }: Thought): readonly Heard[] {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    if (lines.length === 0) return [];
    const said = lines.map((line) => ({ text: line }));
    return this.#extra("thoughts", last, deed("thinks", said, "busy"));
  }

  #extra(extra: Extra, event: EventRecord, beat: Beat): readonly Heard[] {
    return this.#extras.has(extra) ? [{ beat, event }] : [];
  }

  #gather(turn: string, chunk: string, last: EventRecord): Thought {
    const text = (this.#thoughts.get(turn)?.text ?? "") + chunk;
    const thought = { text: text.slice(0, limits.thoughtCharacters), last };
    this.#remember(this.#thoughts, turn, thought);
    return thought;
  }

  #finish(turn: string, thought: Thought): readonly Heard[] {
    this.#thoughts.delete(turn);
    return this.#think(thought);
  }

  /** What never ends is forgotten, the oldest first. */
  #remember<Value>(open: Map<string, Value>, key: string, value: Value): void {
    open.set(key, value);
    const [oldest] = open.keys();
    if (open.size > limits.openTellings && oldest !== undefined) open.delete(oldest);
  }
}

/** What it is that is not shown. */
const kinds: Readonly<Record<string, string>> = {
  thoughtStream: "a thought",
  toolInvoked: "a call of a tool",
  toolCompleted: "the end of a call",
  taskTransition: "a transition",
  sandboxPulse: "a line of output",
};

/**
 * A retry stays in its status: it is told when it is decided, and when the further attempt is sent. Where nothing is under
 * way, a rewind has put an earlier attempt back in the place of a later one.
 */
function stayed(state: string, dispatchId: string): Said {
  if (state !== "DISPATCHED")
    return { text: `${state} again${dispatchId && `, as ${dispatchId}`}, after a rewind` };
  return {
    text: dispatchId === "" ? `${state}, another attempt follows` : `${state} again, as ${dispatchId}`,
  };
}

/** What a command of the gate prints is told with the check it belongs to, and what was left out with its count. */
function printed({ line, check, leftOut }: SandboxPulse): string {
  const whose = check === "" ? "" : `${check}: `;
  const gap = leftOut > 0 ? `(${leftOut} lines left out) ` : "";
  return `${whose}${gap}${line}`;
}

/** A program that is given as an argument would be the whole line: it is left out. */
export function commandLine(tool: string, args: unknown): string {
  const words = Array.isArray(args) ? args.filter((word) => typeof word === "string") : [];
  return [tool, ...words.map((word) => (word.includes("\n") ? "..." : word))].join(" ");
}
