import * as contract from "@baton/contract";
import {
  InspectionService,
  IssuerKind,
  OrchestratorService,
  Outcome,
  PipelineStatus,
  PressureLevel,
  ResolveEscalationRequestSchema,
  ResponseStatus,
  type TaskEnvelope,
} from "@baton/contract";
import { readConstitution, readRoutingPolicy } from "@baton/kernel";
import { create, type DescMessage, type JsonObject, toJsonString } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ada,
  dispatchOf,
  ended,
  eventually,
  reaches,
  read,
  refusalOf,
  submit,
  TestAgent,
  testHub,
} from "../../../testing/index.ts";
import { eventsSeen, invoked, printed, thought, turn } from "../../agents/testing/reports.ts";
import { step } from "../../agents/testing/steps.ts";
import type { Hub } from "../hub.ts";

/** The rules find nothing in it; the consulted agent does. */
const secret = "the plan of Osprey";

const constitution = readConstitution(
  { constitution: { version: "1", issuers: [{ capabilities: ["*"], agent_ids: ["planner"] }] } },
  "d".repeat(64),
);
const policy = readRoutingPolicy({
  routing_policy: {
    version: "1",
    routes: [
      { task_type: "code", allowed_pack_ids: ["dev"] },
      { task_type: "consult.align", allowed_pack_ids: ["judge"] },
    ],
  },
});
if (!constitution.ok || !policy.ok) throw new Error(JSON.stringify([constitution, policy]));
const parts = { constitution: constitution.constitution, policy: policy.policy };

type Answer = NonNullable<ReturnType<NonNullable<ConstructorParameters<typeof TestAgent>[1]["answer"]>>>;
const texts = { thought: secret, message: secret, nextStepHint: secret };
const failed = { failureCode: "OSPREY", failureReason: secret, summary: secret };
const denial = { verdict: "non_constitutional", reason: `it names ${secret}` };
const answers: Record<string, Answer> = {
  verdict: {
    status: { outcome: Outcome.SUCCESS, summary: secret },
    response: { ...texts, status: ResponseStatus.SUCCESS, data: { ...denial, [secret]: secret } },
    notices: [secret],
    contextOut: { decisionsMade: [{ description: secret, rationale: secret }], risksIdentified: [secret] },
    artifacts: [{ path: "Osprey.txt" }],
  },
  "made-up verdict": {
    response: { status: ResponseStatus.SUCCESS, data: { verdict: secret, reason: secret } },
  },
  question: { response: { ...texts, status: ResponseStatus.CLARIFICATION_NEEDED } },
  failure: { response: { ...texts, status: ResponseStatus.FAILURE } },
  "request to repeat": { response: { ...texts, status: ResponseStatus.RETRY_WITH_INSTRUCTION } },
  "lost attempt": { status: { outcome: Outcome.RETRYABLE_FAILURE, ...failed } },
  "blocked attempt": { status: { outcome: Outcome.POLICY_BLOCKED, ...failed } },
};

/** A hub whose consulted agent reports everything that an agent may; each report repeats what it is asked about. */
async function consultedHub(answer: Answer): Promise<Hub> {
  const hub = await testHub(parts);
  onTestFinished(() => hub.drain(0));
  const dev = new TestAgent(hub, {
    packId: "dev",
    maxTasks: 50,
    answer: () => ({ response: { status: ResponseStatus.SUCCESS, data: { text: secret } } }),
  });
  const judge: TestAgent = new TestAgent(hub, {
    packId: "judge",
    taskTypes: ["consult.align"],
    tools: ["search"],
    maxTasks: 50,
    answer: (envelope: TaskEnvelope) => {
      const inputs = envelope.inputs as { output?: JsonObject };
      if (!inputs.output)
        return { response: { status: ResponseStatus.SUCCESS, data: { verdict: "valid", reason: "a task" } } };
      const dispatchId = dispatchOf(envelope);
      judge.say(thought(0, secret, true), dispatchId);
      judge.say(turn(0, secret), dispatchId);
      judge.say(printed(secret), dispatchId);
      judge.say(invoked(`call-${dispatchId}`, "search", { text: secret }), dispatchId);
      judge.say(step("one", { valueJson: JSON.stringify(secret) }), dispatchId);
      return answer;
    },
  });
  await Promise.all([dev, judge].map((agent) => agent.receive("welcome")));
  return hub;
}

const governed = (title: string) => ({
  idempotencyKey: title,
  contract: { taskId: title, title, acceptanceCriteria: ["it is done"] },
  governance: {
    sapVersion: "2.0",
    taskId: "7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a",
    correlationId: "a7f5d5b2-13a8-4a0d-9ba2-6b1e3c6f9d11",
    issuer: { agentId: "planner", kind: IssuerKind.AGENT },
    pressureLevel: PressureLevel.CONSULTED,
  },
});

/** A call of a service, by its name, with its answer as text. */
async function asked(hub: Hub, name: string, init: Record<string, unknown>): Promise<string> {
  const method = [...OrchestratorService.methods, ...InspectionService.methods].find(
    ({ localName }) => localName === name,
  );
  if (!method) throw new Error(`there is no call ${name}`);
  const call = hub[name as keyof Hub] as (caller: typeof ada, request: unknown) => Promise<never>;
  const request = create(method.input as DescMessage, init);
  return `${name} ${toJsonString(method.output as DescMessage, await call.call(hub, ada, request))}`;
}

/** Everything that the calls return about a run, by name of the call. */
async function everythingOf(hub: Hub, pipelineId: string): Promise<readonly string[]> {
  const filter = `pipeline_id = "${pipelineId}"`;
  const { revision } = await read(hub, pipelineId);
  const audit = await hub.listAuditEntries(ada, create(contract.ListAuditEntriesRequestSchema, { filter }));
  const attempts = await hub.getAttempts(ada, create(contract.GetAttemptsRequestSchema, { pipelineId }));
  const events = await eventsSeen(hub, filter);
  expect(events.length).toBeGreaterThan(0);
  const ofAttempts = attempts.attempts.flatMap(({ dispatchId }) =>
    ["getAttempt", "getAttemptChanges", "getPipelineChanges", "explainDispatch"].map((name) =>
      asked(hub, name, { dispatchId }),
    ),
  );
  return Promise.all([
    ...["getPipeline", "getAttempts", "getTransitions", "getTurns"].map((name) =>
      asked(hub, name, { pipelineId }),
    ),
    asked(hub, "getSteps", { pipelineId, withValues: true }),
    asked(hub, "listPipelines", {}),
    asked(hub, "listEscalations", { filter }),
    asked(hub, "previewRewind", { pipelineId, toRevision: revision }).catch(() => ""),
    ...ofAttempts,
    `listAuditEntries ${toJsonString(contract.ListAuditEntriesResponseSchema, audit)}`,
    `watchEvents ${events.map((event) => toJsonString(contract.EventRecordSchema, event)).join("\n")}`,
  ]);
}

async function consultationsAbout(hub: Hub, title: string): Promise<readonly string[]> {
  const { pipelines } = await hub.listPipelines(ada, create(contract.ListPipelinesRequestSchema));
  return pipelines
    .filter(({ pipelineName }) => pipelineName.includes(title) && pipelineName.startsWith("Consultation"))
    .map(({ pipelineId }) => pipelineId);
}

describe("a consultation", () => {
  it.each(Object.entries(answers))(
    "[SAP-04] that ends with a %s returns nothing of the answer it is about",
    async (title, answer) => {
      const hub = await consultedHub(answer);
      const pipelineId = await submit(hub, governed(title));
      const filter = `pipeline_id = "${pipelineId}"`;
      const question = await eventually("a question", async () => {
        const request = create(contract.ListEscalationsRequestSchema, { filter });
        return (await hub.listEscalations(ada, request)).escalations.find(({ resolvedAt }) => !resolvedAt);
      });
      const consultations = await consultationsAbout(hub, title);
      expect(consultations).toHaveLength(2); // About the task, and about its answer.
      for (const id of consultations) {
        await reaches(hub, id, ...ended);
        for (const text of await everythingOf(hub, id)) expect(text).not.toContain("Osprey");
        const request = { pipelineId: id, stageId: "consult", idempotencyKey: `again ${id}`, reason: "look" };
        expect(
          await refusalOf(hub.rerunPipeline(ada, create(contract.RerunPipelineRequestSchema, request))),
        ).toMatchObject({ code: "BATON-PIPELINE-002" });
      }
      const { escalationId } = question;
      const withheld = await hub.getWithheldAnswer(
        ada,
        create(contract.GetWithheldAnswerRequestSchema, { escalationId }),
      );
      expect(withheld.result?.response?.data).toEqual({ text: secret });
      const resolution = { escalationId, resolution: "reject", reason: "I looked" };
      await hub.resolveEscalation(ada, create(ResolveEscalationRequestSchema, resolution));
      expect((await reaches(hub, pipelineId, ...ended)).status).toBe(PipelineStatus.FAILED);
      for (const text of await everythingOf(hub, pipelineId)) expect(text).not.toContain("Osprey");
    },
  );

  it("[SAP-04] gives its verdict with its reason to the person who decides", async () => {
    const hub = await consultedHub(answers.verdict ?? {});
    const pipelineId = await submit(hub, governed("decided"));
    const filter = `pipeline_id = "${pipelineId}"`;
    const question = await eventually("a question", async () => {
      const request = create(contract.ListEscalationsRequestSchema, { filter });
      return (await hub.listEscalations(ada, request)).escalations[0];
    });
    const request = create(contract.GetWithheldAnswerRequestSchema, { escalationId: question.escalationId });
    const { alignment } = await hub.getWithheldAnswer(ada, request);
    expect(alignment?.consultations).toMatchObject([{ notes: `it names ${secret}` }]);
  });
});
