import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { OrchestratorService } from "@baton/contract";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { newFolder, program, startReady } from "../../testing/program.ts";
import { smallTaskMessage, withKey } from "../../testing/running-server.ts";
import { generateKey } from "../border/keys.ts";

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
  const { child, ready, ended, output } = await startReady(folder, ...args);
  const client = createClient(OrchestratorService, createGrpcTransport({ baseUrl: ready.grpc }));
  await client.submitTask(smallTaskMessage);
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  return output.stderr;
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

function tablesWith(data: string, column: string): readonly string[] {
  const db = new DatabaseSync(join(data, "baton.db"), { readOnly: true });
  const found = db
    .prepare(
      "SELECT t.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND c.name = ?",
    )
    .all(column);
  db.close();
  return found.map(({ name }) => String(name));
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
          problem: expect.stringContaining("refer to entries"),
        },
      ],
    });
    // Without the journals nothing names the entries that are gone; the runs are still there.
    const withJournals = copyOf(erased);
    tamper(withJournals, "DELETE FROM journal");
    expect(verify(withJournals)).toMatchObject({ status: 1, verdicts: [{ valid: false, kind: "cut" }] });
    const check = run("store", "check", "--data", erased);
    expect(check).toMatchObject({ status: 1, stdout: expect.stringContaining("has lost entries from 1 on") });
  });

  it("[OBS-04] is missed for every tenant, also when one of them is erased and the head file names only the other", async () => {
    const folder = newFolder();
    const keys = ["acme", "globex"].map((tenant) => generateKey({ id: tenant, tenant, roles: ["submit"] }));
    writeFileSync(join(folder, "keys.yaml"), JSON.stringify({ keys: keys.map(({ entry }) => entry) }));
    const { child, ready, ended } = await startReady(folder, "--keys", "keys.yaml");
    for (const { key } of keys) {
      const transport = createGrpcTransport({ baseUrl: ready.grpc, interceptors: [withKey(key)] });
      await createClient(OrchestratorService, transport).submitTask(smallTaskMessage);
    }
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    const data = join(folder, ".baton");
    expect(verify(data)).toMatchObject({ status: 0, verdicts: [{ valid: true }, { valid: true }] });

    const ofGlobex = "tenant = (SELECT n FROM tenants WHERE tenant_id = 'globex')";
    const erase = (...tables: string[]) => tables.map((table) => `DELETE FROM ${table} WHERE ${ofGlobex}`);
    const record = erase("audit", "checkpoints", "tree_nodes");
    const head = readFileSync(join(data, "audit.head"), "utf8").split("\n");
    const withoutGlobex = head.filter((line) => !line.includes('"globex"')).join("\n");
    const cases: readonly (readonly [readonly string[], string | undefined])[] = [
      [record, head.join("\n")],
      [record, withoutGlobex],
      [record, undefined],
      // Nothing of the tenant is left but its line of the head file.
      [
        [
          "PRAGMA foreign_keys = OFF",
          ...tablesWith(data, "pipeline").map(
            (table) => `DELETE FROM ${table} WHERE pipeline IN (SELECT n FROM pipelines WHERE ${ofGlobex})`,
          ),
          ...erase(...tablesWith(data, "tenant")),
          "DELETE FROM tenants WHERE tenant_id = 'globex'",
        ],
        head.join("\n"),
      ],
    ];
    for (const [statements, noted] of cases) {
      const erased = copyOf(data);
      tamper(erased, ...statements);
      if (noted === undefined) rmSync(join(erased, "audit.head"));
      else writeFileSync(join(erased, "audit.head"), noted);
      const { status, verdicts } = verify(erased);
      expect(status).toBe(1);
      expect(verdicts.find(({ tenantId }) => tenantId === "globex")).toMatchObject({
        valid: false,
        kind: "cut",
        firstBadSequence: 1,
      });
      expect(run("store", "check", "--data", erased).status).toBe(1);
    }
  });

  it("[OBS-04] a head file that is missing or older is reported, and stays reported after the next start", async () => {
    const data = await leftFolder();
    const without = copyOf(data);
    rmSync(join(without, "audit.head"));
    const missing = {
      kind: "head-missing",
      problem: expect.stringContaining("audit.head does not contain the record"),
    };
    expect(verify(without)).toMatchObject({ status: 1, verdicts: [missing] });
    expect(run("store", "check", "--data", without)).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^BATON-STORE-003 .*audit\.head does not contain the record\n {2}fix: /),
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
    const outdated = { kind: "head-missing", problem: expect.stringContaining("is outdated") };
    expect(verify(older)).toMatchObject({ status: 1, verdicts: [outdated] });

    const log = await serve(folder);
    expect(log).toContain("is outdated");
    const still = { kind: "head-missing", problem: expect.stringContaining("was missing or outdated") };
    expect(verify(older)).toMatchObject({ status: 1, verdicts: [still] });
    for (const name of readdirSync(older)) if (name.includes(".missing-")) rmSync(join(older, name));
    expect(verify(older)).toMatchObject({ status: 0 });
  });
});

/** Puts a git on PATH that notes the protocols it may use; gives what was noted. */
function logProtocols(folder: string): () => readonly string[] {
  const log = join(folder, "protocols");
  const real = execFileSync("which", ["git"], { encoding: "utf8" }).trim();
  mkdirSync(join(folder, "bin"));
  const script = `#!/bin/sh\necho "$GIT_ALLOW_PROTOCOL" >> ${log}\nexec ${real} "$@"\n`;
  writeFileSync(join(folder, "bin/git"), script, { mode: 0o755 });
  vi.stubEnv("PATH", `${join(folder, "bin")}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return () => readFileSync(log, "utf8").trimEnd().split("\n");
}

describe("checkpoints in a second place", () => {
  it("[OBS-04] are copied to a folder, a git ref and a command, and show a record that was replaced", async () => {
    const folder = newFolder();
    const [copies, repository, piped] = ["copies", "audit.git", "piped"].map((name) => join(folder, name));
    execFileSync("git", ["init", "--quiet", "--bare", String(repository)]);
    const protocols = logProtocols(folder);
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
    // The repository is somebody else's: its settings may not have git fetch anything.
    expect(new Set(protocols())).toEqual(new Set(["none"]));

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
    const { child, ready, ended, output } = await startReady(folder, "--config", join(folder, "baton.yaml"));
    const client = createClient(OrchestratorService, createGrpcTransport({ baseUrl: ready.grpc }));
    await client.submitTask(smallTaskMessage);
    const { AuditService } = await import("@baton/contract");
    await createClient(AuditService, createGrpcTransport({ baseUrl: ready.grpc })).getAuditCheckpoint({});
    await expect
      .poll(async () => JSON.stringify(await (await fetch(`${ready.http}/readyz`)).json()))
      .toContain("checkpoints of the audit record are not copied");
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(output.stderr).toContain("cannot be copied to refs/baton/checkpoints of");
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
