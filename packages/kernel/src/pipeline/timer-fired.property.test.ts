import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyHappening, anyPipeline, inputFor } from "../../testing/index.ts";
import { Run } from "../../testing/run.ts";
import type { Command } from "./decision/command.ts";
import type { PipelineInput } from "./decision/input.ts";
import { waitOf } from "./state/stage-state.ts";
import type { PipelineState } from "./state/state.ts";

const numRuns = Number(process.env.BATON_FUZZ_RUNS ?? 300);

/** What a pipeline waits for in time, by the name of its timer. */
function awaited({ life, deadlineAtMs, stages, plan }: PipelineState): readonly string[] {
  if (life.status !== "RUNNING" && life.status !== "PAUSED") return [];
  const ofStages = stages.flatMap((stage, index) => {
    const wait = waitOf(stage);
    if (wait?.kind === "backoff") return [`retry ${stage.attempt} ${plan.stages[index]?.id}`];
    if (stage.status !== "DISPATCHED" || stage.phase.kind !== "sent") return [];
    return [`timeout ${stage.phase.sent.dispatchId}`];
  });
  return [...(deadlineAtMs === undefined ? [] : ["deadline"]), ...ofStages].sort();
}

/** Keeps timers as a engine does: a ring uses its timer up, then the commands are carried out. */
function executeCommand(
  timers: Set<string>,
  input: PipelineInput | undefined,
  commands: readonly Command[],
): void {
  if (input?.type === "timer") timers.delete(input.timerId);
  for (const command of commands) {
    if (command.type === "set-timer") timers.add(command.timerId);
    if (command.type === "clear-timer") expect(timers.delete(command.timerId)).toBe(true);
  }
}

describe("whatever happens to a pipeline", () => {
  it("[PIP-11] [DIS-13] a timer is set for all it waits for in time, and for nothing else", () => {
    const story = fc.tuple(anyPipeline(), fc.array(anyHappening(), { maxLength: 60, size: "max" }));
    fc.assert(
      fc.property(story, ([pipeline, happenings]) => {
        const run = new Run(pipeline);
        const timers = new Set<string>();
        executeCommand(timers, undefined, run.commands);
        for (const happening of happenings) {
          const input = inputFor(run, happening);
          const before = run.commands.length;
          if (!input || !run.state) continue;
          run.give(input);
          executeCommand(timers, input, run.commands.slice(before));
          expect([...timers].sort()).toEqual(awaited(run.state));
        }
      }),
      { numRuns },
    );
  });
});
