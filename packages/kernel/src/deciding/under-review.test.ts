import { PipelineSchema, StageStatus } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { rejectionTargets, stagesUnderReview } from "./under-review.ts";

interface Given {
  readonly after?: readonly string[];
  /** Whether it changed the repository; undefined where there is none. */
  readonly changed?: boolean;
  readonly artifacts?: number;
  readonly status?: StageStatus;
}

/** Stages by id; the last one is under review. */
function run(given: Readonly<Record<string, Given>>) {
  const ids = Object.keys(given);
  return create(PipelineSchema, {
    stages: ids.map((stageId, place) => {
      const { after, changed, artifacts = 0, status = StageStatus.COMPLETED } = given[stageId] ?? {};
      const before = ids[place - 1];
      return {
        stageId,
        status: place === ids.length - 1 ? StageStatus.DISPATCHED : status,
        config: { dependsOnStages: [...(after ?? (before ? [before] : []))] },
        ...(changed !== undefined && {
          commit: changed ? "two" : "one",
          workspace: { repository: "shop", baseCommit: "one" },
        }),
        result: { artifacts: Array.from({ length: artifacts }, () => ({ path: "a" })) },
      };
    }),
  });
}

describe("whose work is under review", () => {
  it("[PIP-08] is that of the stage itself, where it changed something", () => {
    const pipeline = run({ implement: { changed: true }, polish: { changed: true } });
    expect(stagesUnderReview(pipeline, "polish")).toEqual(["polish"]);
    expect(rejectionTargets(pipeline, "polish")).toEqual(["polish", "implement"]);
  });

  it("[PIP-08] is that of the nearest stage before it that changed something, where it changed nothing", () => {
    const pipeline = run({
      design: { changed: true },
      implement: { changed: true },
      verify: { changed: false },
      review: { changed: false },
    });
    expect(stagesUnderReview(pipeline, "review")).toEqual(["implement"]);
    expect(rejectionTargets(pipeline, "review")).toEqual(["implement", "review", "verify", "design"]);
  });

  it("[PIP-08] is that of both sides of a diamond, but not of what they both build on", () => {
    const sides = {
      design: { changed: true },
      left: { changed: true, after: ["design"] },
      right: { changed: true, after: ["design"] },
      review: { changed: false, after: ["left", "right"] },
    };
    expect(stagesUnderReview(run(sides), "review")).toEqual(["left", "right"]);
    const oneSide = run({ ...sides, right: { changed: false, after: ["design"] } });
    expect(stagesUnderReview(oneSide, "review")).toEqual(["left"]);
  });

  it("[PIP-08] comes from the files that agents name where there is no repository", () => {
    const pipeline = run({ implement: { artifacts: 2 }, review: {} });
    expect(stagesUnderReview(pipeline, "review")).toEqual(["implement"]);
  });

  it("[PIP-08] is that of the stage itself where nobody changed anything, or what did was left out", () => {
    expect(stagesUnderReview(run({ research: {}, write: {} }), "write")).toEqual(["write"]);
    const skipped = { artifacts: 1, status: StageStatus.SKIPPED };
    expect(stagesUnderReview(run({ research: skipped, write: {} }), "write")).toEqual(["write"]);
  });
});
