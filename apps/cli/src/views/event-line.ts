import { AgentRole, type EventRecord, ToolStatus } from "@baton/contract";
import { limits } from "../limits.ts";
import { escapeLine, shorten } from "../terminal/escape.ts";
import { type Piece, paint, piece, type Signs, signsOf } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { describeMs, instant } from "../terminal/time.ts";
import { pad } from "../terminal/width.ts";

/** Events as lines. Pieces of a thought are gathered until the thought is whole. */
export class EventLines {
  readonly #look: Look;
  readonly #detailed: boolean;
  readonly #width: number;
  readonly #thoughts = new Map<string, string>();

  /** Detailed tells also thoughts, the start of tools and what a sandbox prints. */
  constructor(look: Look, options: { readonly detailed: boolean; readonly stages: readonly string[] }) {
    this.#look = look;
    this.#detailed = options.detailed;
    this.#width = Math.min(24, Math.max(8, ...options.stages.map((id) => id.length)));
  }

  /** The line for an event; undefined when it is not told. */
  render(record: EventRecord): string | undefined {
    const told = this.describe(record);
    if (told === undefined) return undefined;
    const at = record.recordedAt === undefined ? "" : instant(record.recordedAt);
    const when = this.#look.isTerminal ? at.slice(11, 19) : at;
    const where = pad(escapeLine(record.stageId || "pipeline"), this.#width);
    return `${paint(this.#look, piece(when, "quiet"))}  ${where}  ${paint(this.#look, told)}`;
  }

  /** What happened, in a few words. */
  describe({ event, dispatchId }: EventRecord): Piece | undefined {
    const signs = signsOf(this.#look);
    const payload = event?.payload;
    switch (payload?.case) {
      case "taskTransition":
        return piece(`${payload.value.fromState} ${signs.arrow} ${payload.value.toState}`, "strong");
      case "toolCompleted": {
        const { tool, status, durationMs } = payload.value;
        const failed = status !== ToolStatus.SUCCESS;
        const how = (ToolStatus[status] ?? "unknown").toLowerCase();
        return piece(`${tool}: ${how}, ${describeMs(durationMs)}`, failed ? "bad" : "plain");
      }
      case "toolInvoked":
        return this.#detailed
          ? this.#quiet(`${payload.value.tool} ${JSON.stringify(payload.value.arguments ?? {})}`, signs)
          : undefined;
      case "sandboxPulse":
        return this.#detailed ? this.#quiet(`| ${payload.value.line}`, signs) : undefined;
      case "thoughtStream": {
        const { agentId, turnIndex, chunk, isFinal } = payload.value;
        const thought = this.#gather(`${dispatchId}/${turnIndex}`, chunk, isFinal);
        if (thought === undefined || !this.#detailed) return undefined;
        return this.#quiet(`${(AgentRole[agentId] ?? "agent").toLowerCase()} thinks: ${thought}`, signs);
      }
      default:
        return undefined;
    }
  }

  #quiet(text: string, { ellipsis }: Signs): Piece {
    return piece(shorten(text, limits.shownCharacters, ellipsis), "quiet");
  }

  #gather(turn: string, chunk: string, isFinal: boolean): string | undefined {
    const thought = ((this.#thoughts.get(turn) ?? "") + chunk).slice(0, limits.thoughtCharacters);
    if (isFinal) {
      this.#thoughts.delete(turn);
      return thought;
    }
    this.#thoughts.set(turn, thought);
    const [oldest] = this.#thoughts.keys();
    if (this.#thoughts.size > limits.openThoughts && oldest !== undefined) this.#thoughts.delete(oldest);
    return undefined;
  }
}
