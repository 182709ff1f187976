import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { lastingPort } from "@baton/contract/testing/lasting-port";

/** The program as it was built for the tests; without them as it is in the tree. */
const program = join(
  process.env.BATON_PROGRAMS ?? resolve(import.meta.dirname, "../.."),
  "apps/server/bin/baton-server.mjs",
);

/** The program of the hub at one address, which it keeps when it is killed and started again. */
export class HubProgram {
  readonly #folder: string;
  readonly #ports: readonly [grpc: number, http: number];
  #child: ReturnType<typeof spawn> | undefined;
  tokenFile = "";

  private constructor(folder: string, ports: readonly [number, number]) {
    this.#folder = folder;
    this.#ports = ports;
  }

  static async start(folder: string): Promise<HubProgram> {
    const hub = new HubProgram(folder, [await lastingPort(), await lastingPort()]);
    await hub.start();
    return hub;
  }

  get grpc(): string {
    return `http://127.0.0.1:${this.#ports[0]}`;
  }

  get http(): string {
    return `http://127.0.0.1:${this.#ports[1]}`;
  }

  async start(): Promise<void> {
    const [grpc, http] = this.#ports.map((port) => `127.0.0.1:${port}`) as [string, string];
    const args = ["--grpc", grpc, "--http", http, "--log-level", "warn"];
    const child = spawn(process.execPath, [program, ...args], {
      cwd: this.#folder,
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#child = child;
    const [line] = await once(createInterface(child.stdout), "line");
    this.tokenFile = JSON.parse(String(line)).operatorTokenFile;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }
}
