import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { OrchestratorService, SubmitTaskRequestSchema } from "@baton/contract";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it, onTestFinished } from "vitest";
import { takingHub } from "../../testing/hub-double.ts";
import { frame } from "../../testing/raw-grpc.ts";
import { type RunningServer, runServer, smallTask, smallTaskMessage } from "../../testing/running-server.ts";

const path = "/vasini.agent.v1.OrchestratorService/SubmitTask";

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const withInputs = (inputs: string) => `${JSON.stringify(smallTask).slice(0, -1)},"inputs":${inputs}}`;

describe("a message that is too much", () => {
  it.each([
    ["nested too deeply", withInputs(nested(100)), "BATON-CONTRACT-003"],
    ["of too many elements", withInputs(`{"a":[${"0,".repeat(30_000)}0]}`), "BATON-CONTRACT-001"],
    [
      "larger than 4 MiB",
      JSON.stringify({ ...smallTask, taskType: "x".repeat(5 * 1024 * 1024) }),
      "BATON-CONTRACT-001",
    ],
    ["with a key twice", `{"idempotencyKey":"a",${JSON.stringify(smallTask).slice(1)}`, "BATON-CONTRACT-002"],
    ["that is no JSON", "{", "BATON-CONTRACT-002"],
    ["that is nothing", "", "BATON-CONTRACT-002"],
  ])("is refused as JSON: %s", async (_, body, code) => {
    const server = await runServer(takingHub().hub);
    const answer = await server.post(path, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "invalid_argument", details: [{ debug: { code } }] });
    await expectAlive(server);
  });

  it("is refused over gRPC, and the connection goes on", async () => {
    const server = await runServer(takingHub().hub);
    const client = server.client(OrchestratorService);
    const huge = { ...smallTaskMessage, idempotencyKey: "x".repeat(5 * 1024 * 1024) };
    const error = await client.submitTask(huge).catch(ConnectError.from);
    expect(error).toMatchObject({ code: Code.InvalidArgument });
    expect((await client.submitTask(smallTaskMessage)).pipeline?.pipelineId).toBe("key-1");
  });

  it("is refused when it is too large once decompressed", async () => {
    const server = await runServer(takingHub().hub);
    const bomb = gzipSync(JSON.stringify({ ...smallTask, taskType: "x".repeat(64 * 1024 * 1024) }));
    const answer = await postBytes(server, bomb, { "content-encoding": "gzip" });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("BATON-CONTRACT-001");
  });

  it("is refused over gRPC when it says that it is compressed, and not how", async () => {
    const server = await runServer(takingHub().hub);
    const trailers = await grpcBytes(server, frame(gzipSync("hello"), 1));
    expect(trailers["grpc-status"]).toBe(String(Code.InvalidArgument));
  });

  it.each([
    ["cut off", frame(new Uint8Array(10)).subarray(0, 8)],
    ["of a wrong type", frame(Uint8Array.from([0x08, 0x01]))],
    ["with flags that mean nothing", frame(new Uint8Array(0), 0x40)],
    ["that claims to be 4 GB", Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 1, 2, 3])],
  ])("is refused over gRPC: %s", async (_, bytes) => {
    const server = await runServer(takingHub().hub);
    const trailers = await grpcBytes(server, bytes);
    expect(trailers["grpc-status"]).toBe(String(Code.InvalidArgument));
  });
});

describe("a message", () => {
  it("is taken compressed", async () => {
    const server = await runServer(takingHub().hub);
    const body = gzipSync(JSON.stringify(smallTask));
    const answer = await postBytes(server, body, { "content-encoding": "gzip" });
    expect(await answer.json()).toMatchObject({ pipeline: { pipelineId: "key-1" } });
  });

  it("is refused in a compression that nobody speaks here, with those that are", async () => {
    const server = await runServer(takingHub().hub);
    const answer = await postBytes(server, Buffer.from("{}"), { "content-encoding": "br" });
    const message = expect.stringContaining("supported encodings are gzip");
    expect(await answer.json()).toMatchObject({ code: "unimplemented", message });
  });

  it("is taken byte by byte", async () => {
    const server = await runServer(takingHub().hub);
    const bytes = frame(toBinary(SubmitTaskRequestSchema, create(SubmitTaskRequestSchema, smallTaskMessage)));
    const trailers = await grpcBytes(server, ...[...bytes].map((byte) => Buffer.from([byte])));
    expect(trailers["grpc-status"]).toBe("0");
  });

  it("that does not come is not waited for, over gRPC", async () => {
    const server = await runServer(takingHub().hub, { limits: { bodyTimeoutMs: 50 } });
    const session = connectHttp2(server.grpcAddress);
    onTestFinished(() => session.destroy());
    const stream = session.request(grpcHeaders);
    stream.write(Buffer.from([0, 0, 0]));
    const [trailers] = await once(stream.resume(), "trailers");
    expect(trailers["grpc-status"]).toBe(String(Code.DeadlineExceeded));
  });

  it("that does not come is not waited for, over HTTP/1.1", async () => {
    const server = await runServer(takingHub().hub, { limits: { bodyTimeoutMs: 50 } });
    const { port, host } = new URL(server.httpAddress);
    const socket = connect(Number(port), "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`,
    );
    const [answer] = await once(socket, "data");
    expect(String(answer)).toContain("deadline_exceeded");
  });
});

const grpcHeaders = { ":method": "POST", ":path": path, "content-type": "application/grpc", te: "trailers" };

/** Sends a call of gRPC in pieces and gives the trailers of the answer. */
async function grpcBytes(server: RunningServer, ...pieces: readonly Uint8Array[]) {
  const session = connectHttp2(server.grpcAddress);
  onTestFinished(() => session.destroy());
  const stream = session.request(grpcHeaders);
  for (const piece of pieces) stream.write(piece);
  stream.end();
  const [trailers] = await once(stream.resume(), "trailers");
  return trailers;
}

function postBytes(server: RunningServer, body: Buffer<ArrayBuffer>, headers: Record<string, string>) {
  return fetch(`${server.httpAddress}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
}

async function expectAlive(server: RunningServer): Promise<void> {
  expect((await server.post(path, smallTask)).status).toBe(200);
}
