import { Outcome, RiskTier } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { stages } from "../../../testing/pipelines.ts";
import { ada, Run } from "../../../testing/run.ts";
import { listTransitions } from "./transitions.ts";

const reported = (run: Run) =>
  listTransitions(run.records).map(({ stage, from, to, attempt, reason }) =>
    `${stage ?? "pipeline"}: ${from} ${to} ${attempt} ${reason}`.trimEnd(),
  );

describe("the transitions of a pipeline", () => {
  it("[TUR-08] [PIP-02] have a retry, when it is decided and why, and when the further attempt is sent", () => {
    const run = new Run({ stages: stages({ a: {} }) });
    run.answer("a", { status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "it is Tuesday" } });
    run.fireTimer("retry");
    expect(reported(run)).toEqual([
      "pipeline: NONE PENDING 0",
      "pipeline: PENDING RUNNING 0",
      "0: PENDING READY 1",
      "0: READY DISPATCHED 1",
      "0: DISPATCHED DISPATCHED 2 it is Tuesday",
      "0: DISPATCHED DISPATCHED 2",
    ]);
    const [decided, sent] = listTransitions(run.records).slice(-2);
    expect([decided?.dispatchId, sent?.dispatchId]).toEqual(["", "p/a/2"]);
  });

  it("[TUR-08] [PIP-08] say why work was rejected, and by whom", () => {
    const run = new Run({ stages: stages({ a: {} }), task: { riskTier: RiskTier.CRITICAL } });
    run.answer("a");
    run.give({
      type: "review",
      stageId: "a",
      dispatchId: "p/a/1",
      verdict: { kind: "reject", targetStageId: undefined, instructions: ["use the table"] },
      reason: "it guesses",
      by: ada,
    });
    const rejected = listTransitions(run.records).filter(({ to }) => to === "REJECTED");
    expect(rejected).toMatchObject([{ from: "DISPATCHED", reason: "a: it guesses" }]);
  });
});
