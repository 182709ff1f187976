import type { EventRecord, SandboxPulse } from "@baton/contract/forms";
import { ToolStatus } from "@baton/contract/forms";
import { limits } from "../limits.ts";
import { describeMs } from "../terminal/time.ts";
import { type Beat, deed, type Said } from "./beat.ts";

/** Besides the tools that returned, which are always told. */
export type Extra = "thoughts" | "starts" | "prints" | "moves";

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
  readonly #thoughts = new Map<string, string>();

  constructor(extras: ReadonlySet<Extra>) {
    this.#extras = extras;
  }

  tell({ event, dispatchId }: EventRecord): readonly Beat[] {
    const payload = event?.payload;
    switch (payload?.case) {
      case "taskTransition": {
        const { fromState, toState } = payload.value;
        const said =
          fromState === toState ? stayed(toState, dispatchId) : { text: fromState, leadsTo: toState };
        return this.#extra("moves", [deed("moves", [said], "strong")]);
      }
      case "thoughtStream": {
        const { turnIndex, chunk, isFinal } = payload.value;
        const thought = this.#gather(`${dispatchId} ${turnIndex}`, chunk, isFinal);
        return thought === undefined ? [] : this.#think(thought);
      }
      case "toolInvoked": {
        const { callId, tool, arguments: given } = payload.value;
        const line = commandLine(tool, given?.args);
        this.#remember(this.#running, `${dispatchId} ${callId}`, line);
        const before = this.#thoughtSoFar(dispatchId);
        return [...before, ...this.#extra("starts", [deed("starts", line, "quiet")])];
      }
      case "toolCompleted": {
        const { callId, tool, status, durationMs } = payload.value;
        const call = `${dispatchId} ${callId}`;
        const line = this.#running.get(call) ?? tool;
        this.#running.delete(call);
        const mark = status === ToolStatus.SUCCESS ? "done" : "failed";
        const text = `${line} (${describeMs(durationMs)})`;
        return [...this.#thoughtSoFar(dispatchId), deed("runs", [{ mark, text }])];
      }
      case "sandboxPulse":
        return this.#extra("prints", [deed("prints", printed(payload.value), "quiet")]);
      default:
        return [];
    }
  }

  /** An attempt has ended: thoughts that it did not end are told as far as they went. */
  end(dispatchId: string): readonly Beat[] {
    return this.#openThoughts(dispatchId).flatMap((turn) => this.#think(this.#gather(turn, "", true) ?? ""));
  }

  #thoughtSoFar(dispatchId: string): readonly Beat[] {
    return this.#openThoughts(dispatchId).flatMap((turn) => {
      const thought = this.#thoughts.get(turn) ?? "";
      if (thought.trim() === "") return [];
      this.#thoughts.set(turn, "");
      // The end of a line is where a thought may well end; in the middle of one it goes on.
      return this.#think(/\n\s*$/.test(thought) ? thought : `${thought.trimEnd()} …`);
    });
  }

  #openThoughts(dispatchId: string): readonly string[] {
    return [...this.#thoughts.keys()].filter((turn) => turn.startsWith(`${dispatchId} `));
  }

  #think(thought: string): readonly Beat[] {
    const lines = thought.split("\n").filter((line) => line.trim() !== "");
    if (lines.length === 0) return [];
    const said = lines.map((text) => ({ text }));
    return this.#extra("thoughts", [deed("thinks", said, "busy")]);
  }

  #extra(extra: Extra, beats: readonly Beat[]): readonly Beat[] {
    return this.#extras.has(extra) ? beats : [];
  }

  #gather(turn: string, chunk: string, isFinal: boolean): string | undefined {
    const thought = ((this.#thoughts.get(turn) ?? "") + chunk).slice(0, limits.thoughtCharacters);
    if (isFinal) this.#thoughts.delete(turn);
    else this.#remember(this.#thoughts, turn, thought);
    return isFinal ? thought : undefined;
  }

  /** What never ends is forgotten, the oldest first. */
  #remember(open: Map<string, string>, key: string, text: string): void {
    open.set(key, text);
    const [oldest] = open.keys();
    if (open.size > limits.openTellings && oldest !== undefined) open.delete(oldest);
  }
}

/**
 * A retry stays in its status: it is told when it is decided, and when the further attempt is sent. Where nothing is under
 * way, a rewind has put an earlier attempt back in the place of a later one.
 */
function stayed(state: string, dispatchId: string): Said {
  if (state !== "DISPATCHED")
    return { text: `${state} again${dispatchId && `, as ${dispatchId}`}, after a rewind` };
  return { text: dispatchId === "" ? `${state}, to be tried again` : `${state} again, as ${dispatchId}` };
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
