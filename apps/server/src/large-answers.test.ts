import {
  AttachAgentResponseSchema,
  AttemptPart,
  AuditService,
  ErrorDetailSchema,
  GetAttemptRequestSchema,
  GetAttemptResponseSchema,
  GetPipelineResponseSchema,
  InspectionService,
  OrchestratorService,
  Outcome,
  type Pipeline,
  PipelinePolicySchema,
  PipelineStatus,
  RegistryService,
  WatchEventsResponseSchema,
} from "@baton/contract";
import { stages } from "@baton/kernel/testing";
import { eventually, planOf, TestAgent, type TestAgentOptions, task, testHub } from "@baton/runtime/testing";
import { create, fromBinary, fromJson, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it, onTestFinished } from "vitest";
import { hubDouble } from "../testing/hub-double.ts";
import { type RunningServer, runServer } from "../testing/running-server.ts";

const local = { tenantId: "local", id: "local", kind: "human" } as const;
const messageBytes = 4 * 1024 * 1024;

interface Large {
  readonly server: RunningServer;
  readonly pipelineId: string;
  readonly read: () => Promise<Pipeline>;
}

type Answer = Exclude<ReturnType<Exclude<TestAgentOptions["answer"], undefined>>, undefined>;

/** A server whose hub has run a pipeline of stages a, b and c; their answers follow from their names. */
async function runLarge(
  risksOf: (stageId: string) => readonly string[],
  context: Parameters<typeof task>[0] = {},
): Promise<Large> {
  const answer = (stageId: string) => ({ contextOut: { risksIdentified: [...risksOf(stageId)] } });
  const large = await startLarge(answer, context);
  await eventually("its end", async () => (await large.read()).summary !== undefined);
  return large;
}

async function startLarge(
  answerOf: (stageId: string) => Answer,
  context: Parameters<typeof task>[0] = {},
): Promise<Large> {
  const hub = await testHub();
  onTestFinished(() => hub.drain(0));
  const server = await runServer(hub);
  const agent = new TestAgent(hub, {
    ...{ packId: "dev", tenantId: local.tenantId },
    answer: ({ execution }) => {
      const [, stageId = ""] = execution?.dispatchId.split("/") ?? [];
      return answerOf(stageId);
    },
  });
  onTestFinished(() => agent.vanish());
  await agent.receive("welcome");
  const chain = { a: { taskType: "code" }, b: { taskType: "code" }, c: { taskType: "code" } };
  const plan = planOf(stages(chain));
  const { pipeline } = await hub.submitTask(local, task({ ...context, plan }));
  const pipelineId = pipeline?.pipelineId ?? "";
  const orchestrator = server.client(OrchestratorService);
  const read = async () => {
    const { pipeline: now } = await orchestrator.getPipeline({ pipelineId });
    if (!now) throw new Error("an answer has a pipeline");
    return now;
  };
  return { server, pipelineId, read };
}

/** A list of texts with so many characters together. */
function texts(characters: number, unit = "words of a risk "): readonly string[] {
  return Array.from({ length: 20 }, () => unit.repeat(Math.ceil(characters / 20 / unit.length)));
}

async function asJson(
  { server }: Large,
  path: string,
  body: object,
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await server.post(`/vasini.agent.v1.${path}`, body);
  return { status: answer.status, text: await answer.text() };
}

/** The answer of each call that returns pipelines in short. */
async function readLists({ server, pipelineId }: Large) {
  const orchestrator = server.client(OrchestratorService);
  const inspection = server.client(InspectionService);
  return {
    ...(await orchestrator.listPipelines({})),
    ...(await orchestrator.listEscalations({})),
    ...(await inspection.getAttempts({ pipelineId })),
    ...(await inspection.getTransitions({ pipelineId })),
    ...(await server.client(AuditService).listAuditEntries({ pageSize: 1_000 })),
  };
}

describe("an answer that would be larger than a message", () => {
  it("[CON-05] leaves out the largest results of a pipeline, says so, and each is read by itself", async () => {
    const sizes: Readonly<Record<string, number>> = { a: 1_000_000, b: 3_000_000, c: 2_000_000 };
    const large = await runLarge((stageId) => texts(sizes[stageId] ?? 0));
    const pipeline = await large.read();
    const [a, b, c] = pipeline.stages;
    expect(pipeline.stages.map(({ result }) => result !== undefined)).toEqual([true, false, true]);
    expect([a?.resultLeftOutBytes, c?.resultLeftOutBytes]).toEqual([0, 0]);
    expect(b?.resultLeftOutBytes).toBeGreaterThan(3_000_000);
    expect(b?.resultLeftOutBytes).toBeLessThan(3_002_000);
    const inspection = large.server.client(InspectionService);
    const { result, leftOut } = await inspection.getAttempt({ dispatchId: b?.dispatchId ?? "" });
    expect(result?.contextOut?.risksIdentified).toEqual(texts(3_000_000));
    expect(leftOut).toEqual([]);
    const { status, text } = await asJson(large, "OrchestratorService/GetPipeline", {
      pipelineId: large.pipelineId,
    });
    expect(status).toBe(200);
    expect(fromJson(GetPipelineResponseSchema, JSON.parse(text)).pipeline).toEqual(pipeline);
  });

  it("[CON-05] fits also as JSON, where a character may take six times as much", async () => {
    const large = await runLarge(() => texts(300_000, "\u0001"));
    const { status, text } = await asJson(large, "OrchestratorService/GetPipeline", {
      pipelineId: large.pipelineId,
    });
    expect([status, text.length < messageBytes]).toEqual([200, true]);
    const { pipeline } = fromJson(GetPipelineResponseSchema, JSON.parse(text));
    expect(pipeline?.stages.filter(({ result }) => result).length).toBe(2);
    expect(pipeline).toEqual(await large.read());
  });

  it("[CON-05] that cannot be made smaller is refused as JSON with its size, its position and the fix, and is returned in binary form", async () => {
    const large = await runLarge((stageId) => texts(stageId === "b" ? 1_000_000 : 10, "\u0001"));
    const dispatchId = (await large.read()).stages[1]?.dispatchId ?? "";
    const asked = { dispatchId, part: AttemptPart.RESULT };
    const { result } = await large.server.client(InspectionService).getAttempt(asked);
    expect(result?.contextOut?.risksIdentified).toEqual(texts(1_000_000, "\u0001"));
    const refused = await asJson(large, "InspectionService/GetAttempt", { dispatchId, part: 2 });
    const answer = JSON.parse(refused.text);
    expect([refused.status, answer.code]).toEqual([429, "resource_exhausted"]);
    expect(answer.message).toMatch(
      /^the answer has 60\d{5} bytes as JSON, which exceeds the limit of 4194304$/,
    );
    const detail = fromBinary(ErrorDetailSchema, Buffer.from(answer.details[0].value, "base64"));
    expect(detail).toMatchObject({
      code: "BATON-SERVER-014",
      message: answer.message,
      fix: expect.stringContaining("request the smaller binary form"),
      violations: [{ field: "result" }],
    });
    // Asked for in the smaller form by hand, it is there.
    const { status } = await fetch(
      `${large.server.httpAddress}/vasini.agent.v1.InspectionService/GetAttempt`,
      {
        method: "POST",
        headers: { "content-type": "application/proto" },
        body: toBinary(GetAttemptRequestSchema, create(GetAttemptRequestSchema, asked)),
      },
    );
    expect(status).toBe(200);
  });

  it("[CON-05] that no form is small enough for is refused alike over gRPC, in binary form and as JSON", async () => {
    const described = (templateId: string) => {
      const description = "what it is for, at full length ".repeat(2_000);
      return [templateId, { templateId, name: templateId, description, stages: [], policy }] as const;
    };
    const policy = create(PipelinePolicySchema);
    const hub = await testHub({ templates: new Map(["a", "b", "c"].map(described)) });
    onTestFinished(() => hub.drain(0));
    const server = await runServer(hub, { limits: { messageBytes: 100_000 } });
    const overGrpc = ConnectError.from(
      await server
        .client(InspectionService)
        .getTemplates({})
        .catch((error: unknown) => error),
    );
    const ask = async (type: string, body: Uint8Array<ArrayBuffer> | string) => {
      const headers = { "content-type": type };
      const path = "/vasini.agent.v1.InspectionService/GetTemplates";
      const answer = await fetch(`${server.httpAddress}${path}`, { method: "POST", headers, body });
      const json = JSON.parse(await answer.text());
      const detail = fromBinary(ErrorDetailSchema, Buffer.from(json.details?.[0]?.value ?? "", "base64"));
      return { status: answer.status, detail };
    };
    const refused = (bytes: RegExp) => ({
      code: "BATON-SERVER-014",
      message: expect.stringMatching(bytes),
      fix: expect.stringMatching(/^request less at once: /),
      violations: [{ field: "templates", rule: "BATON-SERVER-014" }],
    });
    const inBinary = /^the answer has 186\d{3} bytes, which exceeds the limit of 100000$/;
    expect(overGrpc.code).toBe(Code.ResourceExhausted);
    expect(overGrpc.findDetails(ErrorDetailSchema)).toMatchObject([refused(inBinary)]);
    expect(await ask("application/proto", new Uint8Array())).toMatchObject({
      status: 429,
      detail: refused(inBinary),
    });
    expect(await ask("application/json", "{}")).toMatchObject({
      status: 429,
      detail: refused(/^the answer has 186\d{3} bytes as JSON, which exceeds the limit of 100000$/),
    });
  });

  it("[CON-05] is refused alike as a message of every stream", async () => {
    const reason = "words ".repeat(20_000);
    const hub = hubDouble({
      async *watchEvents() {
        yield create(WatchEventsResponseSchema, { message: { case: "dropped", value: { reason } } });
      },
      async *attachAgent() {
        yield create(AttachAgentResponseSchema, { message: { case: "drain", value: { reason } } });
      },
    });
    const server = await runServer(hub, { limits: { messageBytes: 100_000 } });
    const hello = { manifest: { packId: "dev", packVersion: "1.0.0" }, heartbeat: { packId: "dev" } };
    async function* requests() {
      yield { sequence: 1n, message: { case: "hello" as const, value: hello } };
    }
    const registry = server.client(RegistryService);
    const read = async (stream: AsyncIterable<unknown>) => {
      for await (const message of stream) expect(message).toBe("nothing");
    };
    for (const [stream, field] of [
      [server.client(OrchestratorService).watchEvents({}), "dropped"],
      [registry.attachAgent(requests()), "drain"],
      [registry.attachAgent(requests(), { timeoutMs: 60_000 }), "drain"],
    ] as const) {
      const error = ConnectError.from(await read(stream).catch((thrown: unknown) => thrown));
      expect(error.code).toBe(Code.ResourceExhausted);
      expect(error.findDetails(ErrorDetailSchema)).toMatchObject([
        {
          code: "BATON-SERVER-014",
          message: expect.stringMatching(
            /^a message of the stream has 1200\d\d bytes, which exceeds the limit of 100000$/,
          ),
          fix: expect.stringMatching(/^request less at once: /),
          violations: [{ field }],
        },
      ]);
    }
  });

  it("[CON-05] [OBS-05] fits also where what is masked becomes longer", async () => {
    // All three fit before they are masked.
    const large = await runLarge(() => texts(1_385_000, `a@b.io ${"word ".repeat(300)}`));
    const listed = (await large.read()).stages;
    expect(listed.filter(({ result }) => result).length).toBe(2);
    expect(listed.filter(({ resultLeftOutBytes }) => resultLeftOutBytes > 1_385_000).length).toBe(1);
  });

  it("[CON-05] leaves out a part of an attempt, which is there when it is asked for alone", async () => {
    const acceptanceCriteria = [...texts(2_000_000, "words of a criterion ")];
    const contract = { taskId: "task-1", title: "Do it", acceptanceCriteria };
    const large = await runLarge(() => texts(2_500_000), { contract });
    const [stage] = (await large.read()).stages;
    const dispatchId = stage?.dispatchId ?? "";
    const inspection = large.server.client(InspectionService);
    const whole = await inspection.getAttempt({ dispatchId });
    expect(toBinary(GetAttemptResponseSchema, whole).length).toBeLessThan(messageBytes);
    expect(whole.leftOut).toMatchObject([{ part: AttemptPart.RESULT }]);
    expect(whole.leftOut[0]?.bytes).toBeGreaterThan(2_500_000);
    expect([whole.envelope !== undefined, whole.result, whole.explanation !== ""]).toEqual([
      true,
      undefined,
      true,
    ]);
    const { summary, result, envelope, leftOut } = await inspection.getAttempt({
      dispatchId,
      part: AttemptPart.RESULT,
    });
    expect(result?.contextOut?.risksIdentified).toEqual(texts(2_500_000));
    expect([summary?.dispatchId, envelope, leftOut]).toEqual([dispatchId, undefined, []]);
  });

  it("[CON-05] [PIP-05] returns a very long reason in short, everywhere but in the attempt itself", async () => {
    const failureReason = "and then it broke ".repeat(150_000);
    const large = await startLarge(() => ({
      status: { outcome: Outcome.NON_RETRYABLE_FAILURE, failureReason },
    }));
    await eventually("its pause", async () => (await large.read()).status === PipelineStatus.PAUSED);
    const short = expect.stringMatching(
      /^.{0,30}(and then it broke ){113}.{0,30}… \(2697955 more characters\)$/,
    );
    const { statusReason, stages: listed } = await large.read();
    expect([statusReason, listed[0]?.waitingFor]).toEqual([short, short]);
    const { escalations, attempts, transitions, pipelines, entries } = await readLists(large);
    expect(pipelines.map((one) => one.statusReason)).toEqual([statusReason]);
    expect(escalations.map(({ snapshot }) => snapshot?.problem)).toEqual([short]);
    expect(attempts.map(({ reason }) => reason)).toEqual([short]);
    expect(transitions.filter(({ reason }) => reason !== "").length).toBeGreaterThan(0);
    expect(entries.length).toBeGreaterThan(3);
    const dispatchId = attempts[0]?.dispatchId ?? "";
    const { result } = await large.server.client(InspectionService).getAttempt({ dispatchId });
    expect(result?.status?.failureReason).toBe(failureReason);
  });

  it("[CON-05] has as much of what all stages saw as can be listed, also in a list, and says how much it has not", async () => {
    const large = await runLarge((stageId) =>
      texts(2_000_000).map((text, place) => `${stageId} ${place} ${place < 19 ? text : "short"}`),
    );
    const { summary } = await large.read();
    expect(summary?.risks).toEqual(["a 19 short", "b 19 short", "c 19 short"]);
    expect(summary?.leftOut).toBe(57);
    const { pipelines } = await readLists(large);
    expect(pipelines[0]?.summary).toEqual(summary);
  });
});
