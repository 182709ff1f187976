import {
  AttemptEnding,
  CompareRoutingRequestSchema,
  GetAttemptRequestSchema,
  GetAttemptsRequestSchema,
  GetRoutingPolicyRequestSchema,
  GetTemplatesRequestSchema,
  Outcome,
  PausePipelineRequestSchema,
  PipelineStatus,
  ResumePipelineRequestSchema,
  StageSchema,
} from "@baton/contract";
import { testPolicy } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ada, dispatchOf, planOf, reaches, silent, submit, TestAgent, testHub } from "../../testing/index.ts";

describe("the attempts of a pipeline", () => {
  it("are listed with envelope, result and ending", async () => {
    const hub = await testHub();
    const dev = new TestAgent(hub, {
      packId: "dev",
      answer: ({ execution }) =>
        execution?.attemptNumber === 1
          ? { status: { outcome: Outcome.RETRYABLE_FAILURE, failureReason: "the disk was full" } }
          : { status: { outcome: Outcome.SUCCESS, summary: "done" } },
    });
    await dev.receive("welcome");
    const stage = create(StageSchema, {
      stageId: "build",
      taskType: "code",
      config: {
        required: true,
        handoffPolicy: { retry: { maxAttempts: 3, initialBackoff: { nanos: 1_000_000 } } },
      },
    });
    const pipelineId = await submit(hub, { plan: planOf([stage]) });
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const { attempts, waits } = await hub.getAttempts(ada, create(GetAttemptsRequestSchema, { pipelineId }));
    expect(attempts).toMatchObject([
      { attemptNumber: 1, stageId: "build", ending: AttemptEnding.RETRIED, reason: "the disk was full" },
      { attemptNumber: 2, stageId: "build", ending: AttemptEnding.ACCEPTED, outcome: Outcome.SUCCESS },
    ]);
    expect(waits).toMatchObject([
      { stageId: "build", reason: expect.stringContaining("the next attempt at") },
    ]);
    // The contract asks for nothing that can be looked at.
    expect(attempts.map(({ unchecked }) => unchecked)).toEqual([false, true]);
    const dispatchId = attempts[1]?.dispatchId ?? "";
    const whole = await hub.getAttempt(ada, create(GetAttemptRequestSchema, { dispatchId }));
    expect(whole).toMatchObject({
      summary: { unchecked: true },
      envelope: { execution: { dispatchId, attemptNumber: 2 } },
      result: { status: { summary: "done" } },
      gate: {
        passed: true,
        checks: expect.arrayContaining([expect.objectContaining({ gateName: "tests" })]),
      },
      dispatch: { selectedPackId: "dev" },
    });
  });

  it("[DIS-09] say why their agent was chosen", async () => {
    const hub = await testHub();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    await submit(hub);
    const dispatchId = dispatchOf(await dev.envelope());
    const { explanation, summary } = await hub.getAttempt(
      ada,
      create(GetAttemptRequestSchema, { dispatchId }),
    );
    expect(explanation).toContain('"code" went to dev-1 of pack "dev"');
    expect(summary).toMatchObject({ ending: AttemptEnding.UNSPECIFIED });
  });

  it("[PIP-10] include what the pipeline waited for", async () => {
    const hub = await testHub();
    const dev = new TestAgent(hub, { packId: "dev", answer: silent });
    await dev.receive("welcome");
    const pipelineId = await submit(hub);
    await dev.envelope();
    await hub.pausePipeline(ada, create(PausePipelineRequestSchema, { pipelineId, reason: "lunch" }));
    const list = () => hub.getAttempts(ada, create(GetAttemptsRequestSchema, { pipelineId }));
    expect((await list()).waits).toMatchObject([{ stageId: "", reason: "paused: lunch" }]);
    await hub.resumePipeline(ada, create(ResumePipelineRequestSchema, { pipelineId, reason: "back" }));
    expect((await list()).waits[0]?.until).toBeDefined();
  });

  it("[TUR-03] are redacted", async () => {
    const hub = await testHub();
    const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    const dev = new TestAgent(hub, {
      packId: "dev",
      answer: () => ({ status: { outcome: Outcome.SUCCESS, summary: `used ${secret}` } }),
    });
    const pipelineId = await submit(hub);
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const dispatchId = dispatchOf(await dev.envelope());
    const whole = await hub.getAttempt(ada, create(GetAttemptRequestSchema, { dispatchId }));
    expect(whole.result?.status?.summary).toMatch(/^used \S+/);
    expect(whole.result?.status?.summary).not.toContain(secret);
  });
});

describe("the active configuration", () => {
  it("has the templates and the routing policy as loaded", async () => {
    const stages = [create(StageSchema, { stageId: "build", taskType: "code" })];
    const template = {
      templateId: "small",
      name: "Small",
      description: "One stage",
      stages,
      policy: undefined as never,
    };
    const hub = await testHub({ templates: new Map([["small", template]]) });
    const { templates } = await hub.getTemplates(ada, create(GetTemplatesRequestSchema));
    expect(templates).toMatchObject([{ templateId: "small", stages: [{ stageId: "build" }] }]);
    // The defaults.
    expect(templates[0]?.policy).toMatchObject({ maxTotalRetries: 10, maxRejections: 3 });
    const { policy, open } = await hub.getRoutingPolicy(ada, create(GetRoutingPolicyRequestSchema));
    expect(open).toBe(false);
    expect(policy?.routes.map(({ taskType }) => taskType)).toContain("code");
  });

  it("follows from the packs without a policy", async () => {
    const hub = await testHub({ policy: undefined });
    const dev = new TestAgent(hub, { packId: "dev", taskTypes: ["code"] });
    await dev.receive("welcome");
    const { policy, open } = await hub.getRoutingPolicy(ada, create(GetRoutingPolicyRequestSchema));
    expect(open).toBe(true);
    expect(policy?.routes).toMatchObject([{ taskType: "code", allowedPackIds: ["dev"] }]);
  });
});

describe("another route", () => {
  it("[DIS-09] is compared with past decisions, on their inputs", async () => {
    const hub = await testHub({ policy: testPolicy() });
    const both = [
      new TestAgent(hub, { packId: "dev" }),
      new TestAgent(hub, { packId: "qa", taskTypes: ["code", "review"] }),
    ];
    for (const agent of both) await agent.receive("welcome");
    const pipelineId = await submit(hub);
    await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
    const compare = (allowedPackIds: string[]) =>
      hub.compareRouting(
        ada,
        create(CompareRoutingRequestSchema, { route: { taskType: "code", allowedPackIds } }),
      );
    expect(await compare(["dev"])).toMatchObject({ dispatchesSeen: 1, differences: [] });
    expect(await compare(["qa"])).toMatchObject({
      differences: [{ taskType: "code", wasPackId: "dev", wouldBePackId: "qa" }],
    });
    expect(await compare(["nobody"])).toMatchObject({
      differences: [{ wasPackId: "dev", wouldBePackId: "", refused: expect.stringMatching(/\S/) }],
    });
  });

  it("[DIS-09] is compared with old decisions, too, and the searched number is reported", async () => {
    const hub = await testHub({ policy: testPolicy() });
    const dev = new TestAgent(hub, { packId: "dev" });
    await dev.receive("welcome");
    const compare = (taskType: string, pipelines = 0) => {
      const route = { taskType, allowedPackIds: ["qa"] };
      return hub.compareRouting(ada, create(CompareRoutingRequestSchema, { route, pipelines }));
    };
    for (const idempotencyKey of ["first", "second"])
      await reaches(hub, await submit(hub, { idempotencyKey }), PipelineStatus.COMPLETED);
    const other = create(StageSchema, { stageId: "look", taskType: "review", config: { required: true } });
    for (let place = 0; place < 210; place++)
      await submit(hub, { idempotencyKey: `other ${place}`, plan: planOf([other]) });
    const found = await compare("code");
    expect(found).toMatchObject({ dispatchesSeen: 2, pipelinesLookedAt: 212 });
    expect(found.differences).toHaveLength(2);
    expect(await compare("code", 1)).toMatchObject({ dispatchesSeen: 1, pipelinesLookedAt: 211 });
    expect(await compare("dancing")).toMatchObject({ dispatchesSeen: 0, pipelinesLookedAt: 212 });
    // Nobody took these, and what was not sent did not go anywhere.
    expect(await compare("review")).toMatchObject({ dispatchesSeen: 0, pipelinesLookedAt: 212 });
  });
});
