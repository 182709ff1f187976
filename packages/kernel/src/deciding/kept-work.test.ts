import { PipelineSchema, StageStatus } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { keptWork } from "./kept-work.ts";

interface Kept {
  readonly base: string;
  readonly commit: string;
  readonly after?: string;
}

function commandsOf(stages: Readonly<Record<string, Kept>>): readonly string[] {
  const pipeline = create(PipelineSchema, {
    stages: Object.entries(stages).map(([stageId, { base, commit, after }]) => ({
      ...{ stageId, commit, status: StageStatus.COMPLETED },
      config: { dependsOnStages: after === undefined ? [] : [after] },
      workspace: { repository: "/shop", baseCommit: base },
    })),
  });
  return keptWork(pipeline).map(({ mergeCommand }) => mergeCommand);
}

it("[PIP-12] a run has a merge command for its last work, also where the last stage changed nothing", () => {
  const write = { base: "a0", commit: "b1" };
  const review = { base: "b1", commit: "b1", after: "write" };
  expect(commandsOf({ write, review })).toEqual(["git -C /shop merge b1"]);
});

it("[PIP-12] a run without changes has no merge command, and neither has the side of it that changed nothing", () => {
  const idle = { base: "a0", commit: "a0" };
  expect(commandsOf({ idle })).toEqual([]);
  expect(commandsOf({ idle, review: { ...idle, after: "idle" } })).toEqual([]);
  expect(commandsOf({ idle, busy: { base: "a0", commit: "c2" } })).toEqual(["git -C /shop merge c2"]);
});
