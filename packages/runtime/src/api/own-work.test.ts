import {
  ListEscalationsRequestSchema,
  PipelineStatus,
  ResolveEscalationRequestSchema,
  ResponseStatus,
  ReviewStageRequestSchema,
  RiskTier,
} from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { create } from "@bufbuild/protobuf";
import { expect, it, onTestFinished } from "vitest";
import {
  ada,
  eventually,
  planOf,
  reaches,
  refusalOf,
  submit,
  TestAgent,
  testHub,
} from "../../testing/index.ts";
import type { Caller } from "../ports/caller.ts";

const key = (keyId: string): Caller => ({ ...ada, id: keyId, keyId });
const refusal = {
  code: "BATON-PIPELINE-004",
  kind: "denied",
  message: 'an agent that worked on this run came in with your key "dev-key"',
};

it("[PIP-06] the key that an agent came in with approves and answers nothing of the runs that the agent worked on", async () => {
  const hub = await testHub({ policy: undefined });
  onTestFinished(() => hub.drain(0));
  let asked = false;
  const dev = new TestAgent(hub, {
    packId: "dev",
    instanceId: "dev-1",
    keyId: "dev-key",
    taskTypes: ["code"],
  });
  const qa = new TestAgent(hub, {
    ...{ packId: "qa", instanceId: "qa-1", keyId: "qa-key", taskTypes: ["review"] },
    answer: () => {
      if (asked) return {};
      asked = true;
      return { response: { status: ResponseStatus.CLARIFICATION_NEEDED, message: "which one?" } };
    },
  });
  for (const agent of [dev, qa]) await agent.receive("welcome");
  const plan = planOf(stages({ a: { taskType: "code" }, b: { taskType: "review" } }));
  const pipelineId = await submit(hub, { plan, riskTier: RiskTier.CRITICAL }, key("grace"));
  const open = async () =>
    (await hub.listEscalations(ada, create(ListEscalationsRequestSchema, { filter: "resolved = false" })))
      .escalations;
  const approve = (caller: Caller, stageId: string, attempt: number) =>
    hub.reviewStage(
      caller,
      create(ReviewStageRequestSchema, {
        ...{ pipelineId, stageId, dispatchId: `${pipelineId}/${stageId}/${attempt}`, reason: "I looked" },
        verdict: { case: "approval", value: {} },
      }),
    );
  await eventually("the review of a", async () => (await open()).length === 1);
  expect(await refusalOf(approve(key("dev-key"), "a", 1))).toMatchObject(refusal);
  await approve(key("linus"), "a", 1);

  await eventually("the question of b", async () => (await open())[0]?.stageId === "b");
  const [{ escalationId = "" } = {}] = await open();
  const answer = (caller: Caller) =>
    hub.resolveEscalation(
      caller,
      create(ResolveEscalationRequestSchema, { escalationId, resolution: "the first" }),
    );
  expect(await refusalOf(answer(key("dev-key")))).toMatchObject(refusal);
  await answer(key("linus"));

  // The work of another agent, of the run that it worked on.
  await eventually("the review of b", async () => (await open())[0]?.escalationId.endsWith("/e3") ?? false);
  expect(await refusalOf(approve(key("dev-key"), "b", 2))).toMatchObject(refusal);
  await approve(key("linus"), "b", 2);
  await reaches(hub, pipelineId, PipelineStatus.COMPLETED);
});
