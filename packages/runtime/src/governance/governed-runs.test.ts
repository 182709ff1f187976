import * as contract from "@baton/contract";
import {
  AgentRole,
  AlignmentVerdict,
  CompareConstitutionRequestSchema,
  EventSchema,
  GetAttemptRequestSchema,
  GetConstitutionRequestSchema,
  GetWithheldAnswerRequestSchema,
  IssuerKind,
  ListAuditEntriesRequestSchema,
  ListEscalationsRequestSchema,
  Outcome,
  PipelineStatus,
  PressureLevel,
  ResolveEscalationRequestSchema,
  ResponseStatus,
  type TaskEnvelope,
  WatchEventsRequestSchema,
} from "@baton/contract";
import { readConstitution, readRoutingPolicy } from "@baton/kernel";
import { create, type DescMessage, type Message, toJsonString } from "@bufbuild/protobuf";
import { afterAll, describe, expect, it } from "vitest";
import {
  ada,
  ended,
  eventually,
  reaches,
  read,
  refusalOf,
  submit,
  TestAgent,
  testHub,
} from "../../testing/index.ts";

const reading = readConstitution(
  {
    constitution: {
      version: "1",
      issuers: [{ capabilities: ["code", "consult.*"], agent_ids: ["planner"] }],
      constraints: [
        {
          name: "No code names",
          always: true,
          checks: [{ name: "names", detect: "banned_phrases", phrases: ["Falcon"], on: "output" }],
        },
        { name: "Checked", checks: [{ name: "own", run: ["false-program-that-is-nowhere"] }] },
      ],
      consultation: { quorum: ["one", "two"] },
    },
  },
  "d".repeat(64),
);
if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
const policy = readRoutingPolicy({
  routing_policy: {
    version: "1",
    routes: [
      { task_type: "code", allowed_pack_ids: ["dev"] },
      { task_type: "consult.align", allowed_pack_ids: ["one", "two"] },
    ],
  },
});
if (!policy.ok) throw new Error(JSON.stringify(policy.problems));
const hub = await testHub({ constitution: reading.constitution, policy: policy.policy });
afterAll(() => hub.drain(0));

const answers = new Map<string, string>();
const dev = new TestAgent(hub, {
  packId: "dev",
  maxTasks: 50,
  answer: ({ contract: work }: TaskEnvelope) => {
    const message = answers.get(work?.title ?? "") ?? "birds fly";
    return {
      status: { outcome: Outcome.SUCCESS, summary: message },
      response: { status: ResponseStatus.SUCCESS, message, data: { text: message } },
    };
  },
});
const votes = new Map<string, string>();
const consultant = (packId: string) =>
  new TestAgent(hub, {
    packId,
    taskTypes: ["consult.align"],
    maxTasks: 50,
    answer: ({ inputs }: TaskEnvelope) => {
      const title = String((inputs?.task as { title?: string } | undefined)?.title ?? "");
      const verdict = votes.get(`${packId} ${title}`) ?? "valid";
      return {
        response: { status: ResponseStatus.SUCCESS, data: { verdict, reason: `considered: ${title}` } },
      };
    },
  });
const consultants = [consultant("one"), consultant("two")];
await Promise.all([dev, ...consultants].map((agent) => agent.receive("welcome")));

const governed = (title: string, init: object = {}, more: object = {}) => ({
  idempotencyKey: title,
  contract: { taskId: title, title, acceptanceCriteria: ["it is done"] },
  governance: {
    sapVersion: "2.0",
    taskId: "7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a",
    correlationId: "a7f5d5b2-13a8-4a0d-9ba2-6b1e3c6f9d11",
    issuer: { agentId: "planner", kind: IssuerKind.AGENT },
    pressureLevel: PressureLevel.INSTANT,
    ...init,
  },
  ...more,
});

async function questionOf(pipelineId: string) {
  const request = create(ListEscalationsRequestSchema, { filter: `pipeline_id = "${pipelineId}"` });
  return eventually("a question", async () =>
    (await hub.listEscalations(ada, request)).escalations.find((one) => !one.resolvedAt),
  );
}
const resolve = async (pipelineId: string, resolution: string) => {
  const { escalationId = "" } = (await questionOf(pipelineId)) ?? {};
  const request = create(ResolveEscalationRequestSchema, { escalationId, resolution, reason: "I looked" });
  await hub.resolveEscalation(ada, request);
};

/** Every text that the calls of the hub return about a run. */
async function everythingOf(pipelineId: string): Promise<string> {
  const filter = `pipeline_id = "${pipelineId}"`;
  const run = await read(hub, pipelineId);
  const json = (name: string, message: Message) =>
    toJsonString(
      (contract as unknown as Record<string, DescMessage>)[`${name}Schema`] as DescMessage,
      message,
    );
  const attempt = await hub.getAttempt(
    ada,
    create(GetAttemptRequestSchema, { dispatchId: `${pipelineId}/code/1` }),
  );
  const audit = await hub.listAuditEntries(ada, create(ListAuditEntriesRequestSchema, { filter }));
  const inbox = await hub.listEscalations(ada, create(ListEscalationsRequestSchema, { filter }));
  return [
    json("Pipeline", run),
    json("GetAttemptResponse", attempt),
    json("ListAuditEntriesResponse", audit),
    json("ListEscalationsResponse", inbox),
  ].join("\n");
}

describe("a governed run", () => {
  it("[SAP-04] completes with the evidence when task and answer follow the constitution", async () => {
    const pipelineId = await submit(hub, governed("plain"));
    const run = await reaches(hub, pipelineId, ...ended);
    expect(run.status).toBe(PipelineStatus.COMPLETED);
    expect(run.alignment).toMatchObject({
      verdict: AlignmentVerdict.VALID,
      effectiveLevel: PressureLevel.INSTANT,
      checks: [{ principle: "No code names", check: "names", status: 1 }],
      constitutionDigest: "d".repeat(64),
    });
    expect(run.governance?.correlationId).toBe("a7f5d5b2-13a8-4a0d-9ba2-6b1e3c6f9d11");
    expect(await everythingOf(pipelineId)).toContain("birds fly");
  });

  it("[SAP-04] returns nothing of an answer that violates the constitution, before and after the decision", async () => {
    answers.set("leak", "the plan of Falcon");
    const pipelineId = await submit(hub, governed("leak"));
    const question = await questionOf(pipelineId);
    expect(question?.snapshot?.problem).toContain('"No code names": contains banned phrase 1 of the list');
    expect(await everythingOf(pipelineId)).not.toContain("Falcon");
    const escalationId = question.escalationId;
    const withheld = await hub.getWithheldAnswer(
      ada,
      create(GetWithheldAnswerRequestSchema, { escalationId }),
    );
    expect(withheld.result?.response?.message).toBe("the plan of Falcon");
    expect(withheld.alignment?.violations).toMatchObject([{ check: "names", path: "output.message" }]);
    await resolve(pipelineId, "reject");
    for (const caller of [ada, { ...ada, tenantId: "other" }])
      expect(
        await refusalOf(
          hub.getWithheldAnswer(caller, create(GetWithheldAnswerRequestSchema, { escalationId })),
        ),
      ).toMatchObject({ kind: "not-found" });
    const run = await reaches(hub, pipelineId, ...ended);
    expect(run.status).toBe(PipelineStatus.FAILED);
    expect(run.alignment).toMatchObject({
      verdict: AlignmentVerdict.NON_CONSTITUTIONAL,
      decidedBy: "ada",
      violations: [{ principle: "No code names", check: "names" }],
    });
    expect(await everythingOf(pipelineId)).not.toContain("Falcon");
  });

  it("[SAP-04] returns the answer once a person has let it pass", async () => {
    answers.set("public", "Falcon is public");
    const pipelineId = await submit(hub, governed("public"));
    await resolve(pipelineId, "approve");
    const run = await reaches(hub, pipelineId, ...ended);
    expect(run.status).toBe(PipelineStatus.COMPLETED);
    expect(run.alignment).toMatchObject({ verdict: AlignmentVerdict.VALID, decidedBy: "ada" });
    expect(await everythingOf(pipelineId)).toContain("Falcon is public");
  });

  it("[SAP-04] asks a person about a command that cannot be run", async () => {
    const pipelineId = await submit(hub, governed("broken", { constraints: ["Checked"] }));
    const question = await questionOf(pipelineId);
    expect(question?.snapshot?.problem).toContain('"Checked" could not be checked');
  });

  it("[SAP-04] is consulted about by agents, and goes on with their verdict", async () => {
    const pipelineId = await submit(hub, governed("asked", { pressureLevel: PressureLevel.CONSULTED }));
    const run = await reaches(hub, pipelineId, ...ended);
    expect(run.status).toBe(PipelineStatus.COMPLETED);
    expect(run.alignment?.consultations).toHaveLength(2); // About the task, and about its answer.
    const [envelope] = consultants.flatMap(({ envelopes }) => envelopes);
    expect(envelope?.inputs).toMatchObject({ task: { title: "asked" } });
  });

  it("[SAP-04] is deliberated about by distinct packs, and asks a person when they disagree", async () => {
    votes.set("two split", "non_constitutional");
    const pipelineId = await submit(hub, governed("split", { pressureLevel: PressureLevel.DELIBERATED }));
    const question = await questionOf(pipelineId);
    expect(question?.snapshot?.problem).toContain("one says valid; two says non constitutional");
    expect(question?.snapshot?.problem).not.toContain("considered");
  });

  it("[SAP-04] counts how often each check fired and was overruled", async () => {
    const { rules, version } = await hub.getConstitution(ada, create(GetConstitutionRequestSchema));
    expect(version).toBe("1");
    expect(rules.find(({ check }) => check === "names")).toMatchObject({
      fired: 2,
      overruled: 1,
      escalated: 0,
    });
    const other = await hub.getConstitution(
      { ...ada, tenantId: "other" },
      create(GetConstitutionRequestSchema),
    );
    expect(other.decisions).toBe(0);
  });

  it("[SAP-04] compares past tasks with another constitution", async () => {
    const check = { name: "birds", detect: "banned_phrases", phrases: ["birds fly"], on: "output" };
    const file = {
      constitution: { version: "2", constraints: [{ name: "No birds", always: true, checks: [check] }] },
    };
    const answer = await hub.compareConstitution(ada, create(CompareConstitutionRequestSchema, { file }));
    const changed = answer.differences.map(({ was, wouldBe }) => `${was} ${wouldBe}`);
    // Answers about birds would be refused, and those about Falcon would pass.
    expect(new Set(changed)).toEqual(new Set(["1 2", "2 1"]));
    const wrong = create(CompareConstitutionRequestSchema, { file: { constitution: {} } });
    expect(await refusalOf(hub.compareConstitution(ada, wrong))).toMatchObject({
      code: "BATON-CONFIG-001",
      violations: [{ field: "file.constitution.version" }],
    });
  });

  it("[SAP-04] publishes that the agent thinks, and not what", async () => {
    answers.set("streams", "wait");
    const pipelineId = await submit(hub, governed("streams"));
    await reaches(hub, pipelineId, ...ended);
    const thought = {
      agentId: AgentRole.DEVELOPER,
      turnIndex: 0,
      chunk: "the plan of Falcon",
      isFinal: true,
    };
    const eventId = "3f1d1a34-6f0d-4d6e-9f5f-0b1f6f5c9a11";
    const event = create(EventSchema, {
      eventId,
      sessionId: "s",
      payload: { case: "thoughtStream", value: thought },
    });
    dev.say({ case: "event", value: event }, `${pipelineId}/code/1`);
    const request = create(WatchEventsRequestSchema, {
      afterSequence: 0n,
      filter: `pipeline_id = "${pipelineId}"`,
    });
    const stop = new AbortController();
    for await (const { message } of hub.watchEvents(ada, request, stop.signal)) {
      const payload = message.case === "record" ? message.value.event?.payload : undefined;
      if (payload?.case !== "thoughtStream") continue;
      expect(payload.value.chunk).toBe("[withheld]");
      break;
    }
    stop.abort();
  });

  it("[SAP-09] refuses an issuer that may not issue the capability, and secrets in the payload", async () => {
    const issuer = { agentId: "mallory", kind: IssuerKind.USER };
    expect(await refusalOf(submit(hub, governed("issuer", { issuer })))).toMatchObject({
      code: "BATON-GOVERNANCE-001",
      kind: "denied",
    });
    const token = `ghp_${"a1B2".repeat(9)}`;
    const refused = await refusalOf(
      submit(hub, governed("secret", {}, { inputs: { deep: [{ note: token }] } })),
    );
    expect(refused).toMatchObject({
      code: "BATON-GOVERNANCE-002",
      violations: [{ field: "inputs.deep[0].note" }],
    });
    expect(refused.message).not.toContain(token);
  });
});
