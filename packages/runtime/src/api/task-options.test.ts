import {
  ContextLevel,
  ExplainDispatchRequestSchema,
  ListEscalationsRequestSchema,
  Outcome,
  PipelineStatus,
  type TaskEnvelope,
} from "@baton/contract";
import { readTemplates } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { afterAll, describe, expect, it } from "vitest";
import {
  ada,
  dispatchOf,
  eventually,
  reaches,
  refusalOf,
  submit,
  TestAgent,
  task,
  testHub,
} from "../../testing/index.ts";
import { ended } from "../../testing/test-hub.ts";

/** What each agent answers, by the key of the task: one hub serves all tests of this file. */
const answers = new Map<string, (envelope: TaskEnvelope) => object>();

const once = { retry: { max_attempts: 1 } };
const templates = readTemplates({
  pipeline_templates: {
    version: "1",
    templates: [
      {
        template_id: "two",
        stages: [
          { stage_id: "draft", task_type: "code", handoff_policy: once },
          { stage_id: "finish", task_type: "code", depends_on_stages: ["draft"], handoff_policy: once },
        ],
        policy: { budget: { max_tokens: 500 } },
      },
      {
        template_id: "layered",
        stages: [{ stage_id: "only", task_type: "code", handoff_policy: { context_level: "LAYERED" } }],
      },
      {
        template_id: "checked",
        stages: [
          {
            ...{ stage_id: "only", task_type: "code", handoff_policy: once },
            contract_template: {
              environment: { lint_command: "lint" },
              tests: { tests_to_run: ["unit"] },
              expected_files: { create: ["new.ts"] },
            },
          },
          {
            ...{ stage_id: "unchecked", task_type: "code", handoff_policy: once },
            contract_template: { environment: {} },
          },
        ],
      },
      {
        template_id: "three",
        stages: ["first", "second", "third"].map((stage_id, place, ids) => ({
          stage_id,
          task_type: "code",
          depends_on_stages: ids.slice(Math.max(0, place - 1), place),
          context_propagation: { mode: "CUMULATIVE", carry_decisions: true },
        })),
      },
    ],
  },
});
if (!templates.ok) throw new Error(JSON.stringify(templates.problems));

const hub = await testHub({ templates: templates.templates });
const dev = new TestAgent(hub, {
  packId: "dev",
  maxTasks: 50,
  tools: ["lint", "test"],
  answer: (envelope) => answers.get(envelope.contract?.taskId ?? "")?.(envelope) ?? {},
});
await dev.receive("welcome");
afterAll(() => hub.drain(0));

const named = (taskId: string) => ({
  idempotencyKey: taskId,
  contract: { taskId, title: "Do it", acceptanceCriteria: ["it is done"] },
});
const template = (value: string) => ({ case: "templateId", value }) as const;

async function envelopesOf(taskId: string, count = 1): Promise<readonly TaskEnvelope[]> {
  const own = () => dev.envelopes.filter(({ contract }) => contract?.taskId === taskId);
  return eventually(
    `${count} envelopes of ${taskId}`,
    () => (own().length >= count ? own() : undefined),
    () => own().length,
  );
}

async function questionsOf(pipelineId: string) {
  const request = create(ListEscalationsRequestSchema, { filter: `pipeline_id = "${pipelineId}"` });
  const { escalations } = await hub.listEscalations(ada, request);
  return escalations.map(({ snapshot }) => snapshot?.problem ?? "");
}

async function why(dispatchId: string) {
  return hub.explainDispatch(ada, create(ExplainDispatchRequestSchema, { dispatchId }));
}

const spends = (tokens: number) => () => ({
  usage: { inputTokens: BigInt(tokens), costMicroUsd: 3n, steps: 2 },
});

describe("the contract of a task", () => {
  it("[PIP-01] [PIP-06] completes that of a stage field by field, also commands, tests and files", async () => {
    const contract = {
      ...named("checked").contract,
      environment: { testCommand: "test", lintCommand: "other" },
      tests: { testsToRun: ["all"], testsToAdd: ["a.test.ts"] },
      expectedFiles: { create: ["other.ts"], modify: ["a.test.ts"] },
    };
    await submit(hub, { ...named("checked"), contract, plan: template("checked") });
    const sent = await envelopesOf("checked", 2);
    const of = (lint: string) =>
      sent.find(({ contract }) => contract?.environment?.lintCommand === lint)?.contract;
    expect(of("lint")).toMatchObject({
      environment: { lintCommand: "lint", testCommand: "test" },
      tests: { testsToRun: ["unit"], testsToAdd: ["a.test.ts"] },
      expectedFiles: { create: ["new.ts"], modify: ["a.test.ts"] },
    });
    expect(of("")?.environment).toMatchObject({ testCommand: "", buildCommand: "" });
  });
});

describe("the budget of a task", () => {
  const once = { retry: { maxAttempts: 1 } };

  it("[PIP-09] limits a plain task: the agent gets its share, and spending more is reported", async () => {
    answers.set("plain", spends(400));
    const budget = { maxTokens: 900n, maxCostMicroUsd: 9n, maxSteps: 9 };
    const pipelineId = await submit(hub, { ...named("plain"), budget });
    await reaches(hub, pipelineId, ...ended);
    const [sent] = await envelopesOf("plain");
    expect(sent?.execution?.budget).toMatchObject({ maxTokens: 300n, maxCostMicroUsd: 3n, maxSteps: 3 });
    expect(await questionsOf(pipelineId)).toEqual(["dev-1 spent 400 tokens of 300 that it was given"]);
  });

  it("[PIP-09] limits a template, by the lower limit of each kind, and stops it when it is spent", async () => {
    answers.set("templated", spends(500));
    const budget = { maxTokens: 800n, maxSteps: 40 };
    const pipelineId = await submit(hub, { ...named("templated"), plan: template("two"), budget });
    const [sent] = await envelopesOf("templated");
    expect(sent?.execution?.budget).toMatchObject({ maxTokens: 500n, maxSteps: 40 });
    const problem = await eventually(
      "the question about the budget",
      async () => (await questionsOf(pipelineId))[0],
      () => dev.envelopes.length,
    );
    expect(problem).toContain("the budget is spent: 500 tokens");
    expect(await envelopesOf("templated")).toHaveLength(1);
  });

  it("[PIP-09] limits stages that came with the task", async () => {
    const config = { required: true, handoffPolicy: once };
    const stages = [{ stageId: "a", taskType: "code", config }];
    const plan = { case: "pipeline", value: { name: "Own", stages } } as const;
    await submit(hub, { ...named("own"), plan, budget: { maxSteps: 7 } });
    expect((await envelopesOf("own"))[0]?.execution?.budget).toMatchObject({ maxSteps: 7 });
  });

  it("[PIP-09] of zero lets nothing be sent", async () => {
    const pipelineId = await submit(hub, { ...named("zero"), budget: { maxSteps: 0 } });
    expect((await questionsOf(pipelineId))[0]).toContain("the budget is spent");
  });
});

describe("the context of a task", () => {
  const context = { sharedContext: "The port is 8080." };

  it("[DIS-10] reaches the agent of a plain task", async () => {
    await submit(hub, { ...named("shared"), context });
    expect((await envelopesOf("shared"))[0]?.contextIn?.sharedContext).toBe("The port is 8080.");
  });

  it("[DIS-10] reaches every stage of a template that states no level", async () => {
    answers.set("shared-two", spends(10));
    await submit(hub, { ...named("shared-two"), plan: template("two"), context });
    const shared = (await envelopesOf("shared-two", 2)).map(({ contextIn }) => contextIn?.sharedContext);
    expect(shared).toEqual(["The port is 8080.", "The port is 8080."]);
  });

  it("[DIS-10] that no stage would receive is refused, with a way to send it", async () => {
    const given = { ...named("unheard"), plan: template("layered"), context };
    const refused = await refusalOf(hub.submitTask(ada, task(given)));
    expect(refused).toMatchObject({ code: "BATON-PIPELINE-001" });
    expect(refused.message).toContain("no stage receives it");
    expect(refused.fix).toContain("--context-level rich");
    await refusalOf(hub.submitTask(ada, task({ ...given, validateOnly: true })));
    await submit(hub, { ...given, contextLevel: ContextLevel.RICH });
    expect((await envelopesOf("unheard"))[0]?.contextIn?.sharedContext).toBe("The port is 8080.");
  });

  it("[DIS-10] is recorded and explained where the level leaves it out", async () => {
    const decisionMemo = { decisions: [{ decisionId: "d1", description: "Use SQLite." }] };
    await submit(hub, {
      ...named("least"),
      plan: template("two"),
      context: { decisionMemo },
      contextLevel: ContextLevel.LAYERED,
    });
    const [sent] = await envelopesOf("least");
    expect(sent?.contextIn?.decisionMemo?.decisions).toHaveLength(1);
    answers.set("level", () => ({ status: { outcome: 1, summary: "half the work" } }));
    await submit(hub, { ...named("level"), plan: template("three"), contextLevel: ContextLevel.LAYERED });
    const third = (await envelopesOf("level", 3))[2] as TaskEnvelope;
    const { snapshot, explanation } = await why(dispatchOf(third));
    expect(snapshot?.contextLevelApplied).toBe(ContextLevel.LAYERED);
    expect(snapshot?.omittedContext).toEqual([
      "shared_context (2 items): not part of the context level LAYERED",
    ]);
    expect(explanation).toContain("left out of the context: shared_context (2 items)");
  });

  it("[DIS-10] of earlier stages is trimmed from the farthest when it is too much for one envelope", async () => {
    const large = (stage: string, size: number) => ({
      contextOut: { decisionsMade: [{ decisionId: stage, description: "x".repeat(size) }] },
    });
    const sizes: Record<string, number> = { first: 3_000_000, second: 3_000_000, third: 1 };
    answers.set("large", ({ execution }) => {
      const stage = execution?.dispatchId.split("/")[1] ?? "";
      return large(stage, sizes[stage] ?? 0);
    });
    const pipelineId = await submit(hub, { ...named("large"), plan: template("three") });
    const third = (await envelopesOf("large", 3))[2] as TaskEnvelope;
    expect(third.contextIn?.decisionMemo?.decisions).toEqual([]);
    expect((await reaches(hub, pipelineId, ...ended)).status).toBe(4);
    const { snapshot } = await why(dispatchOf(third));
    expect(snapshot?.omittedContext).toEqual(
      expect.arrayContaining([
        "decision second: does not fit into 1048576 bytes of context",
        "decision first: does not fit into 1048576 bytes of context",
      ]),
    );
  });

  it("[DIS-10] of the nearest stage is kept where both do not fit", async () => {
    answers.set("near", ({ execution }) => {
      const decisionId = execution?.dispatchId.split("/")[1] ?? "";
      return { contextOut: { decisionsMade: [{ decisionId, description: "x".repeat(700_000) }] } };
    });
    await submit(hub, { ...named("near"), plan: template("three") });
    const third = (await envelopesOf("near", 3))[2] as TaskEnvelope;
    expect(third.contextIn?.decisionMemo?.decisions.map(({ decisionId }) => decisionId)).toEqual(["second"]);
  });
});

describe("the retries of a task", () => {
  const fails = () => ({ status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "not this time" } });

  it("[PIP-09] lets nothing be tried again when max_retries is zero", async () => {
    answers.set("no retries", fails);
    const pipelineId = await submit(hub, { ...named("no retries"), maxRetries: 0 });
    const { policy } = await reaches(hub, pipelineId, PipelineStatus.PAUSED);
    expect(await envelopesOf("no retries")).toHaveLength(1);
    expect(policy).toMatchObject({ noRetries: true, maxTotalRetries: 0 });
  });

  it("[PIP-09] refuses more retries than the contract allows, and fewer than none", async () => {
    const refused = [{ maxRetries: 100 }, { maxRetries: -1 }].map((limits) =>
      refusalOf(hub.submitTask(ada, task({ ...named("refused"), ...limits }))),
    );
    for (const { code } of await Promise.all(refused)) expect(code).toMatch(/^BATON-/);
  });
});
