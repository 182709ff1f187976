import { AuditEventType, ResponseStatus, StageSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import type { Init } from "../../../testing/init.ts";
import { Run } from "../../../testing/run.ts";

type Edge = { readonly condition: string; readonly targetStageId: string; readonly maxTimes: number };

const onRequest = (targetStageId: string, maxTimes: number): Edge => ({
  condition: 'response.status == "retry_with_instruction"',
  ...{ targetStageId, maxTimes },
});

/** plan → draft → check, with back edges of check, and a stage that takes over when check fails. */
function negotiation(
  rewindEdges: readonly Edge[],
  policy: Init<typeof import("@baton/contract").PipelinePolicySchema> = {},
) {
  const stage = (stageId: string, config: object) =>
    create(StageSchema, { stageId, taskType: "code", config });
  return new Run({
    stages: [
      stage("plan", { required: true }),
      stage("draft", { required: true, dependsOnStages: ["plan"] }),
      stage("check", {
        dependsOnStages: ["draft"],
        ...{ rewindEdges, errorStageId: "repair" },
      }),
      stage("repair", { dependsOnStages: ["check"], condition: 'check.status == "failure"' }),
    ],
    policy,
  });
}

const asksAgain = {
  response: {
    ...{ status: ResponseStatus.RETRY_WITH_INSTRUCTION, message: "name the date" },
    thought: "No date, so nobody knows when to come.",
  },
};

describe("retry_with_instruction of a stage with back edges", () => {
  it("[SAC-11] goes to the target of its own edge, not to the last dependency, and costs no rejection", () => {
    const run = negotiation([onRequest("plan", 2)], { noRejections: true });
    run.answer("plan");
    run.answer("draft");
    expect(run.answer("check", asksAgain).slice(1)).toEqual([
      "plan: sent back, resets draft, check",
      "plan: attempt 2 to dev-1",
    ]);
    expect(run.envelope("plan").reviewFeedback).toMatchObject({
      rejectedByStage: "check",
      instructions: ["name the date"],
    });
    expect(run.state?.rejectionsUsed).toBe(0);
    expect(run.audited()).toContain("GATE_REJECTED check");
  });

  it("[SAC-11] is offered to the agent while an edge back is left, and to no other stage", () => {
    const run = negotiation([onRequest("draft", 1)]);
    run.answer("plan");
    expect(run.envelope("draft").mayRetryWithInstruction).toBe(false);
    run.answer("draft");
    expect(run.envelope("check").mayRetryWithInstruction).toBe(true);
    run.answer("check", asksAgain);
    run.answer("draft");
    expect(run.envelope("check").mayRetryWithInstruction).toBe(false);
  });

  it("[SAC-11] fails the stage when the bound of its edge is reached: the error edge takes over", () => {
    const run = negotiation([onRequest("draft", 2)]);
    run.answer("plan");
    for (const _ of [1, 2]) {
      run.answer("draft");
      run.answer("check", asksAgain);
    }
    run.answer("draft");
    const lines = run.answer("check", asksAgain);
    expect(lines[1]).toMatch(
      /^check: skipped, it asks for another try, and its edge back to "draft" was taken 2 times, which is its bound: name the date/,
    );
    expect(lines.at(-1)).toBe("repair: attempt 1 to dev-1");
    expect(run.audited()).toContain("GATE_FAILED check");
    expect(run.state?.rejectionsUsed).toBe(0);
  });

  it("[SAC-11] takes the next edge whose condition holds when the first has reached its bound", () => {
    const run = negotiation([onRequest("draft", 1), onRequest("plan", 1)]);
    run.answer("plan");
    run.answer("draft");
    expect(run.answer("check", asksAgain)[1]).toBe("draft: sent back, resets check");
    run.answer("draft");
    expect(run.answer("check", asksAgain)[1]).toBe("plan: sent back, resets draft, check");
  });

  it("[SAC-11] goes to the previous stage, as a rejection, when none of its edges is about this answer", () => {
    const run = negotiation([{ ...onRequest("plan", 2), condition: 'response.status == "completed"' }]);
    run.answer("plan");
    run.answer("draft");
    expect(run.answer("check", asksAgain)[1]).toBe("draft: sent back, resets check");
    expect(run.state?.rejectionsUsed).toBe(1);
  });
});

describe("the audit entry of a result", () => {
  const entryOf = (run: Run) =>
    run.audit.findLast(({ eventType }) => eventType === AuditEventType.RESULT_RECEIVED)?.snapshot
      ?.snapshotPayload.value;

  it("[SAC-10] has the structured answer and its thought", () => {
    const run = negotiation([]);
    run.answer("plan", {
      response: {
        ...{ status: ResponseStatus.SUCCESS, thought: "Two guests.", message: "planned" },
        ...{ data: { guests: ["Ada", "Bob"], share: 0.5 }, nextStepHint: "invite them" },
      },
    });
    expect(entryOf(run)).toMatchObject({
      response: {
        ...{ status: ResponseStatus.SUCCESS, thought: "Two guests.", message: "planned" },
        ...{ dataJson: '{"guests":["Ada","Bob"],"share":0.5}', nextStepHint: "invite them" },
      },
    });
  });

  it("[SAC-10] cuts long texts and leaves out long data, and says how long it was", () => {
    const run = negotiation([]);
    const long = "word ".repeat(20_000);
    run.answer("plan", {
      response: { status: ResponseStatus.SUCCESS, thought: long, data: { long } },
    });
    const dataLeftOutChars = JSON.stringify({ long }).length;
    expect(entryOf(run)).toMatchObject({
      response: { thought: long.slice(0, 65_534), dataJson: "", dataLeftOutChars },
    });
  });
});
