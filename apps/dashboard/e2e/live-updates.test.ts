import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { browserPath, openPage } from "../testing/browser.ts";
import { setStage } from "../testing/stage.ts";
import { submitSingle } from "../testing/tasks.ts";
import { startTeam } from "../testing/team.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-policy-"));
const policy = join(folder, "policy.yaml");
/** A circuit breaker with short times. */
writeFileSync(
  policy,
  `routing_policy:
  version: "1"
  routes:
    - { task_type: juggling, allowed_pack_ids: [juggler] }
    - { task_type: waiting, allowed_pack_ids: [waiter] }
    - { task_type: greeting, allowed_pack_ids: [newcomer] }
  admission:
    circuit_breaker: { error_threshold: 2, window: 60s, half_open_after: 3s }
`,
);

interface Audience {
  readonly arrive: () => void;
  readonly seen: Promise<void>;
}

describe.skipIf(browserPath === undefined)("a page that is left open", () => {
  /** The agent fails until there is an audience, and then waits for it before it succeeds. */
  let audience: Audience | undefined;
  const stage = setStage(
    [
      {
        pack: "juggler",
        version: "1.0.0",
        taskTypes: ["juggling"],
        async run(task) {
          if (!audience) return task.failure("dropped all of it");
          audience.arrive();
          await audience.seen;
          return task.success("kept it up");
        },
      },
      {
        pack: "waiter",
        version: "1.0.0",
        taskTypes: ["waiting"],
        async run(task) {
          await new Promise<void>((resolve) => task.signal.addEventListener("abort", () => resolve()));
          return task.success("waited");
        },
      },
    ],
    ["--routing-policy", policy],
  );
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const open = async (path: string) => {
    const { page, context } = await openPage(stage.browser);
    onTestFinished(() => context.close());
    await page.goto(stage.hub.http + path);
    return page;
  };

  it("[DIS-01] displays an agent that connects and that it has left", async () => {
    const page = await open("/agents");
    await page.getByRole("region", { name: "waiter" }).getByText("Healthy").waitFor();
    const newcomer = page.getByRole("region", { name: "newcomer" });
    expect(await newcomer.count()).toBe(0);
    const greeting = { pack: "newcomer", version: "1.0.0", taskTypes: ["greeting"] };
    const team = await startTeam(stage.hub.grpc, [
      { ...greeting, run: async (task) => task.success("hello") },
    ]);
    await newcomer.getByText("Healthy").waitFor();
    await team.close();
    await newcomer.getByText("Gone", { exact: true }).waitFor();
    expect(await newcomer.getByText("Healthy").count()).toBe(0);
  });

  it("[DIS-05] displays a circuit breaker that opens, is half-open during one attempt, and closes", async () => {
    const page = await open("/agents");
    const pack = page.getByRole("region", { name: "juggler" });
    await pack.getByText("Healthy").waitFor();
    for (const key of ["one", "two", "three"])
      await submitSingle(stage.hub, key, "juggling", "Juggle five balls");
    await pack.getByText("Breaker open").waitFor();
    const begun = Promise.withResolvers<void>();
    const seen = Promise.withResolvers<void>();
    audience = { arrive: begun.resolve, seen: seen.promise };
    await submitSingle(stage.hub, "four", "juggling", "Juggle five balls");
    await begun.promise;
    await pack.getByText("Breaker half open").waitFor();
    const { registry } = stage.hub.clients();
    const { agents } = await registry.listAgents({ filter: 'pack_id = "juggler"' });
    expect(agents.map(({ breakerState }) => breakerState)).toEqual(["half-open"]);
    seen.resolve();
    await pack.getByText(/^Breaker/).waitFor({ state: "detached" });
  });

  it("[PIP-10] distinguishes stopped stages from those that never started after an abort", async () => {
    const { orchestrator } = stage.hub.clients();
    const stages = ["first", "second"].map((stageId, place) => ({
      ...{ stageId, taskType: "waiting" },
      config: { required: true, dependsOnStages: place === 0 ? [] : ["first"] },
    }));
    const { pipeline } = await orchestrator.submitTask({
      idempotencyKey: "wait",
      plan: { case: "pipeline", value: { name: "Wait", stages } },
      contract: { taskId: "wait", title: "Wait", acceptanceCriteria: ["it took long"] },
    });
    const pipelineId = pipeline?.pipelineId ?? "";
    const page = await open(`/runs/${pipelineId}`);
    const graph = page.getByRole("region", { name: "Stages" });
    await graph.getByRole("button", { name: /^first.*At work/s }).waitFor();
    await orchestrator.abortPipeline({ pipelineId, reason: "too long" });
    await graph.getByRole("button", { name: /^first.*Stopped/s }).waitFor();
    await graph.getByRole("button", { name: /^second.*Never started/s }).waitFor();
  });
});
