/**
 * Copies of checkpoints in a second place. Whoever controls the data folder can write the record anew; a checkpoint that
 * was copied before shows it.
 */
import { spawn } from "node:child_process";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AuditCheckpoint, AuditCheckpointSchema } from "@baton/contract";
import { toJsonString } from "@bufbuild/protobuf";
import { git } from "../workspaces/git.ts";

/** Where checkpoints are copied to. */
export type CheckpointTarget =
  /** A file for every checkpoint. */
  | { readonly kind: "folder"; readonly folder: string }
  /** A commit for every checkpoint, on a ref of its own. */
  | { readonly kind: "git"; readonly repository: string; readonly ref: string }
  /** A program that gets the checkpoint on its standard input. */
  | { readonly kind: "command"; readonly command: readonly string[] };

const commandTimeoutMs = 30_000;
const mostOutput = 500;

/** Rejects with the reason when the copy was not made. */
export async function copyCheckpoint(
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

export function describeTarget(target: CheckpointTarget): string {
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

/** A commit whose tree holds the newest checkpoint of every tenant; its history holds the earlier ones. */
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
  // With the earlier value: two writers would otherwise drop each other's commits.
  await run(["update-ref", ref, made, before || "0".repeat(made.length)]);
}

function pipe([program = "", ...args]: readonly string[], json: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ["pipe", "ignore", "pipe"],
      signal: AbortSignal.any([signal, AbortSignal.timeout(commandTimeoutMs)]),
    });
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (said.length < mostOutput) said += text;
    });
    child.stdin.on("error", () => {}).end(json);
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`it ended with ${code ?? "a signal"}: ${said.slice(0, mostOutput).trim()}`));
    });
  });
}
