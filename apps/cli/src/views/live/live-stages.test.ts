import { type Stage, StageStatus } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { aPipeline } from "../../../testing/sample.ts";
import { Activities } from "../../story/activities.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { renderActivity, renderLiveStages } from "./live-stages.ts";

const terminal = (columns: number): Terminal => ({
  ...{ isTerminal: true, canRedraw: true, columns, rows: 30, colours: false, unicode: true },
});

const first = "7d1f0a52-8f0e-4a4f-9c77-2d6b1c8e4a01";
const second = "7d1f0a52-1111-4a4f-9c77-2d6b1c8e4a02";
const startMs = Date.UTC(2027, 0, 31, 12, 0, 50);

function drawn(columns: number, change: (stages: Stage[]) => void): readonly string[] {
  const pipeline = aPipeline();
  change(pipeline.stages);
  return renderLiveStages(terminal(columns), pipeline, new Activities(), startMs);
}

const assign = (ids: readonly string[]) => (stages: Stage[]) => {
  for (const [at, id] of ids.entries()) Object.assign(stages[at] ?? {}, { assignedInstanceId: id });
};

describe("the stages of a live picture", () => {
  it.each([40, 60, 100])("[TUR-03] show where a thought has got to, at %i columns", (columns) => {
    const words = Array.from({ length: 60 }, (_, at) => `word-${at}`);
    const lines = [30, 45, 60].map((count) =>
      renderActivity(terminal(columns), { label: "thinks", text: words.slice(0, count).join(" ") }),
    );
    expect(lines.map((line) => line.split(" ").at(-1))).toEqual(["word-29", "word-44", "word-59"]);
    for (const line of lines) {
      expect(line).toMatch(/^ {4}thinks {2}…word-\d+ /);
      expect(line.length).toBeLessThanOrEqual(columns);
    }
    const long = renderActivity(terminal(columns), { label: "thinks", text: "x".repeat(500) });
    expect(long.length).toBeLessThanOrEqual(columns);
    expect(renderActivity(terminal(columns), { label: "prints", text: words.join(" ") })).toContain(
      "word-0 word-1",
    );
  });

  it("[TUR-05] have room for their notes: generated ids are cut to an unambiguous prefix", () => {
    const note = "waits for the hub's own look at the evidence";
    const lines = drawn(100, (stages) => {
      assign([first, first])(stages);
      Object.assign(stages[1] ?? {}, { waitingFor: note.replace("waits for ", "") });
    });
    expect(lines.find((line) => line.includes("review"))).toMatch(/qa-engineer\/7d1f0a52 +waits for the hub/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    const two = drawn(100, assign([first, second])).join("\n");
    expect(two).toContain("senior-ts-dev/7d1f0a52-8");
    expect(two).toContain("qa-engineer/7d1f0a52-1");
    expect(drawn(100, assign(["mine-and-only-mine"])).join("\n")).toContain(
      "senior-ts-dev/mine-and-only-mine",
    );
  });

  it.each([
    [60, false],
    [71, false],
    [72, true],
    [80, true],
  ])("[TUR-05] keep their layout whatever they say, at %i columns", (columns, isTable) => {
    const states: ((stages: Stage[]) => void)[] = [
      () => {},
      assign([first, second]),
      (stages) => {
        for (const stage of stages)
          Object.assign(stage, {
            stageName: "a name that is rather long for it",
            waitingFor: "x".repeat(90),
          });
      },
      (stages) => {
        for (const stage of stages) Object.assign(stage, { status: StageStatus.PENDING, assignedPackId: "" });
      },
    ];
    for (const state of states) {
      const lines = drawn(columns, state);
      expect(lines.some((line) => line.includes("STAGE "))).toBe(isTable);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    }
  });

  it("[TUR-05] say how long it is until the next attempt, and not that it is waited for when it is due", () => {
    const until = (ms: number) => (stages: Stage[]) =>
      Object.assign(stages[1] ?? {}, { waitingFor: `the next attempt at ${new Date(ms).toISOString()}` });
    expect(drawn(100, until(startMs + 3000)).join("\n")).toContain("waits for the next attempt, in 3s");
    expect(drawn(100, until(startMs - 1)).join("\n")).toContain("the next attempt is due");
  });

  it("[TUR-05] say in a narrow terminal what is waited for, below the stage", () => {
    const lines = drawn(60, (stages) =>
      Object.assign(stages[1] ?? {}, { waitingFor: 'an agent: every agent that may take "review" is busy' }),
    );
    expect(lines.some((line) => line.startsWith("    waits   for an agent: every agent that may take"))).toBe(
      true,
    );
  });

  it("[TUR-05] keep a column that nobody fills yet", () => {
    const nobody = drawn(100, (stages) => {
      for (const stage of stages) Object.assign(stage, { assignedPackId: "", assignedInstanceId: "" });
    });
    expect(nobody[0]).toMatch(/STAGE +STATUS +ELAPSED +ATTEMPT +AGENT +NOTE/);
  });
});
