import type { Task } from "@baton/agent";
import type { ResponseReading } from "@baton/protocols/sacp";
import type { ModelReply } from "../calls/reply.ts";
import { limits } from "../limits.ts";

/**
 * Confidence of a call whose answer states none. Constants, so that only statements of the model can look like a decline:
 * models report none for tool calls, and most none at all.
 */
export const unstated = { plain: 0.7, repaired: 0.6, invalid: 0.4, unreadable: 0.2 } as const;

/** One call of a model as a turn (SAOP §1). */
export function publishTurn(task: Task, reply: ModelReply, reading: ResponseReading | undefined): void {
  const { reasoning, text, toolCalls } = reply;
  const thought = [reasoning, reading?.response.thought ?? text].filter((one) => one !== "").join("\n\n");
  const called = toolCalls.map(({ name }) => name).join(", ");
  task.turn({
    thought: thought.slice(0, limits.thoughtLength).toWellFormed(),
    action: called === "" ? "answers" : `calls ${called}`,
    observation: reading === undefined ? "" : describeReading(reading),
    confidence: confidenceOf(reading),
  });
}

/** `data.confidence` from 0 to 1 is the statement of the answer; else the constants above. */
export function confidenceOf(reading: ResponseReading | undefined): number {
  if (reading === undefined) return unstated.plain;
  if (reading.how === "fallback") return unstated.unreadable;
  const { confidence } = reading.response.data;
  if (typeof confidence === "number" && confidence >= 0 && confidence <= 1) return confidence;
  if (reading.problems && reading.problems.length > 0) return unstated.invalid;
  return reading.how === "repaired" ? unstated.repaired : unstated.plain;
}

/** How the answer was read, and every liberty that was taken. */
function describeReading({ how, liberties, problems = [] }: ResponseReading): string {
  const taken = liberties.map(({ kind, path, times }) =>
    [
      kind,
      ...(path === undefined ? [] : [`at ${path}`]),
      ...(times === undefined ? [] : [`${times} times`]),
    ].join(" "),
  );
  const broken = problems.length === 0 ? "" : `; ${problems.length} problems`;
  return `read: ${how}${taken.length === 0 ? "" : ` (${taken.join("; ")})`}${broken}`.slice(
    0,
    limits.reasonLength,
  );
}
