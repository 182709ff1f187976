import { ListEscalationsRequestSchema, Outcome, PipelineStatus, RiskTier } from "@baton/contract";
import { readTemplates } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { afterAll, describe, expect, it } from "vitest";
import { ada, eventually, reaches, read, submit, TestAgent, testHub } from "../../testing/index.ts";

const templates = readTemplates({
  pipeline_templates: {
    version: "1",
    templates: [
      {
        template_id: "one",
        stages: [
          {
            stage_id: "only",
            task_type: "code",
            handoff_policy: { escalation: { auto_escalate_on_security_flag: ["touches_auth"] } },
          },
        ],
      },
    ],
  },
});
if (!templates.ok) throw new Error(JSON.stringify(templates.problems));

const outcomes = new Map<string, Outcome>();
const hub = await testHub({ templates: templates.templates });
const dev = new TestAgent(hub, {
  packId: "dev",
  maxTasks: 50,
  answer: ({ contract }) => ({
    status: { outcome: outcomes.get(contract?.taskId ?? "") ?? Outcome.SUCCESS },
  }),
});
await dev.receive("welcome");
afterAll(() => hub.drain(0));

const plans = {
  "a plain task": { case: "taskType", value: "code" },
  "a template": { case: "templateId", value: "one" },
} as const;
const named = (taskId: string) => ({
  idempotencyKey: taskId,
  contract: { taskId, title: "Do it", acceptanceCriteria: ["it is done"] },
});

async function question(pipelineId: string) {
  const request = create(ListEscalationsRequestSchema, { filter: `pipeline_id = "${pipelineId}"` });
  const asked = async () => (await hub.listEscalations(ada, request)).escalations[0]?.snapshot;
  const found = await eventually(`a question of ${pipelineId}`, asked, () => read(hub, pipelineId));
  return { problem: found.problem, options: found.options };
}

describe.each(Object.entries(plans))("%s", (name, plan) => {
  const tiers = { low: RiskTier.LOW, normal: RiskTier.NORMAL, critical: RiskTier.CRITICAL };
  it.each(Object.entries(tiers))("[PIP-05] PARTIAL of %s risk waits for a review", async (tier, riskTier) => {
    const id = `${name} ${tier}`;
    outcomes.set(id, Outcome.PARTIAL);
    const asked = await question(await submit(hub, { ...named(id), plan, riskTier }));
    expect(asked.problem).toContain("waits for a review by a person: the agent reports it done in part");
    expect(asked.options).toEqual(["approve", "reject", "fail"]);
  });

  it("[PIP-05] POLICY_BLOCKED pauses with an open question", async () => {
    const id = `${name} blocked`;
    outcomes.set(id, Outcome.POLICY_BLOCKED);
    const pipelineId = await submit(hub, { ...named(id), plan });
    await reaches(hub, pipelineId, PipelineStatus.PAUSED);
    expect((await question(pipelineId)).options).toEqual(["resume", "abort"]);
  });

  it("[DIS-16] security flags ask a person before it is sent", async () => {
    const safety = { securityFlags: { touchesAuth: true } };
    const asked = await question(await submit(hub, { ...named(`${name} flags`), plan, safety }));
    expect(asked.problem).toContain("touches auth");
    expect(asked.options).toEqual(["approve", "abort"]);
  });
});

it("[PIP-05] a template cannot say that a policy block asks nobody", () => {
  const reading = readTemplates({
    pipeline_templates: {
      version: "1",
      templates: [
        {
          template_id: "quiet",
          stages: [
            {
              stage_id: "only",
              task_type: "code",
              handoff_policy: { escalation: { escalate_on_policy_blocked: false } },
            },
          ],
        },
      ],
    },
  });
  expect(reading.ok ? [] : reading.problems.map(({ at, message }) => [at, message])).toEqual([
    [
      "pipeline_templates.templates[0].stages[0].handoff_policy.escalation.escalate_on_policy_blocked",
      "must be true: it happens in any case",
    ],
  ]);
});
