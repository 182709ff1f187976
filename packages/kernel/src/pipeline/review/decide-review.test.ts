import { RiskTier } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { ada, Run } from "../../../testing/run.ts";

const verdict = (targetStageId?: string) =>
  ({
    type: "review",
    stageId: "a",
    dispatchId: "p/a/1",
    verdict: { kind: "reject", targetStageId, instructions: [] },
    reason: "it guesses",
    by: ada,
  }) as const;
const approval = { ...verdict(), verdict: { kind: "approve" }, reason: "good" } as const;

describe("a reviewer", () => {
  it("[PIP-06] is not the author, is a person where one is wanted, and speaks of this attempt", () => {
    const run = new Run({ task: { riskTier: RiskTier.CRITICAL } });
    run.answer("a");
    const by = { kind: "human", id: "dev-1" } as const;
    expect(run.give({ ...verdict(), by })).toEqual(["refused: the author of the work cannot review it"]);
    expect(run.give({ ...verdict(), by: { kind: "agent", id: "qa-1", packId: "qa" } })).toEqual([
      "refused: this review is a person's",
    ]);
    expect(run.give({ ...verdict(), dispatchId: "p/a/9" })[0]).toContain(
      "does not wait for a review of p/a/9",
    );
    expect(run.give(verdict("nowhere"))).toEqual(['refused: there is no stage "nowhere"']);
  });

  it("[PIP-06] is not another instance of the author's pack, nor one that does not say what it is", () => {
    const run = new Run({}, { review: { normal: "agent" } });
    run.answer("a");
    expect(run.give({ ...approval, by: { kind: "agent", id: "dev-2", packId: "dev" } })).toEqual([
      'refused: "dev-2" is of the author\'s own pack "dev"',
    ]);
    expect(run.problem).toMatchObject({
      code: "BATON-PIPELINE-004",
      fix: "let an agent of another pack review it, or a person",
    });
    expect(run.give({ ...approval, by: { kind: "agent", id: "dev-2" } })[0]).toMatch(
      /^refused: .*does not name its pack/,
    );
    expect(run.give({ ...approval, by: { kind: "agent", id: "qa-1", packId: "qa" } }).at(-1)).toBe(
      "pipeline: completed",
    );
  });
});
