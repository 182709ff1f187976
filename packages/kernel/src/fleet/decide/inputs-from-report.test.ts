import { AuditEventType, Outcome } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { testFleet } from "../../../testing/fleet.ts";
import { stages } from "../../../testing/pipelines.ts";
import { Run } from "../../../testing/run.ts";
import { startMs } from "../../../testing/world.ts";
import { Fleet } from "../testing/fleet.ts";
import { type DispatchOutcome, inputsFromReport } from "./inputs-from-report.ts";

const of = { packId: "dev", instanceId: "dev-1" };
const ended = (outcome: DispatchOutcome) =>
  inputsFromReport({
    ...{ kind: "ended", dispatchId: "d", ...of, taskType: "code" },
    ...{ outcome, reason: "because", error: "because" },
  });

describe("the report of a dispatch", () => {
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

  it("[DIS-05] [SAC-07] let breakers not count a failure that an error edge takes, which is a failed attempt all the same", () => {
    const sent = (outcome: Outcome, errorStageId: string) => {
      const b = { required: false, condition: 'response.status == "failure"' };
      const run = new Run({ stages: stages({ a: { required: errorStageId === "", errorStageId }, b }) });
      run.answer("a", { status: { outcome, failureReason: "no" } });
      return run.commands
        .flatMap((command) => (command.type === "notify-fleet" ? inputsFromReport(command.report) : []))
        .find(({ kind }) => kind === "settled");
    };
    const failed = { endedAs: "failed" };
    expect(sent(Outcome.NON_RETRYABLE_FAILURE, "b")).toMatchObject({ outcome: "withdrawn", ...failed });
    expect(sent(Outcome.NON_RETRYABLE_FAILURE, "")).toMatchObject({ outcome: "failed", ...failed });
    expect(sent(Outcome.RETRYABLE_FAILURE, "b")).toMatchObject({ outcome: "failed", ...failed });
  });

  it("[DIS-14] [OBS-02] make the audit of an invalid result say how many in a row it is", () => {
    const fleet = new Fleet();
    fleet.nowMs = startMs;
    fleet.register({
      minOrchestratorVersion: "0.1.0",
      interface: { supportedSchemaVersions: ["1.x"], acceptedRiskTiers: ["NORMAL"] },
    });
    fleet.beat("dev-1");
    const run = new Run({ stages: stages({ a: {}, b: {} }) }, { fleet: fleet.view });
    let reported = 0;
    const enqueueFleet = () => {
      fleet.nowMs = run.world.nowMs;
      for (const command of run.commands.slice(reported)) {
        if (command.type === "notify-fleet")
          inputsFromReport(command.report).map((input) => fleet.take(input));
      }
      reported = run.commands.length;
    };
    for (const [stage, attemptNumber] of [
      ["a", 9],
      ["a", 9],
      ["a", 3],
      ["b", 9],
    ] as const) {
      enqueueFleet();
      run.answer(stage, { attemptNumber });
      if (attemptNumber === 9) run.fireTimer("retry");
    }
    expect(invalidCounts(run)).toEqual([1, 2, 1]);
  });

  it("[OBS-02] need not be folded first: the audit counts the result that it reports", () => {
    const run = new Run({}, { fleet: testFleet([{ packId: "dev", invalidResultsInARow: 4 }]) });
    run.give({ type: "result", dispatchId: "p/a/1", answer: { kind: "unreadable", reason: "nonsense" } });
    expect(invalidCounts(run)).toEqual([5]);
  });

  it("[DIS-03] come from every end of an attempt", () => {
    const run = new Run();
    run.fireTimer("timeout");
    run.fireTimer("retry");
    run.answer("a");
    const report = run.commands.flatMap((command) =>
      command.type === "notify-fleet" ? [command.report] : [],
    );
    expect(report.map((one) => (one.kind === "ended" ? one.outcome : one.kind))).toEqual([
      "dispatched",
      "lost",
      "dispatched",
      "succeeded",
    ]);
  });
});

function invalidCounts({ audit }: Run): readonly number[] {
  return audit.flatMap(({ eventType, snapshot }) => {
    const payload = snapshot?.snapshotPayload;
    const isInvalid = eventType === AuditEventType.RESULT_INVALID && payload?.case === "result";
    return isInvalid ? [payload.value.consecutiveInvalidResults] : [];
  });
}
