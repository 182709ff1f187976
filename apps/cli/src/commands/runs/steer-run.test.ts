import type { ChangeLimitsRequest, OverrideStageRequest } from "@baton/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startHub } from "../../../testing/hub-double.ts";
import { scratchFolder, startRealHub } from "../../../testing/real-hub.ts";
import { runBaton } from "../../../testing/run-baton.ts";
import { aPipeline, pipelineId } from "../../../testing/sample.ts";

const reason = ["--reason", "so it shall be"];

/** No agent is there: a stage waits, and a person decides what becomes of it. */
const plan = JSON.stringify({
  contract: { title: "Two things", acceptanceCriteria: ["done"] },
  pipeline: {
    name: "two",
    stages: [
      { stageId: "a", taskType: "code", config: {} },
      { stageId: "b", taskType: "code", config: { required: true } },
    ],
  },
});

describe("baton runs set, skip, cancel, override", () => {
  const done: (() => void | Promise<void>)[] = [];
  let hub = "";
  let run = "";

  beforeAll(async () => {
    const atEnd = (work: () => void | Promise<void>) => void done.unshift(work);
    hub = (await startRealHub(scratchFolder(atEnd), [], atEnd)).address;
    const labels = ["--label", "team=core", "--risk", "critical", "--task-id", "task-7"];
    const { stdout } = await runBaton(["run", "--file", "-", "--no-follow", ...labels], { hub, stdin: plan });
    run = stdout.trim();
  });
  afterAll(async () => {
    for (const work of done) await work();
  });

  it("[PIP-09] [PIP-10] changes the limits of a run", async () => {
    const limits = ["--budget-usd", "5", "--budget-tokens", "1000", "--deadline", "2h"];
    const { code, stdout } = await runBaton(["runs", "set", run, ...limits, ...reason, "-o", "json"], {
      hub,
    });
    expect(code).toBe(0);
    const { policy } = JSON.parse(stdout).pipeline;
    expect(policy.budget).toEqual({ maxTokens: "1000", maxCostMicroUsd: "5000000" });
    expect(Number.parseFloat(policy.pipelineDeadline)).toBeGreaterThan(7_000);
  });

  it("[PIP-10] skips a stage that is not required, and refuses one that is", async () => {
    const refused = await runBaton(["runs", "skip", run, "b", ...reason], { hub });
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('stage "b" is required')]);
    const { code, stdout } = await runBaton(["runs", "skip", run, "a", ...reason, "-o", "json"], { hub });
    expect([code, JSON.parse(stdout).pipeline.stages[0].status]).toEqual([0, "STAGE_STATUS_SKIPPED"]);
  });

  it("[PIP-10] prints to watchers of the run what a person changed", async () => {
    const { stdout } = await runBaton(["runs", "watch", run], { hub });
    expect(stdout).toMatch(/ run +person +changed the limits \(operator\): so it shall be\n/);
    expect(stdout).toMatch(/ a +person +skipped a stage \(operator\): so it shall be\n/);
  });

  it("[PIP-01] lists runs by label, task and risk", async () => {
    const list = async (...args: readonly string[]) => {
      const { stdout } = await runBaton(["runs", "list", "-o", "jsonl", ...args], { hub });
      return stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).pipelineId]));
    };
    const all = ["--label", "team=core", "--task", "task-7", "--risk", "critical"];
    const [found, otherLabel, otherRisk, agent] = await Promise.all([
      list(...all),
      list("--label", "team=cor"),
      list("--risk", "low"),
      list("--agent", "dev"),
    ]);
    expect([found, otherLabel, otherRisk, agent]).toEqual([[run], [], [], []]);
    const view = await runBaton(["runs", "show", run], { hub });
    expect(view.stdout).toMatch(/labels +team=core\n/);
  });

  it("[PIP-10] names what cannot be cancelled or overridden", async () => {
    const cancelled = await runBaton(["runs", "cancel", run, "b", ...reason], { hub });
    expect(cancelled.stderr).toContain('stage "b" is READY, and nothing is under way for it');
    const overridden = await runBaton(["runs", "override", run, "b", "--accept", ...reason], { hub });
    expect(overridden.stderr).toContain("only a failed stage can be");
  });

  it("[PIP-10] wants a reason, a limit and one result", async () => {
    const [noReason, noLimit, noResult, both, alone] = await Promise.all([
      runBaton(["runs", "skip", run, "b"], { hub }),
      runBaton(["runs", "set", run, ...reason], { hub }),
      runBaton(["runs", "override", run, "b", ...reason], { hub }),
      runBaton(["runs", "override", run, "b", "--accept", "--summary", "x", ...reason], { hub }),
      runBaton(["runs", "override", run, "b", "--accept", "--commit", "x", ...reason], { hub }),
    ]);
    expect(noReason.stderr).toContain("--reason");
    expect(noLimit.stderr).toContain("no limit is given");
    expect(noResult.stderr).toContain("--accept or --summary is required");
    expect(both.stderr).toContain("--accept or --summary is required");
    expect(alone.stderr).toContain("require --summary");
  });
});

it("[PIP-10] sends the given values, and nothing else", async () => {
  const seen: (ChangeLimitsRequest | OverrideStageRequest)[] = [];
  const pipeline = aPipeline();
  await using hub = await startHub({
    orchestrator: {
      getPipeline: () => ({ pipeline }),
      changeLimits: (request) => {
        seen.push(request);
        return { pipeline };
      },
      overrideStage: (request) => {
        seen.push(request);
        return { pipeline };
      },
    },
  });
  const at = { hub: hub.url };
  await runBaton(["runs", "set", pipelineId, "--budget-steps", "7", ...reason], at);
  const work = ["--summary", "by hand", "--commit", "abc", "--decision", "keep it", "--data", "score:=1"];
  await runBaton(["runs", "override", pipelineId, "review", ...work, ...reason], at);
  expect(seen[0]).toMatchObject({ pipelineId, reason: "so it shall be", budget: { maxSteps: 7 } });
  expect(seen[0]).not.toHaveProperty("deadline");
  expect(seen[1]).toMatchObject({
    stageId: "review",
    result: {
      case: "provided",
      value: {
        summary: "by hand",
        commitSha: "abc",
        contextOut: { decisionsMade: [{ decisionId: "override-1", description: "keep it" }] },
        data: { score: 1 },
      },
    },
  });
});
