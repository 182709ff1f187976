import { AuditEventType, Outcome } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { rewinding } from "../../../testing/index.ts";
import { stages, submission, type TestPipeline } from "../../../testing/pipelines.ts";
import { Run } from "../../../testing/run.ts";
import { startMs } from "../../../testing/world.ts";
import { decide } from "../decide.ts";
import type { Rerun } from "../decision/input.ts";
import { replay } from "../records/evolve.ts";

const plan: TestPipeline = {
  stages: stages({ plan: {}, build: {}, check: {}, notes: { dependsOnStages: ["plan"] } }),
  task: { workspace: { repository: "/r" }, inputs: { company: "Acme", size: "small" } },
};

function place(run: Run, stageId: string): void {
  for (const command of run.commands.splice(0)) {
    if (command.type !== "prepare-workspace") continue;
    const { attempt, branch, base, start } = command;
    const baseCommit = base.join("+") || "head";
    const made = { ok: true, path: branch, branch, baseCommit, startCommit: start ?? baseCommit } as const;
    run.give({ type: "workspace-prepared", stageId: command.stageId, attempt, made });
  }
  const dispatchId = run.envelope(stageId).execution?.dispatchId ?? "";
  run.answer(stageId);
  const verification = { commands: [], changes: undefined, commit: `of ${dispatchId}`, artifacts: [] };
  run.give({ type: "verified", dispatchId, verification });
}

/** A pipeline in which all is done. */
function done(): Run {
  const run = new Run(plan);
  for (const stage of ["plan", "build", "notes", "check"]) place(run, stage);
  expect(run.state?.life.status).toBe("COMPLETED");
  return run;
}

function rerunOf(run: Run, stageId: string, more: Partial<Rerun> = {}): Rerun {
  if (!run.state) throw new Error("there is nothing to run again");
  const asked = { reason: "another size", inputs: undefined, mergeInputs: false, instructions: [] };
  return { origin: run.state, stageId, ...asked, ...more };
}

function again(run: Run, stageId: string, more: Partial<Rerun> = {}): Run {
  return new Run({ ...plan, pipelineId: "q", rerun: rerunOf(run, stageId, more) });
}

const statuses = ({ state }: Run) => state?.stages.map(({ status }) => status);

describe("a rerun from a stage", () => {
  it("[TUR-08] takes over what does not depend on it, and runs the rest on the same commits", () => {
    const first = done();
    const run = again(first, "build");
    expect(statuses(run)).toEqual(["COMPLETED", "READY", "PENDING", "COMPLETED"]);
    expect(run.commands.find(({ type }) => type === "prepare-workspace")).toMatchObject({
      stageId: "build",
      base: ["of p/plan/1"],
      branch: "baton/q/build/1",
    });
    place(run, "build");
    place(run.pass(5_000), "check");
    expect(run.state?.life).toMatchObject({ status: "COMPLETED", summary: { stagesCompleted: 4 } });
    expect(first.state?.life.status).toBe("COMPLETED");
  });

  it("[TUR-08] counts its own time, not that of what was taken over", () => {
    const run = new Run(
      { ...plan, pipelineId: "q", rerun: rerunOf(done(), "check") },
      { nowMs: startMs + 60_000 },
    );
    place(run.pass(5_000), "check");
    const { life } = run.state ?? {};
    expect(life?.status === "COMPLETED" && life.summary.timing?.duration).toMatchObject({ seconds: 5n });
  });

  it("[TUR-08] keeps its origin in the state and in the audit record, with who and why", () => {
    const first = done();
    const run = again(first, "build");
    const origin = { pipelineId: "p", stageId: "build", reason: "another size", taken: ["plan", "notes"] };
    expect(run.state?.origin).toEqual({ ...origin, version: first.state?.version, instructions: [] });
    const made = run.audit.find(({ eventType }) => eventType === AuditEventType.PIPELINE_CREATED);
    expect(made).toMatchObject({ actor: { id: "ada" }, rationale: "another size" });
    expect(made?.snapshot?.snapshotPayload.value).toMatchObject({
      origin: { pipelineId: "p", stageId: "build", revision: BigInt(first.state?.version ?? 0) },
    });
    expect({ ...replay(run.records), plan: undefined }).toEqual({ ...run.state, plan: undefined });
  });

  it("[TUR-08] gives the stage its edited inputs, in place of its own or over them, and its instructions", () => {
    const place1 = (run: Run) => {
      const command = run.commands.find(({ type }) => type === "prepare-workspace");
      if (command?.type !== "prepare-workspace") throw new Error("a place is made");
      const { stageId, attempt, branch } = command;
      const made = { ok: true, path: "x", branch, baseCommit: "b", startCommit: "b" } as const;
      run.give({ type: "workspace-prepared", stageId, attempt, made });
      return run.envelope("build");
    };
    const replaced = again(done(), "build", { inputs: { size: "large" } });
    expect(place1(replaced).inputs).toEqual({ size: "large" });
    const merged = again(done(), "build", { inputs: { size: "large" }, mergeInputs: true });
    expect(place1(merged).inputs).toEqual({ company: "Acme", size: "large" });
    const reported = again(done(), "build", { instructions: ["use the small logo"] });
    expect(place1(reported).reviewFeedback?.instructions).toEqual(["use the small logo"]);
  });

  it("[TUR-08] refuses a stage that is not there, or whose stages before it are not done", () => {
    const run = new Run(plan);
    place(run, "plan");
    const refusalOf = (stageId: string, more: Partial<Rerun> = {}) => {
      const input = { ...submission(plan), pipelineId: "q", rerun: rerunOf(run, stageId, more) };
      const decision = decide(undefined, input, run.world);
      return decision.accepted ? undefined : decision.problem;
    };
    expect(refusalOf("dance")?.code).toBe("BATON-PIPELINE-003");
    expect(refusalOf("check")).toMatchObject({
      code: "BATON-PIPELINE-002",
      message: 'cannot rerun from "check": "build" before it is not done',
    });
    expect(refusalOf("build", { reason: "" })).toMatchObject({ code: "BATON-PIPELINE-004", at: "reason" });
    expect(refusalOf("build")).toBeUndefined();
  });

  it("[TUR-08] [DIS-15] is one pipeline under one key, and refused with other content", () => {
    const first = done();
    const run = again(first, "build");
    const same = { ...submission(plan), pipelineId: "q", rerun: rerunOf(first, "build") };
    run.give(same);
    expect(run.problem).toBeUndefined();
    for (const rerun of [
      rerunOf(first, "check"),
      rerunOf(first, "build", { inputs: { size: "large" } }),
      rerunOf(first, "build", { instructions: ["use the small logo"] }),
      rerunOf(first, "build", { reason: "another reason" }),
    ]) {
      run.give({ ...same, rerun });
      expect(run.problem?.code).toBe("BATON-PIPELINE-005");
    }
    run.give(submission(plan));
    expect(run.problem?.code).toBe("BATON-PIPELINE-005");
  });

  it("[TUR-08] [DIS-15] distinguishes replaced inputs from merged inputs, in any order of fields", () => {
    const first = done();
    const inputs = { size: "large", company: "Acme" };
    const run = again(first, "build", { inputs, mergeInputs: true });
    const give = (more: Partial<Rerun>) => {
      run.give({ ...submission(plan), pipelineId: "q", rerun: rerunOf(first, "build", more) });
      return run.problem?.code;
    };
    expect(give({ inputs: { company: "Acme", size: "large" }, mergeInputs: true })).toBeUndefined();
    expect(give({ inputs, mergeInputs: false })).toBe("BATON-PIPELINE-005");
  });

  it("[TUR-08] rewound to its beginning leaves the branches of the first pipeline alone", () => {
    const run = again(done(), "build");
    place(run, "build");
    const input = rewinding(run, 3);
    run.commands.splice(0);
    run.give(input);
    expect(run.problem).toBeUndefined();
    const commands = run.commands.filter(({ type }) => type === "restore-branches");
    expect(commands).toMatchObject([{ branches: { set: [], drop: ["baton/q/build/1"] } }]);
  });

  it("[TUR-08] cannot be rewound to before it took over what it has", () => {
    const run = again(done(), "build");
    place(run, "build");
    run.give(rewinding(run, 1));
    expect(run.problem).toMatchObject({
      code: "BATON-PIPELINE-003",
      fix: "rewind to revision 2, where it has what it took over",
    });
    run.give(rewinding(run, 2));
    expect(run.problem).toBeUndefined();
    expect(statuses(run)).toEqual(["COMPLETED", "READY", "PENDING", "COMPLETED"]);
  });

  it("[TUR-08] a review may send back what was taken over: it is done again, from what was kept of it", () => {
    const run = again(done(), "build");
    run.sendBack("plan", ["too big", "smaller"]);
    expect(statuses(run)).toEqual(["READY", "PENDING", "PENDING", "PENDING"]);
    expect(run.commands.findLast(({ type }) => type === "prepare-workspace")).toMatchObject({
      branch: "baton/q/plan/2",
      start: "of p/plan/1",
    });
  });

  it("[TUR-08] from a stage that failed begins where the first pipeline stopped", () => {
    const run = new Run(plan);
    place(run, "plan");
    for (const command of run.commands.filter(({ type }) => type === "prepare-workspace")) {
      if (command.type !== "prepare-workspace" || command.stageId !== "build") continue;
      const made = {
        ok: true,
        path: "x",
        branch: command.branch,
        baseCommit: "b",
        startCommit: "b",
      } as const;
      run.give({ type: "workspace-prepared", stageId: "build", attempt: 1, made });
    }
    run.answer("build", { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "no" } });
    expect(run.state?.life.status).toBe("PAUSED");
    expect(statuses(again(run, "build"))).toEqual(["COMPLETED", "READY", "PENDING", "READY"]);
  });
});
