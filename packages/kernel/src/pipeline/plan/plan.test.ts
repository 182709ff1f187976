import { FailureStrategy, PipelinePolicySchema, StageSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import type { Init } from "../../../testing/init.ts";
import { stages } from "../../../testing/pipelines.ts";
import { planPipeline } from "./plan.ts";
import { planDefaults } from "./plan-stage.ts";

const plan = (...inits: Init<typeof StageSchema>[]) =>
  planPipeline(
    inits.map((init) => create(StageSchema, { taskType: "code", ...init })),
    undefined,
  );
const problemsOf = (result: ReturnType<typeof planPipeline>) =>
  result.ok ? [] : result.problems.map(({ at, message }) => `${at}: ${message}`);

describe("planning", () => {
  it("[PIP-01] orders stages so that each comes after those it depends on, else as they are written", () => {
    const given = stages({
      d: { dependsOnStages: ["b", "c"] },
      b: { dependsOnStages: ["a"] },
      c: { dependsOnStages: ["a"] },
      a: { dependsOnStages: [] },
    });
    const result = planPipeline(given, undefined);
    expect(result.ok && result.plan.stages.map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
    expect(result.ok && result.plan.stages[0]?.dependents).toEqual([1, 2]);
  });

  it("[PIP-01] names a stage that is not there, and those that are", () => {
    const result = plan({ stageId: "a" }, { stageId: "b", config: { dependsOnStages: ["a", "x"] } });
    expect(result.ok ? undefined : result.problems[0]).toEqual({
      code: "BATON-PIPELINE-001",
      at: "stages[1].config.depends_on_stages[1]",
      message: 'there is no stage "x"',
      fix: "use one of: a, b",
    });
  });

  it("[PIP-01] names a circle all the way round", () => {
    const result = plan(
      { stageId: "a", config: { dependsOnStages: ["c"] } },
      { stageId: "b", config: { dependsOnStages: ["a"] } },
      { stageId: "c", config: { dependsOnStages: ["b"] } },
    );
    expect(problemsOf(result)).toEqual(["stages: the stages depend on each other in a cycle: a → b → c → a"]);
  });

  it("[PIP-01] names everything that is wrong at once", () => {
    const config = {
      errorStageId: "y",
      rewindEdges: [{ condition: "true", targetStageId: "z", maxTimes: 1 }],
    };
    expect(
      problemsOf(plan({ stageId: "a" }, { stageId: "a" }, { stageId: "", taskType: "", config })),
    ).toEqual([
      'stages[1].stage_id: "a" is used twice',
      "stages[2].stage_id: the stage has no id",
      "stages[2].task_type: the stage has no task type",
      'stages[2].config.error_stage_id: there is no stage "y"',
      'stages[2].config.rewind_edges[0].target_stage_id: there is no stage "z"',
    ]);
    expect(problemsOf(plan())).toEqual(["stages: the pipeline has no stages"]);
    const many = Array.from({ length: planDefaults.maxStages + 1 }, (_, index) => ({ stageId: `s${index}` }));
    expect(problemsOf(plan(...many))).toEqual([
      "stages: 1001 stages are more than the 1000 that are allowed",
    ]);
  });

  it("[SAC-05] finds a condition that cannot be evaluated when the pipeline is planned", () => {
    const config = { dependsOnStages: ["a"], condition: "response.stats == 'success'" };
    const [problem] = problemsOf(plan({ stageId: "a" }, { stageId: "b", config }));
    expect(problem).toMatch(/^stages\.b\.config\.condition: .*stats/);
  });

  it("[SAC-06] finds a template of a node that is not there when the pipeline is planned", () => {
    const config = { dependsOnStages: ["a"], inputMapping: { names: "{{nobody.data.names}}" } };
    const [problem] = problemsOf(plan({ stageId: "a" }, { stageId: "b", config }));
    expect(problem).toMatch(/^stages\.b\.config\.input_mapping\.names: .*nobody/);
  });

  it("[PIP-01] refuses an edge that goes back to a stage that does not come before", () => {
    const edge = (targetStageId: string) => ({
      rewindEdges: [{ condition: "true", targetStageId, maxTimes: 1 }],
    });
    expect(problemsOf(plan({ stageId: "a", config: edge("b") }, { stageId: "b" }))).toEqual([
      'stages.a.config.rewind_edges[0].target_stage_id: "a" does not depend on "b", so no edge can go back there',
    ]);
    expect(problemsOf(plan({ stageId: "a", config: edge("a") }))).toEqual([]);
  });

  it("[SAC-07] refuses an error edge to a stage that does not wait for the failure", () => {
    const work = { stageId: "work", config: { errorStageId: "repair" } };
    const repair = {
      stageId: "repair",
      config: { dependsOnStages: ["work"], condition: 'response.status == "failure"' },
    };
    expect(problemsOf(plan(work, repair))).toEqual([]);
    expect(problemsOf(plan(work, { stageId: "repair" }))).toEqual([
      'stages.work.config.error_stage_id: "repair" does not wait for a failure of "work"',
    ]);
    expect(problemsOf(plan({ ...work, config: { ...work.config, required: true } }, repair))).toEqual([
      'stages.work.config.error_stage_id: "work" is required, so a failure cannot be handed on',
    ]);
  });

  it("refuses a stage that is required and has a condition", () => {
    const config = { dependsOnStages: ["a"], condition: "true", required: true };
    expect(problemsOf(plan({ stageId: "a" }, { stageId: "b", config }))).toEqual([
      "stages.b.config.condition: a stage whose condition is false is left out, so it cannot be required",
    ]);
  });

  it("[DIS-16] refuses a security flag that does not exist, and names those that do", () => {
    const escalation = { autoEscalateOnSecurityFlag: ["touches_auth", "touches_everything"] };
    const result = plan({ stageId: "a", config: { handoffPolicy: { escalation } } });
    expect(result.ok ? undefined : result.problems).toEqual([
      {
        code: "BATON-PIPELINE-001",
        at: "stages.a.config.handoff_policy.escalation.auto_escalate_on_security_flag[1]",
        message: 'there is no security flag "touches_everything"',
        fix: "use one of: touches_auth, touches_schema, touches_billing, touches_secrets",
      },
    ]);
  });

  it("fills in what nobody said", () => {
    const result = planPipeline(stages({ a: {} }), create(PipelinePolicySchema, {}));
    expect(result.ok && result.plan.limits).toEqual({
      maxTotalRetries: 10,
      maxRejections: 3,
      deadlineMs: undefined,
      softDeadline: false,
      failureStrategy: FailureStrategy.PAUSE,
      serial: false,
      budget: {},
    });
    expect(result.ok && result.plan.stages[0]?.retry).toEqual({
      maxAttempts: 3,
      initialBackoffMs: 1000,
      multiplier: 2,
      maxBackoffMs: 60_000,
      jitter: 0.2,
    });
  });
});
