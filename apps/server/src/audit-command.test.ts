import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { OrchestratorService } from "@baton/contract";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import { newFolder, startReady } from "../testing/program.ts";
import { smallTaskMessage } from "../testing/running-server.ts";

const program = join(import.meta.dirname, "../bin/baton-server.mjs");

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    encoding: "utf8",
    env: { PATH: process.env.PATH },
  });
  return { status, stdout, stderr };
}

const verify = (data: string, ...more: readonly string[]) => {
  const { status, stdout } = run("audit", "verify", "--data", data, ...more);
  const verdicts = stdout.trim().split("\n").filter(Boolean);
  return { status, verdicts: verdicts.map((line) => JSON.parse(line)) };
};

/** What a hub leaves that took a task, and stopped in good order. */
async function leftFolder(...args: readonly string[]): Promise<string> {
  const folder = newFolder();
  await serve(folder, ...args);
  return join(folder, ".baton");
}

async function serve(folder: string, ...args: readonly string[]): Promise<string> {
  const { child, ready, ended, said } = await startReady(folder, ...args);
  const client = createClient(OrchestratorService, createGrpcTransport({ baseUrl: ready.grpc }));
  await client.submitTask(smallTaskMessage);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  return said.stderr;
}

function copyOf(data: string): string {
  const copy = join(newFolder(), "data");
  cpSync(data, copy, { recursive: true });
  return copy;
}

/** As somebody does who can write to the file: the triggers are in the way, and are put back. */
function tamper(data: string, ...statements: readonly string[]): void {
  const db = new DatabaseSync(join(data, "baton.db"));
  const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER "${name}"`);
  for (const statement of statements) db.exec(statement);
  for (const { sql } of triggers) db.exec(String(sql));
  db.close();
}

describe("a record that is not there any more", () => {
  it("[OBS-04] is missed by audit verify and store check, with and without the head file", async () => {
    const data = await leftFolder();
    expect(verify(data)).toMatchObject({ status: 0, verdicts: [{ valid: true }] });
    expect(run("store", "check", "--data", data)).toMatchObject({ status: 0 });

    const erased = copyOf(data);
    tamper(erased, "DELETE FROM audit", "DELETE FROM checkpoints", "DELETE FROM tree_nodes");
    rmSync(join(erased, "audit.head"));
    expect(verify(erased)).toMatchObject({
      status: 1,
      verdicts: [
        {
          valid: false,
          firstBadSequence: 1,
          kind: "cut",
          problem: expect.stringContaining("were committed with"),
        },
      ],
    });
    const check = run("store", "check", "--data", erased);
    expect(check).toMatchObject({ status: 1, stdout: expect.stringContaining("has lost entries from 1 on") });
  });

  it("[OBS-04] a head file that is missing or older is reported, and stays reported after the next start", async () => {
    const data = await leftFolder();
    const without = copyOf(data);
    rmSync(join(without, "audit.head"));
    const missing = {
      kind: "head-missing",
      problem: expect.stringContaining("audit.head does not name the record"),
    };
    expect(verify(without)).toMatchObject({ status: 1, verdicts: [missing] });
    expect(run("store", "check", "--data", without)).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^BATON-STORE-003 .*audit\.head does not name the record\n {2}fix: /),
    });

    const folder = newFolder();
    const older = join(folder, ".baton");
    cpSync(data, older, { recursive: true });
    const before = readFileSync(join(older, "audit.head"));
    const next = await startReady(folder);
    const client = createClient(OrchestratorService, createGrpcTransport({ baseUrl: next.ready.grpc }));
    await client.submitTask({ ...smallTaskMessage, idempotencyKey: "another" });
    next.child.kill("SIGTERM");
    expect(await next.ended).toBe(0);
    expect(verify(older)).toMatchObject({ status: 0 });
    writeFileSync(join(older, "audit.head"), before);
    const outdated = { kind: "head-missing", problem: expect.stringContaining("is older than the record") };
    expect(verify(older)).toMatchObject({ status: 1, verdicts: [outdated] });

    const log = await serve(folder);
    expect(log).toContain("is older than the record");
    const still = { kind: "head-missing", problem: expect.stringContaining("was missing or too old") };
    expect(verify(older)).toMatchObject({ status: 1, verdicts: [still] });
    for (const name of readdirSync(older)) if (name.includes(".missing-")) rmSync(join(older, name));
    expect(verify(older)).toMatchObject({ status: 0 });
  });
});

describe("checkpoints in a second place", () => {
  it("[OBS-04] are copied to a folder, a git ref and a command, and show a record that was replaced", async () => {
    const folder = newFolder();
    const [copies, repository, piped] = ["copies", "audit.git", "piped"].map((name) => join(folder, name));
    execFileSync("git", ["init", "--quiet", "--bare", String(repository)]);
    const settings = [
      { folder: copies },
      { git: repository },
      {
        command: [
          process.execPath,
          "-e",
          `process.stdin.pipe(fs.createWriteStream(${JSON.stringify(piped)}))`,
        ],
      },
    ];
    writeFileSync(join(folder, "baton.yaml"), JSON.stringify({ audit: { checkpoints: settings } }));
    await serve(folder, "--config", join(folder, "baton.yaml"));

    const names = readdirSync(String(copies));
    expect(names).toEqual([expect.stringMatching(/^local\.\d+\.json$/)]);
    const copy = readFileSync(join(String(copies), String(names[0])), "utf8");
    const show = ["--git-dir", String(repository), "show", "refs/baton/checkpoints:local.json"];
    expect(execFileSync("git", show, { encoding: "utf8" })).toBe(copy);
    expect(readFileSync(String(piped), "utf8")).toBe(copy);
    expect(verify(join(folder, ".baton"), "--checkpoint", copy)).toMatchObject({ status: 0 });

    // Another store in its place agrees with itself, head file and all.
    renameSync(await leftFolder(), join(folder, "other"));
    expect(verify(join(folder, "other"))).toMatchObject({ status: 0 });
    expect(verify(join(folder, "other"), "--checkpoint", copy)).toMatchObject({
      status: 1,
      verdicts: [{ valid: false }],
    });
  });

  it("[OBS-04] that cannot be copied are reported by the log and by readiness", async () => {
    const folder = newFolder();
    writeFileSync(
      join(folder, "baton.yaml"),
      JSON.stringify({ audit: { checkpoints: [{ git: "nowhere" }] } }),
    );
    const { child, ready, ended, said } = await startReady(folder, "--config", join(folder, "baton.yaml"));
    const client = createClient(OrchestratorService, createGrpcTransport({ baseUrl: ready.grpc }));
    await client.submitTask(smallTaskMessage);
    const { AuditService } = await import("@baton/contract");
    await createClient(AuditService, createGrpcTransport({ baseUrl: ready.grpc })).getAuditCheckpoint({});
    await expect
      .poll(async () => JSON.stringify(await (await fetch(`${ready.http}/readyz`)).json()))
      .toContain("checkpoints of the audit record are not copied");
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(said.stderr).toContain("cannot be copied to refs/baton/checkpoints of");
  });

  it.each([
    ["checkpoints: [{}]", "audit.checkpoints[0] must name one target"],
    ["checkpoints: [{folder: a, git: b}]", "must name one target"],
    ["checkpoints: [{folder: a, ref: refs/x}]", "audit.checkpoints[0].ref belongs to git"],
    ["checkpoints: [{git: a, ref: main}]", '"main" is not a ref'],
    ["checkpoints: [{command: []}]", "audit.checkpoints[0].command is empty"],
    ["checkpoint: []", '"checkpoint" is not known here'],
  ])("are refused with their place: %s", (setting, message) => {
    const folder = newFolder();
    writeFileSync(join(folder, "baton.yaml"), `audit:\n  ${setting}\n`);
    const { status, stderr } = run("--config", join(folder, "baton.yaml"), "--data", join(folder, "data"));
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/baton\.yaml:2:\d+/);
  });
});
