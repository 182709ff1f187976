import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type AgentDefinition, startAgent } from "@baton/agent";
import {
  AuditService,
  OrchestratorService,
  type Pipeline,
  PipelineStatus,
  type Stage,
  StageStatus,
} from "@baton/contract";
import type { JsonObject } from "@bufbuild/protobuf";
import { createClient, type Interceptor } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { expect, onTestFinished } from "vitest";

const programs = process.env.BATON_PROGRAMS ?? resolve(import.meta.dirname, "../..");
const server = join(programs, "apps/server/bin/baton-server.mjs");

interface Ready {
  readonly grpc: string;
  readonly operatorTokenFile: string;
}

/** A hub of its own process with workflows in its folder, and agents of the SDK that are attached to it. */
export class WorkflowHub {
  readonly #ready: Ready;
  readonly orchestrator: ReturnType<typeof createClient<typeof OrchestratorService>>;
  readonly audit: ReturnType<typeof createClient<typeof AuditService>>;

  private constructor(ready: Ready) {
    this.#ready = ready;
    const token = readFileSync(ready.operatorTokenFile, "utf8").trim();
    const asOperator: Interceptor = (next) => (request) => {
      request.header.set("authorization", `Bearer ${token}`);
      return next(request);
    };
    const sessionManager = new Http2SessionManager(ready.grpc);
    onTestFinished(() => sessionManager.abort());
    const transport = createGrpcTransport({
      baseUrl: ready.grpc,
      sessionManager,
      interceptors: [asOperator],
    });
    this.orchestrator = createClient(OrchestratorService, transport);
    this.audit = createClient(AuditService, transport);
  }

  /** With these workflows, by the name of their files. */
  static async with(workflows: Readonly<Record<string, string>>): Promise<WorkflowHub> {
    const folder = mkdtempSync(join(tmpdir(), "baton-workflows-"));
    mkdirSync(join(folder, "workflows"));
    for (const [name, text] of Object.entries(workflows))
      writeFileSync(join(folder, "workflows", `${name}.yaml`), text);
    const anywhere = "127.0.0.1:0";
    const child = spawn(process.execPath, [server, "--grpc", anywhere, "--http", anywhere], { cwd: folder });
    const ended = new Promise((done) => child.on("close", done));
    onTestFinished(async () => {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    });
    let [stdout, stderr] = ["", ""];
    const ready = new Promise<Ready>((done, refuse) => {
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text;
      });
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        stdout += text;
        const line = stdout.split("\n").find((one) => one.includes('"ready":true'));
        if (line !== undefined) done(JSON.parse(line));
      });
      child.on("close", () => refuse(new Error(stderr)));
    });
    return new WorkflowHub(await ready);
  }

  /** Attaches an agent that answers with this function; its pack has the name of its task type. */
  async agent(taskType: string, run: AgentDefinition["run"]): Promise<void> {
    const agent = await startAgent({
      ...{ pack: taskType, version: "1.0.0", taskTypes: [taskType], run },
      ...{ hub: this.#ready.grpc, handleSignals: false },
    });
    onTestFinished(() => agent.close({ graceMs: 0 }));
  }

  async submit(templateId: string, inputs: JsonObject = {}): Promise<string> {
    const { pipeline } = await this.orchestrator.submitTask({
      idempotencyKey: crypto.randomUUID(),
      plan: { case: "templateId", value: templateId },
      contract: { taskId: "task-1", title: "Do it", acceptanceCriteria: ["it is done"] },
      inputs,
    });
    return pipeline?.pipelineId ?? "";
  }

  async pipeline(pipelineId: string): Promise<Pipeline> {
    const { pipeline } = await this.orchestrator.getPipeline({ pipelineId });
    if (!pipeline) throw new Error(`there is no run ${pipelineId}`);
    return pipeline;
  }

  /** The run, once it has this status. */
  async reaches(pipelineId: string, status: PipelineStatus): Promise<Pipeline> {
    const statusOf = async () => PipelineStatus[(await this.pipeline(pipelineId)).status];
    await expect.poll(statusOf).toBe(PipelineStatus[status]);
    return this.pipeline(pipelineId);
  }

  async openQuestions(): Promise<readonly { readonly id: string; readonly problem: string }[]> {
    const { escalations } = await this.orchestrator.listEscalations({ filter: "resolved = false" });
    return escalations.map(({ escalationId: id, snapshot }) => ({ id, problem: snapshot?.problem ?? "" }));
  }
}

/** `a:COMPLETED b:SKIPPED`. */
export function statuses({ stages }: Pipeline): string {
  return stages.map(({ stageId, status }) => `${stageId}:${StageStatus[status]}`).join(" ");
}

export function stageOf({ stages }: Pipeline, stageId: string): Stage {
  const stage = stages.find((one) => one.stageId === stageId);
  if (!stage) throw new Error(`there is no stage ${stageId}`);
  return stage;
}
