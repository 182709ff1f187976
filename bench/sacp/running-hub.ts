import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { OrchestratorService, RegistryService } from "@baton/contract";
import { createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";

export interface RunningHub {
  readonly grpc: string;
  /** Submits a task of this type, and waits until it is completed. */
  readonly runTask: (taskType: string) => Promise<void>;
  /** Waits until so many agents are attached. */
  readonly attached: (count: number) => Promise<void>;
  end(): Promise<void>;
}

const program = resolve(import.meta.dirname, "../../apps/server/bin/baton-server.mjs");

/** A hub as people start it, with a project of these files. */
export async function startHub(folder: string, files: Readonly<Record<string, string>>): Promise<RunningHub> {
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const anywhere = ["--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"];
  const args = [
    program,
    "--data",
    join(folder, "data"),
    "--project",
    folder,
    "--log-level",
    "error",
    ...anywhere,
  ];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const { grpc, operatorTokenFile } = await readyLine(child);
  const { readFileSync } = await import("node:fs");
  const token = operatorTokenFile ? readFileSync(operatorTokenFile, "utf8").trim() : "";
  const authorize: Interceptor = (next) => (request) => {
    request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
  const transport = createGrpcTransport({ baseUrl: grpc, interceptors: token ? [authorize] : [] });
  const orchestrator = createClient(OrchestratorService, transport);
  const registry = createClient(RegistryService, transport);
  const ending = new AbortController();
  const waiting = new Map<string, () => void>();
  const early = new Set<string>();
  const watch = async () => {
    const request = { filter: 'stage_id = ""' };
    for await (const { message } of orchestrator.watchEvents(request, { signal: ending.signal })) {
      const payload = message.case === "record" ? message.value.event?.payload : undefined;
      if (message.case !== "record" || payload?.case !== "taskTransition") continue;
      const { toState } = payload.value;
      if (toState === "FAILED" || toState === "PAUSED") throw new Error(`a run is ${toState}`);
      if (toState !== "COMPLETED") continue;
      const { pipelineId } = message.value;
      const done = waiting.get(pipelineId);
      if (done) done();
      else early.add(pipelineId);
      waiting.delete(pipelineId);
    }
  };
  const watching = watch().catch((error: unknown) => {
    if (!ending.signal.aborted) throw error;
  });
  let submitted = 0;
  return {
    grpc,
    async runTask(taskType) {
      const taskId = `bench-${submitted++}`;
      const { pipeline } = await orchestrator.submitTask({
        idempotencyKey: taskId,
        plan: { case: "taskType", value: taskType },
        contract: { taskId, title: "The weather in London", acceptanceCriteria: ["it is the weather"] },
      });
      const id = pipeline?.pipelineId ?? "";
      if (early.delete(id)) return;
      await new Promise<void>((done) => waiting.set(id, done));
    },
    async attached(count) {
      for (;;) {
        const { agents } = await registry.listAgents({ filter: "attached = true" });
        if (agents.length >= count) return;
        await new Promise((done) => setTimeout(done, 50));
      }
    },
    async end() {
      ending.abort();
      await watching;
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
}

async function readyLine(child: ChildProcess): Promise<{ grpc: string; operatorTokenFile?: string }> {
  if (!child.stdout) throw new Error("the hub has no output");
  for await (const line of createInterface({ input: child.stdout }))
    if (line.includes('"ready":true')) {
      child.stdout.resume();
      return JSON.parse(line);
    }
  throw new Error("the hub ended before it was ready");
}
