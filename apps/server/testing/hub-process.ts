import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  AuditService,
  InspectionService,
  OrchestratorService,
  type Pipeline,
  PipelineStatus,
  RegistryService,
} from "@baton/contract";
import { firstLine } from "@baton/runtime/testing";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { onTestFinished } from "vitest";
import { asOperator, program } from "./program.ts";
import { withKey } from "./running-server.ts";

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** A repository with one commit of these files. */
export function makeRepository(folder: string, files: Readonly<Record<string, string>>): string {
  writeFiles(folder, files);
  const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...identity, ...args]);
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "begin");
  return folder;
}

/** A folder for PATH with these programs of the system, and no others. */
export function makeTools(folder: string, names: readonly string[]): string {
  mkdirSync(folder, { recursive: true });
  for (const name of names)
    symlinkSync(execFileSync("which", [name], { encoding: "utf8" }).trim(), join(folder, name));
  return folder;
}

/** A hub as a process, and clients of its API. */
export async function startHubProcess(
  folder: string,
  {
    args = [],
    env = {},
    token,
    inherited = [],
    onEnd = onTestFinished,
  }: {
    readonly args?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    /** The key of the clients; default: the operator token. */
    readonly token?: string;
    /** File descriptors that it inherits after the standard streams. */
    readonly inherited?: readonly (number | "ignore")[];
    /** Registers the function that ends the hub. Default: it ends with the test. */
    readonly onEnd?: (end: () => Promise<void>) => void;
  } = {},
) {
  const ports = ["--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0", "--log-level", "error"];
  const child = spawn(process.execPath, [program, ...ports, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe", ...inherited],
  });
  onEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "close");
  });
  const ready = JSON.parse(await firstLine(child)) as {
    readonly http: string;
    readonly operatorTokenFile?: string;
  };
  const { http } = ready;
  const transport = createConnectTransport({
    ...{ baseUrl: http, httpVersion: "1.1" },
    interceptors: token === undefined ? asOperator(ready) : [withKey(token)],
  });
  const orchestrator = createClient(OrchestratorService, transport);
  return {
    http,
    orchestrator,
    audit: createClient(AuditService, transport),
    registry: createClient(RegistryService, transport),
    inspection: createClient(InspectionService, transport),
    /** Waits without a limit, because the machine may be busy. */
    async settles(pipelineId: string): Promise<Pipeline> {
      for (;;) {
        const { pipeline } = await orchestrator.getPipeline({ pipelineId });
        if (pipeline && !moving.includes(pipeline.status)) return pipeline;
        await new Promise((done) => setTimeout(done, 50));
      }
    },
    async warnings(): Promise<readonly string[]> {
      const answer = (await (await fetch(`${http}/readyz`)).json()) as { warnings?: readonly string[] };
      return answer.warnings ?? [];
    },
  };
}

const moving = [PipelineStatus.PENDING, PipelineStatus.RUNNING];
