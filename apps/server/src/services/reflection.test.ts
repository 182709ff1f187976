import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { OrchestratorService } from "@baton/contract";
import { fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, it, onTestFinished } from "vitest";
import { ServerReflection as V1 } from "../../gen/grpc/reflection/v1/reflection_pb.js";
import { ServerReflection as V1Alpha } from "../../gen/grpc/reflection/v1alpha/reflection_pb.js";
import { collect } from "../../testing/collect.ts";
import { takingHub } from "../../testing/hub-double.ts";
import { type RunningServer, runServer, smallTask } from "../../testing/running-server.ts";

const buf = resolve(import.meta.dirname, "../../../../node_modules/.bin/buf");

/** Calls a method as a person would who has nothing but the address. */
async function bufCurl(server: RunningServer, method: string, data: unknown, ...more: readonly string[]) {
  const home = mkdtempSync(join(tmpdir(), "baton-buf-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const args = [
    "curl",
    "--protocol",
    "grpc",
    "--http2-prior-knowledge",
    "--data",
    JSON.stringify(data),
    ...more,
  ];
  const { stdout } = await promisify(execFile)(buf, [...args, `${server.grpcAddress}/${method}`], {
    cwd: home,
    env: { ...process.env, HOME: home, BUF_CACHE_DIR: home },
  });
  return JSON.parse(stdout);
}

describe("gRPC reflection", () => {
  it.each(["grpc-v1", "grpc-v1alpha"])("[TRN-05] lets buf submit a task by %s", async (version) => {
    const server = await runServer(takingHub().hub);
    const method = "vasini.agent.v1.OrchestratorService/SubmitTask";
    const answer = await bufCurl(server, method, smallTask, "--reflect-protocol", version);
    expect(answer).toMatchObject({ pipeline: { pipelineId: "key-1" } });
  });

  it("[TRN-05] lets buf ask for the health", async () => {
    const server = await runServer();
    expect(await bufCurl(server, "grpc.health.v1.Health/Check", {})).toEqual({ status: "SERVING" });
  });

  it.each([V1, V1Alpha])("[TRN-05] answers what is asked, in $typeName", async (service) => {
    const client = (await runServer()).client(service);
    const questions = [
      { case: "listServices", value: "" },
      { case: "fileContainingSymbol", value: OrchestratorService.typeName },
      { case: "fileContainingSymbol", value: `${OrchestratorService.typeName}.SubmitTask` },
      { case: "fileByFilename", value: "vasini/agent/v1/task.proto" },
      {
        case: "fileContainingExtension",
        value: { containingType: "google.protobuf.FieldOptions", extensionNumber: 1159 },
      },
      { case: "allExtensionNumbersOfType", value: "google.protobuf.FieldOptions" },
      { case: "fileContainingSymbol", value: "vasini.agent.v1.OrchestratorService.Nothing" },
      { case: "fileByFilename", value: "../../etc/passwd" },
    ] as const;
    async function* asks() {
      for (const messageRequest of questions) yield { messageRequest };
    }
    const answers = await collect(client.serverReflectionInfo(asks()));
    const described = answers.map(({ messageResponse }) =>
      messageResponse.case === "fileDescriptorResponse"
        ? fromBinary(
            FileDescriptorProtoSchema,
            messageResponse.value.fileDescriptorProto[0] ?? new Uint8Array(),
          ).name
        : messageResponse.value,
    );
    expect(described).toMatchObject([
      { service: expect.arrayContaining([expect.objectContaining({ name: OrchestratorService.typeName })]) },
      "vasini/agent/v1/orchestrator_service.proto",
      "vasini/agent/v1/orchestrator_service.proto",
      "vasini/agent/v1/task.proto",
      "buf/validate/validate.proto",
      { extensionNumber: expect.arrayContaining([1159]) },
      { errorCode: 5 },
      { errorCode: 5 },
    ]);
  });
});
