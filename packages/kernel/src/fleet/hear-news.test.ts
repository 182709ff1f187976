import { describe, expect, it } from "vitest";
import { Run } from "../../testing/run.ts";
import type { DispatchOutcome } from "../pipeline/command.ts";
import { fleetInputsFor } from "./hear-news.ts";

const of = { packId: "dev", instanceId: "dev-1" };
const ended = (outcome: DispatchOutcome) =>
  fleetInputsFor({ kind: "ended", dispatchId: "d", ...of, taskType: "code", outcome, reason: "because" });

describe("news of a dispatch", () => {
  it("[DIS-14] count an invalid result, and let a valid one clear the count, also when the task failed", () => {
    expect(ended("invalid")[1]).toEqual({ kind: "result", ...of, valid: false, error: "because" });
    expect(ended("failed")[1]).toEqual({ kind: "result", ...of, valid: true });
    expect(ended("succeeded")[1]).toEqual({ kind: "result", ...of, valid: true });
  });

  it("[DIS-05] let breakers count what failed or was lost, and not what was cancelled", () => {
    const outcomes = (["succeeded", "failed", "invalid", "lost", "cancelled"] as const).map(
      (outcome) => ended(outcome)[0],
    );
    expect(outcomes.map((input) => input?.kind === "settled" && input.outcome)).toEqual([
      "succeeded",
      "failed",
      "failed",
      "failed",
      "withdrawn",
    ]);
    expect([ended("lost").length, ended("cancelled").length]).toEqual([1, 1]);
  });

  it("[DIS-03] come from every end of an attempt", () => {
    const run = new Run();
    run.ring("timeout");
    run.ring("retry");
    run.answer("a");
    const news = run.commands.flatMap((command) => (command.type === "tell-fleet" ? [command.news] : []));
    expect(news.map((one) => (one.kind === "ended" ? one.outcome : one.kind))).toEqual([
      "dispatched",
      "lost",
      "dispatched",
      "succeeded",
    ]);
  });
});
