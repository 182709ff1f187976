import {
  AgentRole,
  EventSchema,
  ListAuditEntriesRequestSchema,
  ListEscalationsRequestSchema,
  ListPipelinesRequestSchema,
  PausePipelineRequestSchema,
  PipelineStatus,
} from "@baton/contract";
import { createRedactor, type Detector } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import {
  ada,
  dispatchOf,
  ended,
  eventually,
  reaches,
  read,
  refusalOf,
  silent,
  submit,
  TestAgent,
  task,
  testHub,
} from "../../testing/index.ts";
import type { Hub } from "../api/hub.ts";
import { EgressFilter, type RedactionAlert } from "./egress-filter.ts";

/** Fails for a keyword, so that a test chooses the egress by the field that contains it. */
const explosive: Detector = {
  kind: "explosive",
  anchors: ["explode"],
  examine: () => {
    throw new TypeError("it went off");
  },
};

async function hubWithBrokenFilter() {
  const made = createRedactor({ detectors: [explosive], personalData: "everywhere" });
  if (!made.ok) throw new Error("the redactor is right");
  const alerts: RedactionAlert[] = [];
  const filter = new EgressFilter({ redactor: made.redactor, onFailure: (alert) => alerts.push(alert) });
  const problems: Error[] = [];
  const hub = await testHub({ filter, onProblem: (problem) => problems.push(problem) });
  return { hub, alerts };
}

async function entriesOf(hub: Hub) {
  const { entries } = await hub.listAuditEntries(ada, create(ListAuditEntriesRequestSchema));
  return entries.toSorted((one, other) => Number(one.sequence - other.sequence));
}

describe("redaction that fails", () => {
  it("[OBS-05] of an audit entry: the transition does not happen, not even half of it", async () => {
    const { hub, alerts } = await hubWithBrokenFilter();
    const pipelineId = await submit(hub);
    const before = await read(hub, pipelineId);
    const pause = (reason: string) =>
      hub.pausePipeline(ada, create(PausePipelineRequestSchema, { pipelineId, reason }));
    const refused = await refusalOf(pause("may explode"));
    expect([refused.code, refused.kind]).toEqual(["BATON-PIPELINE-007", "internal"]);
    expect(refused.message).not.toContain("explode");
    expect(await read(hub, pipelineId)).toEqual(before);
    expect(alerts).toEqual([{ egress: "audit", code: "BATON-REDACTION-101" }]);

    await pause("lunch");
    expect((await read(hub, pipelineId)).status).toBe(PipelineStatus.PAUSED);
    const entries = await entriesOf(hub);
    expect(entries.map(({ sequence }) => Number(sequence))).toEqual(entries.map((_, place) => place + 1));
    await hub.drain(0);
  });

  it("[OBS-05] of what lists show: that task is refused, and those that share its transaction are taken", async () => {
    const { hub, alerts } = await hubWithBrokenFilter();
    const titled = (title: string) => ({
      idempotencyKey: title,
      contract: { taskId: "T", title, acceptanceCriteria: ["so"] },
    });
    const good = Array.from({ length: 5 }, (_, place) => submit(hub, titled(`Good ${place}`)));
    const bad = refusalOf(submit(hub, titled("may explode")));
    expect(["BATON-PIPELINE-007"]).toContain((await bad).code);
    const ids = await Promise.all(good);
    const { pipelines } = await hub.listPipelines(ada, create(ListPipelinesRequestSchema));
    expect(pipelines.map(({ pipelineId }) => pipelineId).toSorted()).toEqual(ids.toSorted());
    expect(new Set(alerts.map(({ code }) => code))).toEqual(new Set(["BATON-REDACTION-101"]));
    await hub.drain(0);
  });

  it("[OBS-05] of an answer: the caller learns that it is withheld, and others are not affected", async () => {
    const { hub, alerts } = await hubWithBrokenFilter();
    new TestAgent(hub, {
      packId: "dev",
      answer: ({ contract }) => (contract?.taskId === "loud" ? { status: { summary: "may explode" } } : {}),
    });
    const contract = { taskId: "loud", title: "Do it", acceptanceCriteria: ["so"] };
    const other = await submit(hub, { idempotencyKey: "other" });
    const { pipeline } = await hub.submitTask(ada, task({ contract }));
    const loud = pipeline?.pipelineId ?? "";
    await reaches(hub, other, ...ended);
    const refused = await eventually("an answer that is withheld", async () => {
      const outcome = await read(hub, loud).then(
        () => undefined,
        (error: unknown) => error,
      );
      return outcome as Awaited<ReturnType<typeof refusalOf>> | undefined;
    });
    expect([refused.code, refused.kind]).toEqual(["BATON-REDACTION-101", "internal"]);
    expect(refused.message).not.toContain("explode");
    expect(alerts).toContainEqual({ egress: "answer", code: "BATON-REDACTION-101" });
    expect((await read(hub, other)).status).toBe(PipelineStatus.COMPLETED);
    await hub.drain(0);
  });

  it("[OBS-05] [TUR-03] of an event: it is not stored, and its agent is notified", async () => {
    const { hub, alerts } = await hubWithBrokenFilter();
    const agent = new TestAgent(hub, { packId: "dev", answer: silent });
    await submit(hub);
    const envelope = await eventually("an envelope", () => agent.envelopes[0]);
    const value = { agentId: AgentRole.DEVELOPER, turnIndex: 0, chunk: "may explode now", isFinal: true };
    const event = create(EventSchema, {
      eventId: "3f2b8c1e-0000-4000-8000-000000000001",
      sessionId: "s",
      payload: { case: "thoughtStream", value },
    });
    agent.say({ case: "event", value: event }, dispatchOf(envelope));
    const refused = await eventually("a refusal", () => agent.all("refused")[0]);
    expect(refused.error?.code).toBe("BATON-REDACTION-101");
    expect(JSON.stringify(refused.error)).not.toContain("explode");
    expect(alerts).toEqual([{ egress: "event", code: "BATON-REDACTION-101" }]);
    await hub.drain(0);
  });

  it("[OBS-05] of an envelope's context:  the envelope is not sent, and a person is asked", async () => {
    const { hub, alerts } = await hubWithBrokenFilter();
    const agent = new TestAgent(hub, { packId: "dev" });
    await submit(hub, { inputs: { note: "may explode" } });
    await eventually("an alert", () => alerts.some(({ egress }) => egress === "agent"));
    expect(agent.envelopes).toEqual([]);
    await eventually("a question", async () => {
      const { escalations } = await hub.listEscalations(ada, create(ListEscalationsRequestSchema));
      return escalations.length > 0;
    });
    await hub.drain(0);
  });
});
