import {
  GetTurnsRequestSchema,
  ListAgentsRequestSchema,
  ListAuditEntriesRequestSchema,
  Outcome,
  ResponseStatus,
  type TaskEnvelope,
} from "@baton/contract";
import { ada } from "@baton/runtime/testing";
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import type { Connector } from "./connector.ts";
import { passed, result, Setting, turn } from "./setting.ts";

/** Answers, right and wrong (A §3.2 step 7). */
export function answerCases(connector: Connector): void {
  it("[TRN-01] carries the envelope there and the result back", async () => {
    const setting = await Setting.of(connector, async ({ envelope, say }) => {
      say(turn(0));
      say(turn(1));
      say(result(envelope));
    });
    await setting.shows(await setting.submit(), { status: "COMPLETED", attempts: 1, record: passed(1) });
  });

  it("[TUR-02] [TRN-01] its turns are kept, by their index and each once", async () => {
    const setting = await Setting.of(connector, async ({ envelope, say }) => {
      for (const index of [1, 0, 1, 3]) say(turn(index));
      say(result(envelope));
    });
    const pipelineId = await setting.submit();
    await setting.shows(pipelineId, { status: "COMPLETED", attempts: 1, record: passed(1) });
    const { turns, gaps } = await setting.hub.getTurns(ada, create(GetTurnsRequestSchema, { pipelineId }));
    expect(turns.map(({ turn: reported }) => [reported?.turnIndex, reported?.content?.thought])).toEqual([
      [0, "so"],
      [1, "so"],
      [3, "so"],
    ]);
    expect(gaps).toMatchObject([{ firstIndex: 2, lastIndex: 2 }]);
  });

  it("[TUR-02] [TRN-01] a turn that contradicts a stored one is refused on record, and the work goes on", async () => {
    const setting = await Setting.of(connector, async ({ envelope, say }) => {
      say(turn(0));
      say(turn(0, "or so"));
      say(turn(0, "or so again"));
      say(turn(1));
      say(result(envelope));
    });
    const pipelineId = await setting.submit();
    const record = ["1: refused a turn", ...passed(1)];
    await setting.shows(pipelineId, { status: "COMPLETED", attempts: 1, record });
    const { turns } = await setting.hub.getTurns(ada, create(GetTurnsRequestSchema, { pipelineId }));
    expect(turns.map(({ turn: reported }) => [reported?.turnIndex, reported?.content?.thought])).toEqual([
      [0, "so"],
      [1, "so"],
    ]);
    expect(turns.map(({ turn: reported }) => reported?.metadata?.taskId)).toEqual(
      Array(2).fill(`${pipelineId}/work`),
    );
    const filter = "event_type = AUDIT_EVENT_TYPE_TURN_REFUSED";
    const { entries } = await setting.hub.listAuditEntries(
      ada,
      create(ListAuditEntriesRequestSchema, { filter }),
    );
    expect(entries.map(({ rationale }) => rationale)).toEqual([expect.stringContaining("BATON-AGENT-009")]);
  });

  it("[TRN-01] [DIS-14] counts the first of two results, and puts the second on record", async () => {
    const setting = await Setting.of(connector, async ({ envelope, say }) => {
      say(result(envelope));
      say(result(envelope, { status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason: "or not" } }));
    });
    const record = [...passed(1), "1: disregarded a result"];
    await setting.shows(await setting.submit(), { status: "COMPLETED", attempts: 1, record });
  });

  it.each([
    ["of another trace", { trace: { traceId: "1".padStart(32, "0"), spanId: "1".padStart(16, "0") } }],
    ["of another attempt", { attemptNumber: 7 }],
    ["of another task", { taskId: "task-2" }],
    ["of a schema nobody speaks", { protocolVersion: { schemaVersion: "9.0.0" } }],
    ["without evidence or reason", { evidence: {} }],
  ])("[TRN-01] [DIS-14] refuses a result %s, and tries again", async (_what, wrong) => {
    const setting = await Setting.of(connector, async ({ envelope, number, say }) => {
      say(result(envelope, number === 1 ? wrong : {}));
    });
    const record = ["1: refused a result", ...passed(2)];
    await setting.shows(await setting.submit(), { status: "COMPLETED", attempts: 2, record });
  });

  it("[SAC-11] [TRN-01] refuses data that breaks the output schema, and sends the next attempt every violation", async () => {
    const sent: (string | undefined)[] = [];
    const setting = await Setting.of(connector, async ({ envelope, number, say }) => {
      sent.push(envelope.reviewFeedback?.failedChecks[0]?.evidence);
      const data = number === 1 ? { size: 0 } : { size: 1, title: "done" };
      say(result(envelope, { response: { status: ResponseStatus.SUCCESS, data } }));
    });
    const outputSchema = { required: ["title"], properties: { size: { minimum: 1 } } };
    const record = ["1: received a result", "1: refused the data of a result", ...passed(2)];
    const pipelineId = await setting.submit({ outputSchema });
    await setting.shows(pipelineId, { status: "COMPLETED", attempts: 2, record });
    expect(sent).toEqual([
      undefined,
      "response.data.title: required: is required\nresponse.data.size: minimum: must be at least 1; found 0",
    ]);
  });

  it.each([
    ["an attempt that was never made", (own: string) => own.replace(/\d+$/, "9")],
    ["a stage that does not exist", (own: string) => own.replace("/work/", "/other/")],
    ["a run that does not exist", () => "no-such-run/work/1"],
  ])("[TRN-01] [DIS-14] refuses a result that names %s, and tries again", async (_what, other) => {
    const setting = await Setting.of(connector, async ({ envelope, number, say }) => {
      const dispatchId = envelope.execution?.dispatchId ?? "";
      say(result(envelope, number === 1 ? { dispatchId: other(dispatchId) } : {}));
    });
    const record = ["1: refused a result", ...passed(2)];
    await setting.shows(await setting.submit(), { status: "COMPLETED", attempts: 2, record });
  });

  it("[TRN-01] [DIS-14] quarantines an agent after three results that name another dispatch", async () => {
    const setting = await Setting.of(connector, async ({ envelope, say }) => {
      const dispatchId = envelope.execution?.dispatchId ?? "";
      say(result(envelope, { dispatchId: `${dispatchId}0` }));
    });
    const record = ["1: refused a result", "2: refused a result", "3: refused a result"];
    await setting.shows(await setting.submit(), { status: "PAUSED", attempts: 3, record });
    const { agents } = await setting.hub.listAgents(ada, create(ListAgentsRequestSchema));
    expect(agents.map(({ quarantineReason }) => quarantineReason)).toEqual([
      expect.stringContaining("dispatch_id"),
    ]);
  });

  it("[TRN-01] [DIS-13] [DIS-14] does not count a late result as invalid", async () => {
    const late: TaskEnvelope[] = [];
    const setting = await Setting.of(connector, async ({ envelope, number, say }) => {
      if (number === 1) {
        late.push(envelope);
        return say(result(envelope, { evidence: {} }));
      }
      for (const earlier of late) for (let times = 0; times < 3; times++) say(result(earlier));
      say(result(envelope));
    });
    const fenced = Array.from({ length: 3 }, () => "1: disregarded a result");
    const record = ["1: refused a result", ...fenced, ...passed(2)];
    await setting.shows(await setting.submit(), { status: "COMPLETED", attempts: 2, record });
    const { agents } = await setting.hub.listAgents(ada, create(ListAgentsRequestSchema));
    expect(agents.map(({ quarantineReason }) => quarantineReason)).toEqual([""]);
  });

  it("[TRN-01] [DIS-14] shuts an agent out after three invalid results", async () => {
    const setting = await Setting.of(connector, async ({ envelope, say }) => {
      say(result(envelope, { evidence: {} }));
    });
    const record = ["1: refused a result", "2: refused a result", "3: refused a result"];
    await setting.shows(await setting.submit(), { status: "PAUSED", attempts: 3, record });
    const { agents } = await setting.hub.listAgents(ada, create(ListAgentsRequestSchema));
    expect(agents.map(({ quarantineReason }) => quarantineReason)).toEqual([
      expect.stringContaining("evidence"),
    ]);
  });

  it("[TRN-01] passes over an event that breaks the rules, and takes what follows", async () => {
    const setting = await Setting.of(connector, async ({ envelope, say }) => {
      say({ case: "event", value: { eventId: "none" } });
      say(result(envelope));
    });
    await setting.shows(await setting.submit(), { status: "COMPLETED", attempts: 1, record: passed(1) });
  });
}
