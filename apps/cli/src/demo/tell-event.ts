import { type EventRecord, ToolStatus } from "@baton/contract";
import { describeMs } from "../terminal/time.ts";
import { type Beat, deed } from "./beat.ts";

/** What an agent does while it works: what it thinks, and the commands that it ran. */
export class EventTeller {
  /** Commands that run, by the id of their call. */
  readonly #running = new Map<string, string>();

  tell({ event }: EventRecord): readonly Beat[] {
    const payload = event?.payload;
    if (payload?.case === "thoughtStream") {
      const lines = payload.value.chunk.split("\n").filter((line) => line.trim() !== "");
      return lines.length === 0
        ? []
        : [
            deed(
              "thinks",
              lines.map((text) => ({ text })),
              "busy",
            ),
          ];
    }
    if (payload?.case === "toolInvoked") {
      const { callId, tool, arguments: given } = payload.value;
      this.#running.set(callId, commandLine(tool, given?.args));
    }
    if (payload?.case === "toolCompleted") {
      const { callId, tool, status, durationMs } = payload.value;
      const line = this.#running.get(callId) ?? tool;
      this.#running.delete(callId);
      const mark = status === ToolStatus.SUCCESS ? "done" : "failed";
      return [deed("runs", [{ mark, text: `${line} (${describeMs(durationMs)})` }])];
    }
    return [];
  }
}

/** A program that is given as an argument would be the whole line: it is left out. */
function commandLine(tool: string, args: unknown): string {
  const words = Array.isArray(args) ? args.filter((word) => typeof word === "string") : [];
  return [tool, ...words.map((word) => (word.includes("\n") ? "..." : word))].join(" ");
}
