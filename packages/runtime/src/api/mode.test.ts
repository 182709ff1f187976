import {
  type Escalation,
  EscalationKind,
  ListEscalationsRequestSchema,
  PipelineStatus,
  StageStatus,
} from "@baton/contract";
import { type HubMode, readTemplates } from "@baton/kernel";
import { stages, testPolicy } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ada,
  ended,
  eventually,
  planOf,
  read,
  silent,
  submit,
  TestAgent,
  testHub,
  VirtualClock,
} from "../../testing/index.ts";
import { hubWith, reaches } from "../agents/command/testing/command-hub.ts";
import { nodePack } from "../agents/command/testing/packs.ts";
import type { Hub } from "./hub.ts";

const both = stages({ a: {}, b: { dependsOnStages: [] } });

function templateWith(policy: object) {
  const reading = readTemplates({
    pipeline_templates: {
      version: "1",
      templates: [
        {
          template_id: "t",
          stages: ["a", "b"].map((stage_id) => ({ stage_id, task_type: "code" })),
          policy,
        },
      ],
    },
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.templates;
}

/** How many of two independent stages have an agent while nobody answers. */
async function atWork(mode: HubMode, policy?: object): Promise<number> {
  const hub = await testHub({ mode, ...(policy && { templates: templateWith(policy) }) });
  onTestFinished(() => hub.drain(0));
  const dev = new TestAgent(hub, { packId: "dev", maxTasks: 5, answer: silent });
  await dev.receive("welcome");
  const plan = policy ? ({ case: "templateId", value: "t" } as const) : planOf(both);
  const id = await submit(hub, { plan });
  await dev.envelope();
  const { stages: now } = await read(hub, id);
  return now.filter(({ status }) => status === StageStatus.DISPATCHED).length;
}

function questionOf(hub: Hub, id: string, kind: EscalationKind): Promise<Escalation> {
  return eventually("a question", async () => {
    const { escalations } = await hub.listEscalations(ada, create(ListEscalationsRequestSchema));
    return escalations.find((one) => one.pipelineId === id && one.kind === kind);
  });
}

describe("the mode of a hub", () => {
  it("[PIP-03] runs independent stages one by one in dev, and side by side in production", async () => {
    expect(await atWork("dev")).toBe(1);
    expect(await atWork("production")).toBe(2);
  });

  it("[PIP-03] leaves it to the template, where that says how its stages run", async () => {
    expect(await atWork("dev", { serial: false })).toBe(2);
    expect(await atWork("dev", { serial: true })).toBe(1);
    expect(await atWork("production", { serial: true })).toBe(1);
    expect(await atWork("dev", { max_rejections: 1 })).toBe(1);
  });

  it.each([
    { mode: "dev", policy: {}, status: PipelineStatus.RUNNING, blocking: false },
    { mode: "production", policy: {}, status: PipelineStatus.PAUSED, blocking: true },
    { mode: "dev", policy: { hardDeadline: true }, status: PipelineStatus.PAUSED, blocking: true },
    { mode: "production", policy: { softDeadline: true }, status: PipelineStatus.RUNNING, blocking: false },
  ] as const)("[PIP-09] on a missed deadline, $mode with $policy: blocks $blocking", async (row) => {
    const clock = new VirtualClock();
    const hub = await testHub({ mode: row.mode, clock });
    onTestFinished(() => hub.drain(0));
    const policy = { pipelineDeadline: durationFromMs(60_000), ...row.policy };
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    await dev.receive("welcome");
    const id = await submit(hub, { plan: planOf(stages({ a: {} }), policy) });
    await dev.envelope();
    await clock.pass(61_000);
    const asked = await questionOf(hub, id, EscalationKind.DEADLINE);
    expect(asked.snapshot?.blocking).toBe(row.blocking);
    expect((await read(hub, id)).status).toBe(row.status);
  });

  it.each([
    { mode: "dev", status: PipelineStatus.COMPLETED },
    { mode: "production", status: PipelineStatus.RUNNING },
  ] as const)("[DIS-05] after a command has failed, the next run in $mode is $status", async (row) => {
    const circuitBreaker = { errorThreshold: 1, windowMs: 600_000, halfOpenAfterMs: 600_000 };
    const policy = testPolicy({ requireHealthy: false });
    const answers = `
      import { readFileSync } from "node:fs";
      const { contract } = JSON.parse(readFileSync(0, "utf8"));
      if (contract.title === "Fail") process.exit(3);
      console.log(JSON.stringify({ status: "success", summary: "done" }));`;
    const hub = await hubWith([nodePack(answers)], {
      mode: row.mode,
      policy: { ...policy, admission: { ...policy.admission, circuitBreaker } },
    });
    const retry = { maxAttempts: 1 };
    const plan = planOf(stages({ a: { handoffPolicy: { retry } } }), { failureStrategy: 1 });
    const contract = { taskId: "t", title: "Fail", acceptanceCriteria: ["it fails"] };
    await reaches(hub, await submit(hub, { idempotencyKey: "bad", plan, contract }), ...ended);
    const next = await submit(hub, { idempotencyKey: "good", plan: planOf(stages({ a: {} })) });
    const isRefused = row.status === PipelineStatus.RUNNING;
    if (!isRefused) return void (await reaches(hub, next, row.status));
    const asked = await questionOf(hub, next, EscalationKind.ADMISSION);
    expect(asked.snapshot?.problem).toContain("too many tasks");
  });
});
