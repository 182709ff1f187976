import {
  ListAuditEntriesRequestSchema,
  ListEscalationsRequestSchema,
  Outcome,
  PipelineStatus,
  ResponseStatus,
  ReviewStageRequestSchema,
  RiskTier,
  type TaskEnvelope,
} from "@baton/contract";
import { readRoutingPolicy } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { afterAll, describe, expect, it } from "vitest";
import { ada, ended, eventually, reaches, read, submit, TestAgent, testHub } from "../../testing/index.ts";

function policyOf(review: object) {
  const reading = readRoutingPolicy({
    routing_policy: {
      version: "1",
      routes: [
        { task_type: "code", allowed_pack_ids: ["dev"] },
        { task_type: "review", allowed_pack_ids: ["dev", "qa"] },
      ],
      review,
    },
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.policy;
}

const byAgent = policyOf({ normal: "agent", task_type: "review" });
const hub = await testHub({ policy: byAgent });
const dev = new TestAgent(hub, { packId: "dev", maxTasks: 50 });
/** The title of the work that a review is about. */
function titleOf({ inputs }: TaskEnvelope): string {
  const contract = inputs?.contract;
  return typeof contract === "object" && contract !== null && "title" in contract
    ? String(contract.title)
    : "";
}

/** What the reviewer answers, by the title of the work. */
const verdicts = new Map<string, (envelope: TaskEnvelope, times: number) => object | undefined>();
const seen = new Map<string, number>();
const qa = new TestAgent(hub, {
  packId: "qa",
  maxTasks: 50,
  answer: (envelope) => {
    const title = titleOf(envelope);
    const times = (seen.get(title) ?? 0) + 1;
    seen.set(title, times);
    return verdicts.get(title)?.(envelope, times);
  },
});
await Promise.all([dev.receive("welcome"), qa.receive("welcome")]);
afterAll(() => hub.drain(0));

const verdict = (data: object) => ({ response: { status: ResponseStatus.SUCCESS, data: data as never } });
const approve = () => verdict({ verdict: "approve", reason: "it is fine" });
const work = (title: string, riskTier = RiskTier.NORMAL) => ({
  idempotencyKey: title,
  contract: { taskId: title, title, acceptanceCriteria: ["it is done"] },
  riskTier,
});
const reviewsOf = (title: string) => qa.envelopes.filter((envelope) => titleOf(envelope) === title);
const sentTo = (agent: TestAgent, title: string) =>
  agent.envelopes.filter(({ contract }) => contract?.title === title);

async function questionsOf(pipelineId: string) {
  const request = create(ListEscalationsRequestSchema, { filter: `pipeline_id = "${pipelineId}"` });
  return (await hub.listEscalations(ada, request)).escalations.map(({ snapshot }) => snapshot?.problem ?? "");
}

async function gateOf(pipelineId: string) {
  const request = create(ListAuditEntriesRequestSchema, {
    filter: `pipeline_id = "${pipelineId}" AND event_type = AUDIT_EVENT_TYPE_GATE_PASSED`,
  });
  const [entry] = (await hub.listAuditEntries(ada, request)).entries;
  return { by: entry?.actor?.id, why: entry?.rationale };
}

describe("review of normal risk by an agent", () => {
  it("[PIP-06] dispatches the work to a reviewer of another pack, whose approval completes it", async () => {
    verdicts.set("approved", approve);
    const pipelineId = await submit(hub, work("approved"));
    expect((await reaches(hub, pipelineId, ...ended)).status).toBe(PipelineStatus.COMPLETED);
    const [review] = reviewsOf("approved");
    expect(review?.inputs).toMatchObject({
      run: pipelineId,
      author: "dev",
      contract: { acceptance_criteria: ["it is done"] },
    });
    expect(review?.outputSchema).toMatchObject({ required: ["verdict", "reason"] });
    expect(await gateOf(pipelineId)).toEqual({ by: "qa-1", why: "it is fine" });
  });

  it("[PIP-06] [PIP-08] sends the work back with the reviewer's instructions when it is rejected", async () => {
    verdicts.set("rejected", (_, times) =>
      times === 1
        ? verdict({ verdict: "reject", reason: "no tests", instructions: ["add tests"] })
        : approve(),
    );
    const pipelineId = await submit(hub, work("rejected"));
    expect((await reaches(hub, pipelineId, ...ended)).status).toBe(PipelineStatus.COMPLETED);
    expect(sentTo(dev, "rejected")[1]?.reviewFeedback?.instructions).toEqual(["no tests", "add tests"]);
  });

  it("[PIP-06] asks a person when the reviewer comes to no verdict", async () => {
    verdicts.set("undecided", () => ({
      status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "cannot read it" },
    }));
    const pipelineId = await submit(hub, work("undecided"));
    const [problem] = await eventually(
      "a question about the review",
      async () => {
        const found = await questionsOf(pipelineId);
        return found.length > 0 ? found : undefined;
      },
      () => read(hub, pipelineId),
    );
    expect(problem).toContain("no agent could review it");
    expect(problem).toContain("cannot read it");
  });

  it("[PIP-06] ends the review when a person decides first", async () => {
    verdicts.set("overtaken", () => undefined);
    const pipelineId = await submit(hub, work("overtaken"));
    const [review] = await eventually(
      "the review",
      () => (reviewsOf("overtaken").length > 0 ? reviewsOf("overtaken") : undefined),
      () => qa.envelopes.length,
    );
    const request = create(ReviewStageRequestSchema, {
      ...{ pipelineId, stageId: "code", dispatchId: `${pipelineId}/code/1`, reason: "fine" },
      verdict: { case: "approval", value: {} },
    });
    await hub.reviewStage(ada, request);
    expect((await reaches(hub, pipelineId, ...ended)).status).toBe(PipelineStatus.COMPLETED);
    const reviewId = review?.execution?.dispatchId.split("/")[0] ?? "";
    expect((await reaches(hub, reviewId, ...ended)).status).toBe(PipelineStatus.ABORTED);
  });

  it("[PIP-06] leaves low risk to the rule and critical risk to a person", async () => {
    const low = await submit(hub, work("low", RiskTier.LOW));
    expect((await reaches(hub, low, ...ended)).status).toBe(PipelineStatus.COMPLETED);
    const critical = await submit(hub, work("critical", RiskTier.CRITICAL));
    const problem = await eventually(
      "a question about critical work",
      async () => (await questionsOf(critical))[0],
      () => read(hub, critical),
    );
    expect(problem).toContain("required for critical risk");
    expect([...reviewsOf("low"), ...reviewsOf("critical")]).toEqual([]);
  });

  it("[PIP-06] [DIS-04] follows a changed policy from the next result on", async () => {
    hub.configure({ policy: policyOf({ normal: "rule" }), templates: new Map() });
    const pipelineId = await submit(hub, work("by rule"));
    expect((await reaches(hub, pipelineId, ...ended)).status).toBe(PipelineStatus.COMPLETED);
    expect(reviewsOf("by rule")).toEqual([]);
    hub.configure({ policy: policyOf({ low: "person" }), templates: new Map() });
    const low = await submit(hub, work("by person", RiskTier.LOW));
    const asked = await eventually(
      "a question",
      async () => (await questionsOf(low))[0],
      () => read(hub, low),
    );
    expect(asked).toContain("required for low risk");
  });
});
