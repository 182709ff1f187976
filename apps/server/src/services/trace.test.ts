import { createServer } from "node:http";
import { createServer as createHttp2Server, type IncomingHttpHeaders } from "node:http2";
import { announce } from "@baton/conformance/connectors/announce.ts";
import { listening } from "@baton/conformance/connectors/listening.ts";
import {
  AgentResultSchema,
  AgentService,
  AgentTransport,
  CancelAgentRequestSchema,
  CancelAgentResponseSchema,
  CancelOutcome,
  decodeJson,
  encodeJson,
  OrchestratorService,
  RunAgentResponseSchema,
  type TaskEnvelope,
  TaskEnvelopeSchema,
  type TraceContext,
} from "@baton/contract";
import { resultFor } from "@baton/kernel/testing";
import type { Hub } from "@baton/runtime";
import { ada, eventually, task, testHub } from "@baton/runtime/testing";
import { create } from "@bufbuild/protobuf";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { describe, expect, it, onTestFinished } from "vitest";
import { runServer } from "../../testing/running-server.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const callersSpan = "00f067aa0ba902b7";

/** What a called agent received: the header, and the trace in the message. */
interface Received {
  readonly call: "run" | "cancel";
  readonly traceparent: string | undefined;
  readonly trace: TraceContext | undefined;
}

interface Listener {
  readonly name: string;
  /** Brings an agent to the hub. It answers the first attempt, and none after it. */
  listen(hub: Hub, received: Received[]): Promise<void>;
}

function traceparentOf(headers: IncomingHttpHeaders): string | undefined {
  const { traceparent } = headers;
  return typeof traceparent === "string" ? traceparent : undefined;
}

const overHttp: Listener = {
  name: "an agent called over HTTP",
  async listen(hub, received) {
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const traceparent = traceparentOf(request.headers);
      if (request.url === "/cancel") {
        received.push({
          call: "cancel",
          traceparent,
          trace: decodeJson(CancelAgentRequestSchema, body).trace,
        });
        const answer = create(CancelAgentResponseSchema, { outcome: CancelOutcome.STOPPED });
        response.setHeader("content-type", "application/json");
        return response.end(encodeJson(CancelAgentResponseSchema, answer));
      }
      const envelope = decodeJson(TaskEnvelopeSchema, body);
      received.push({ call: "run", traceparent, trace: envelope.trace });
      if (isToHang(envelope)) return;
      response.setHeader("content-type", "application/json");
      response.end(encodeJson(AgentResultSchema, resultFor(envelope)));
    });
    const { uri } = await listening(server);
    await announce(hub, { uri, transport: AgentTransport.HTTP_JSON });
  },
};

const overGrpc: Listener = {
  name: "an agent called over gRPC",
  async listen(hub, received) {
    const { runAgent, cancelAgent } = AgentService.method;
    const handler = connectNodeAdapter({
      routes: (router) => {
        router.rpc(runAgent, async function* ({ envelope = create(TaskEnvelopeSchema) }, { requestHeader }) {
          const traceparent = requestHeader.get("traceparent") ?? undefined;
          received.push({ call: "run", traceparent, trace: envelope.trace });
          if (isToHang(envelope)) await new Promise(() => {});
          const value = resultFor(envelope);
          yield create(RunAgentResponseSchema, { message: { case: "result", value } });
        });
        router.rpc(cancelAgent, ({ trace }, { requestHeader }) => {
          received.push({
            call: "cancel",
            traceparent: requestHeader.get("traceparent") ?? undefined,
            trace,
          });
          return create(CancelAgentResponseSchema, { outcome: CancelOutcome.STOPPED });
        });
      },
    });
    const { uri } = await listening(createHttp2Server(handler));
    await announce(hub, { uri, transport: AgentTransport.GRPC });
  },
};

function isToHang({ contract }: TaskEnvelope): boolean {
  return contract?.title === "hang";
}

async function serve(listener: Listener) {
  const hub = await testHub();
  onTestFinished(() => hub.drain(0));
  const server = await runServer(hub);
  const received: Received[] = [];
  // Who calls without a key is of the tenant "local"; the agents of the kit are of another.
  const local = { ...ada, tenantId: "local" };
  await listener.listen({ ...hub, ...asTenant(hub, local.tenantId) }, received);
  return { server, received };
}

function asTenant(hub: Hub, tenantId: string): Pick<Hub, "registerAgent" | "sendHeartbeat"> {
  return {
    registerAgent: (caller, request) => hub.registerAgent({ ...caller, tenantId }, request),
    sendHeartbeat: (caller, request) => hub.sendHeartbeat({ ...caller, tenantId }, request),
  };
}

describe.each([overHttp, overGrpc])("$name", (listener) => {
  it.each([
    ["of today", `00-${traceId}-${callersSpan}-01`],
    ["of a version to come", `cc-${traceId}-${callersSpan}-01-what-the-future-will-be-like`],
  ])(
    "[OBS-01] is called in the trace of the submitter of the task, by a header %s",
    async (_, traceparent) => {
      const { server, received } = await serve(listener);
      const { pipeline } = await server
        .client(OrchestratorService)
        .submitTask(task(), { headers: { traceparent } });
      const pipelinesSpan = pipeline?.trace?.spanId;
      expect(pipeline?.trace).toMatchObject({ traceId, parentSpanId: callersSpan });
      const [run] = await eventually("a call", () => received.length > 0 && received);
      expect(run?.trace).toMatchObject({ traceId, parentSpanId: pipelinesSpan });
      expect(run?.traceparent).toBe(`00-${traceId}-${run?.trace?.spanId}-01`);
    },
  );

  it.each([
    ["no header", undefined],
    ["a header that is none", `00-${traceId.toUpperCase()}-${callersSpan}-01`],
    ["a version that cannot be", `ff-${traceId}-${callersSpan}-01`],
    ["a span of zeros", `00-${traceId}-0000000000000000-01`],
  ])("[OBS-01] is called in a trace of the hub's own when the caller has sent %s", async (_, traceparent) => {
    const { server, received } = await serve(listener);
    const headers: Record<string, string> = traceparent === undefined ? {} : { traceparent };
    const { pipeline } = await server.client(OrchestratorService).submitTask(task(), { headers });
    expect(pipeline?.trace?.traceId).toMatch(/^(?!0{32}|4bf9)[0-9a-f]{32}$/);
    expect(pipeline?.trace?.parentSpanId).toBe("");
    const [run] = await eventually("a call", () => received.length > 0 && received);
    expect(run?.traceparent).toBe(`00-${pipeline?.trace?.traceId}-${run?.trace?.spanId}-01`);
  });

  it("[OBS-01] is cancelled in the trace and span of the attempt", async () => {
    const { server, received } = await serve(listener);
    const client = server.client(OrchestratorService);
    const hang = task({ contract: { taskId: "task-1", title: "hang", acceptanceCriteria: ["so"] } });
    const traceparent = `00-${traceId}-${callersSpan}-01`;
    const { pipeline } = await client.submitTask(hang, { headers: { traceparent } });
    await eventually("a call", () => received.length > 0);
    await client.abortPipeline({ pipelineId: pipeline?.pipelineId ?? "", reason: "so" });
    const [run, cancel] = await eventually("a cancel", () => received.length > 1 && received);
    expect(cancel).toMatchObject({ call: "cancel", traceparent: run?.traceparent, trace: { traceId } });
  });
});
