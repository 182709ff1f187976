import { AuditEventType, Outcome, ResponseStatus, StageSchema } from "@baton/contract";
import { create, type JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { stages } from "../../../testing/pipelines.ts";
import { ada, Run } from "../../../testing/run.ts";

const optional = { required: false };
const says = (status: ResponseStatus, data: JsonObject = {}, message = "") => ({
  response: { status, data, message },
});
const success = (data: JsonObject = {}) => says(ResponseStatus.SUCCESS, data);

describe("a workflow graph as a pipeline", () => {
  const branches = stages({
    score: {},
    high: { ...optional, dependsOnStages: ["score"], condition: "response.data.score > 0.8" },
    low: { ...optional, dependsOnStages: ["score"], condition: "response.data.score <= 0.8" },
    join: {
      ...optional,
      dependsOnStages: ["high", "low"],
      condition: 'nodes["high"].ran || nodes["low"].ran',
    },
  });

  it("[SAC-05] takes the branch whose condition holds, leaves the other out, and joins", () => {
    const run = new Run({ stages: branches });
    expect(run.answer("score", success({ score: 0.9 })).slice(2)).toEqual([
      "high: ready",
      "low: left out, its condition is false",
      "high: attempt 1 to dev-1",
    ]);
    expect(run.answer("high").slice(2)).toEqual(["join: ready", "join: attempt 1 to dev-1"]);
    expect(run.answer("join").at(-1)).toBe("pipeline: completed");
  });

  it("[SAC-05] routes a condition that cannot be evaluated as failure, with the reason", () => {
    const run = new Run({ stages: branches });
    const lines = run.answer("score", success({}));
    expect(lines[2]).toMatch(
      /^asks a person about FAILURE: stage "high" is left out: its condition cannot be evaluated: .*score/,
    );
    expect(lines[3]).toMatch(/^high: left out, its condition cannot be evaluated: .*score/);
    expect(lines.at(-1)).toBe("pipeline: completed");
  });

  it("[SAC-06] fills the inputs of the next node and keeps their types", () => {
    const inputMapping = { names: "{{find.data.names}}", text: "{{find.data.names}} of {{input.company}}" };
    const run = new Run({
      stages: stages({ find: {}, mail: { inputMapping } }),
      task: { inputs: { company: "Acme" } },
    });
    run.answer("find", success({ names: ["Ada", "Bob"] }));
    expect(run.envelope("mail").inputs).toEqual({ names: ["Ada", "Bob"], text: '["Ada","Bob"] of Acme' });
  });

  it("[SAC-06] stops with a clear reason when a path is missing", () => {
    const run = new Run({
      stages: stages({ find: {}, mail: { inputMapping: { names: "{{find.data.names}}" } } }),
    });
    expect(run.answer("find", success({ people: [] })).at(-1)).toMatch(
      /^pipeline: paused, stage "mail" cannot run: its input "names" cannot be filled: .*names/,
    );
  });

  it("[SAC-01] offers completed where the author of the graph allows it, and nowhere else", () => {
    const run = new Run({ stages: stages({ find: { mayComplete: true }, mail: {} }) });
    expect(run.envelope("find").mayComplete).toBe(true);
    run.answer("find", success());
    expect(run.envelope("mail").mayComplete).toBe(false);
  });

  it("[SAC-07] failure goes to the error edge", () => {
    const given = stages({
      work: { ...optional, errorStageId: "repair" },
      next: { ...optional, dependsOnStages: ["work"], condition: 'response.status == "success"' },
      repair: { ...optional, dependsOnStages: ["work"], condition: 'response.status == "failure"' },
    });
    const run = new Run({ stages: given });
    expect(run.answer("work", says(ResponseStatus.FAILURE, {}, "no such person"))).toEqual([
      "work: result received",
      "work: skipped, no such person",
      "next: left out, its condition is false",
      "repair: ready",
      "repair: attempt 1 to dev-1",
    ]);
    expect(run.answer("repair").at(-1)).toBe("pipeline: completed");
  });

  it("[SAC-07] failure without an error edge stops", () => {
    const run = new Run();
    expect(run.answer("a", says(ResponseStatus.FAILURE, {}, "no such person")).at(-1)).toBe(
      'pipeline: paused, stage "a" failed: no such person',
    );
  });

  it("[SAC-07] clarification_needed asks, and the answer resumes the node without costing a retry", () => {
    const run = new Run({ stages: stages({ a: { handoffPolicy: { retry: { maxAttempts: 1 } } } }) });
    expect(run.answer("a", says(ResponseStatus.CLARIFICATION_NEEDED, {}, "Which Acme?"))).toEqual([
      "a: result received",
      "asks a person about CLARIFICATION: Which Acme?",
      'a: asks "Which Acme?"',
    ]);
    expect(
      run.give({
        type: "resolve",
        ...{ escalationId: "p/e1", resolution: "the one in Paris", reason: "they called", by: ada },
      }),
    ).toEqual(["answered: the one in Paris", "a: tried again, waits for its turn", "a: attempt 2 to dev-1"]);
    expect(run.envelope("a").clarifications).toMatchObject([
      { question: "Which Acme?", answer: "the one in Paris", answeredBy: "ada" },
    ]);
    expect(run.state?.retriesUsed).toBe(0);
    const reported = run.audit.findLast(({ eventType }) => eventType === AuditEventType.ESCALATION_RESOLVED);
    expect(reported).toMatchObject({ actor: { id: "ada" }, rationale: "they called" });
    expect(run.answer("a").at(-1)).toBe("pipeline: completed");
  });

  it("[SAC-11] an edge that goes back is taken as often as it may be", () => {
    const given = [
      create(StageSchema, { stageId: "draft", taskType: "code", config: { required: true } }),
      create(StageSchema, {
        stageId: "check",
        taskType: "review",
        config: {
          required: true,
          dependsOnStages: ["draft"],
          rewindEdges: [{ condition: "response.data.score < 0.5", targetStageId: "draft", maxTimes: 2 }],
        },
      }),
    ];
    const run = new Run({ stages: given, policy: { maxRejections: 1 } });
    for (const _ of [1, 2]) {
      run.answer("draft");
      expect(
        run
          .answer("check", {
            ...success({ score: 0.1 }),
            status: { outcome: Outcome.SUCCESS, summary: "weak" },
          })
          .slice(2),
      ).toEqual(["draft: sent back, resets check", expect.stringContaining("draft: attempt")]);
      expect(run.envelope("draft").reviewFeedback?.instructions).toEqual(["weak"]);
    }
    run.answer("draft");
    expect(run.answer("check", success({ score: 0.1 })).at(-1)).toBe("pipeline: completed");
    expect(run.state?.rejectionsUsed).toBe(0);
  });

  it("[SAC-05] [SAC-11] an edge whose condition cannot be evaluated is not taken, and a person is notified", () => {
    const rewindEdges = [{ condition: "response.data.score < 0.5", targetStageId: "draft", maxTimes: 2 }];
    const run = new Run({ stages: stages({ draft: {}, check: { rewindEdges }, publish: {} }) });
    run.answer("draft");
    const [, reported, ...rest] = run.answer("check", success({}));
    expect(reported).toMatch(
      /^asks a person about FAILURE: the edge from "check" back to "draft" is not taken: its condition cannot be evaluated: .*score/,
    );
    expect(rest).toEqual(["check: completed", "publish: ready", "publish: attempt 1 to dev-1"]);
    expect(run.state?.life.status).toBe("RUNNING");
    expect(run.audited()).toContain("ESCALATION check");
  });

  it("[TUR-07] an agent that grows less and less sure is worth a person's look, and nothing stops", () => {
    const run = new Run();
    const turns = [0.9, 0.85, 0.75, 0.6, 0.5, 0.4, 0.3, 0.2];
    const lines = turns.flatMap((confidence, turnIndex) =>
      run.give({ type: "turn", dispatchId: "p/a/1", turnIndex, confidence }),
    );
    expect(lines.filter((line) => line.includes("ENTROPY"))).toHaveLength(1);
    expect(run.openQuestions()[0]).toMatch(/confidence fell/);
    expect(run.answer("a").at(-1)).toBe("pipeline: completed");
  });

  it("[TUR-07] a retransmitted turn moves nothing, also one that is long past", () => {
    const run = new Run();
    const report = (turnIndex: number) =>
      run.give({ type: "turn", dispatchId: "p/a/1", turnIndex, confidence: 0.8 });
    for (let turnIndex = 0; turnIndex < 100; turnIndex++) expect(report(turnIndex)).toHaveLength(1);
    const { state } = run;
    expect([...report(99), ...report(98), ...report(99), ...report(0)]).toEqual([]);
    expect(run.state).toBe(state);
  });
});
