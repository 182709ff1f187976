import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { AuditService, InspectionService, OrchestratorService, RegistryService } from "@baton/contract";
import { type Client, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";

/** The bundle that the tests build, which starts faster, or the sources. */
const server = join(
  process.env.BATON_PROGRAMS ?? resolve(import.meta.dirname, "../../.."),
  "apps/server/bin/baton-server.mjs",
);

interface Running {
  readonly child: ChildProcess;
  readonly grpc: string;
  readonly http: string;
  readonly operatorTokenFile?: string;
}

/** Operator tokens by page address, for pages that start signed in. */
export const operatorTokens = new Map<string, string>();

/** A hub in its own process, which can be killed and started again at the same addresses. */
export class HubProcess {
  readonly folder: string;
  readonly #args: readonly string[];
  #running: Running;

  private constructor(folder: string, args: readonly string[], running: Running) {
    this.folder = folder;
    this.#args = args;
    this.#running = running;
  }

  static async start(args: readonly string[] = []): Promise<HubProcess> {
    const folder = mkdtempSync(join(tmpdir(), "baton-page-"));
    mkdirSync(join(folder, "work"));
    const all = ["--data", join(folder, "data"), "--grace", "1s", "--log-level", "warn", ...args];
    const running = await run([...all, "--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"]);
    return new HubProcess(folder, all, running);
  }

  get grpc(): string {
    return this.#running.grpc;
  }

  get http(): string {
    return this.#running.http;
  }

  async kill(): Promise<void> {
    const { child } = this.#running;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  }

  async startAgain(): Promise<void> {
    const [grpc, http] = [new URL(this.grpc).host, new URL(this.http).host];
    this.#running = await run([...this.#args, "--grpc", grpc, "--http", http]);
  }

  /** Deletes its data. */
  forget(): void {
    rmSync(join(this.folder, "data"), { recursive: true, force: true });
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Only for hubs without keys. */
  get operatorToken(): string | undefined {
    return operatorTokens.get(this.http);
  }

  clients(key = this.operatorToken): HubClients {
    const withKey: Interceptor = (next) => (request) => {
      if (key !== undefined) request.header.set("authorization", `Bearer ${key}`);
      return next(request);
    };
    const transport = createConnectTransport({ baseUrl: this.http, interceptors: [withKey] });
    return {
      orchestrator: createClient(OrchestratorService, transport),
      registry: createClient(RegistryService, transport),
      audit: createClient(AuditService, transport),
      inspection: createClient(InspectionService, transport),
    };
  }
}

export interface HubClients {
  readonly orchestrator: Client<typeof OrchestratorService>;
  readonly registry: Client<typeof RegistryService>;
  readonly audit: Client<typeof AuditService>;
  readonly inspection: Client<typeof InspectionService>;
}

async function run(args: readonly string[]): Promise<Running> {
  const child = spawn(process.execPath, [server, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const failed = once(child, "exit").then(([code]) => {
    throw new Error(`the hub ended with ${code}`);
  });
  let printed = "";
  const ready = (async () => {
    for await (const text of child.stdout.setEncoding("utf8")) {
      printed += text;
      const line = printed.split("\n").find((one) => one.includes('"ready":true'));
      if (line !== undefined) return { child, ...(JSON.parse(line) as Omit<Running, "child">) };
    }
    throw new Error(`the hub did not start: ${printed}`);
  })();
  const running = await Promise.race([ready, failed]);
  failed.catch(() => {}); // The test handles a later exit.
  const { http, operatorTokenFile } = running;
  if (operatorTokenFile !== undefined)
    operatorTokens.set(http, readFileSync(operatorTokenFile, "utf8").trim());
  return running;
}
