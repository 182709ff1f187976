/**
 * Copies of checkpoints outside of the data folder. An attacker who controls the data folder can rewrite the record; an
 * older copy proves it.
 */
import { spawn } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AuditCheckpoint, AuditCheckpointSchema } from "@baton/contract";
import { toJsonString } from "@bufbuild/protobuf";
import { git } from "../workspaces/git/git.ts";

/** A target of copies. */
export type CheckpointTarget =
  /** One file per checkpoint. */
  | { readonly kind: "folder"; readonly folder: string }
  /** One commit per checkpoint on its own ref. */
  | { readonly kind: "git"; readonly repository: string; readonly ref: string }
  /** A program that reads the checkpoint from standard input. */
  | { readonly kind: "command"; readonly command: readonly string[] };

const commandTimeoutMs = 30_000;
const maxOutput = 500;

/** The latest checkpoint of each tenant that a target lacks. Older ones add nothing. */
export class CopyQueue {
  readonly #targets: readonly CheckpointTarget[];
  readonly #waiting: ReadonlyMap<CheckpointTarget, Map<string, AuditCheckpoint>>;
  readonly #closing = new AbortController();

  constructor(targets: readonly CheckpointTarget[]) {
    this.#targets = targets;
    this.#waiting = new Map(targets.map((target) => [target, new Map()]));
  }

  add(checkpoint: AuditCheckpoint): void {
    for (const waiting of this.#waiting.values()) waiting.set(checkpoint.tenantId, checkpoint);
  }

  /** Tries every target and rejects with the first failure; failed copies stay in the queue. */
  async run(): Promise<void> {
    let failure: Error | undefined;
    for (const target of this.#targets) {
      const waiting = this.#waiting.get(target) ?? new Map<string, AuditCheckpoint>();
      for (const [tenantId, checkpoint] of [...waiting]) {
        try {
          await copyCheckpoint(target, checkpoint, this.#closing.signal);
          if (waiting.get(tenantId) === checkpoint) waiting.delete(tenantId);
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          const message = `the checkpoint of "${tenantId}" cannot be copied to ${describeTarget(target)}: ${reason}`;
          failure ??= new Error(message, { cause: error });
          break;
        }
      }
    }
    if (failure) throw failure;
  }

  close(): void {
    this.#closing.abort();
  }
}

/** Rejects when the copy failed. */
async function copyCheckpoint(
  target: CheckpointTarget,
  checkpoint: AuditCheckpoint,
  signal: AbortSignal,
): Promise<void> {
  const json = `${toJsonString(AuditCheckpointSchema, checkpoint)}\n`;
  switch (target.kind) {
    case "folder":
      return writeFile(target.folder, checkpoint, json);
    case "git":
      return commit(target, checkpoint, json, signal);
    case "command":
      return pipe(target.command, json, signal);
  }
}

function describeTarget(target: CheckpointTarget): string {
  switch (target.kind) {
    case "folder":
      return `the folder ${target.folder}`;
    case "git":
      return `${target.ref} of ${target.repository}`;
    case "command":
      return `the command ${target.command[0]}`;
  }
}

function writeFile(folder: string, { tenantId, sequence }: AuditCheckpoint, json: string): void {
  const path = join(folder, `${encodeURIComponent(tenantId)}.${sequence}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${path}.new`, json);
  renameSync(`${path}.new`, path);
}

/** A commit whose tree contains the latest checkpoint of every tenant; its history contains earlier ones. */
async function commit(
  { repository, ref }: { readonly repository: string; readonly ref: string },
  { tenantId, sequence, issuedAt }: AuditCheckpoint,
  json: string,
  signal: AbortSignal,
): Promise<void> {
  const seconds = `${issuedAt?.seconds ?? 0n} +0000`;
  const env = {
    ...{ GIT_AUTHOR_NAME: "baton", GIT_AUTHOR_EMAIL: "baton@localhost", GIT_AUTHOR_DATE: seconds },
    ...{ GIT_COMMITTER_NAME: "baton", GIT_COMMITTER_EMAIL: "baton@localhost", GIT_COMMITTER_DATE: seconds },
  };
  const run = async (args: readonly string[], input = "") => {
    const done = await git({ args, directory: repository, env, input }, signal);
    if (!done.ok) throw new Error(done.reason);
    return done.output.trim();
  };
  const parent = await git(
    { args: ["rev-parse", "--verify", "--quiet", ref], directory: repository, env },
    signal,
  );
  const before = parent.ok ? parent.output.trim() : "";
  const name = `${encodeURIComponent(tenantId)}.json`;
  const others = before === "" ? [] : (await run(["ls-tree", before])).split("\n");
  const kept = others.filter((line) => line !== "" && !line.endsWith(`\t${name}`));
  const blob = await run(["hash-object", "-w", "--stdin"], json);
  const tree = await run(["mktree"], `${[...kept, `100644 blob ${blob}\t${name}`].join("\n")}\n`);
  const message = `Checkpoint of ${tenantId} at entry ${sequence}`;
  const parents = before === "" ? [] : ["-p", before];
  const made = await run(["commit-tree", tree, ...parents], `${message}\n`);
  // With the old value, so that concurrent writers do not drop each other's commits.
  await run(["update-ref", ref, made, before || "0".repeat(made.length)]);
}

function pipe([program = "", ...args]: readonly string[], json: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ["pipe", "ignore", "pipe"],
      signal: AbortSignal.any([signal, AbortSignal.timeout(commandTimeoutMs)]),
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (stderr.length < maxOutput) stderr += text;
    });
    child.stdin.on("error", () => {}).end(json);
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`it exited with ${code ?? "a signal"}:  ${stderr.slice(0, maxOutput).trim()}`));
    });
  });
}
