import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { leaveTasks, scratchFolder, startRealHub } from "../../../testing/real-hub.ts";
import { type Circumstances, runBaton, startOnTerminal } from "../../../testing/run-baton.ts";
import { exitCode } from "../../exit-code.ts";

/** What one hub has left: its folder after it stopped, and what an auditor took away before. */
interface Left {
  readonly data: string;
  readonly whole: readonly string[];
  readonly alone: readonly string[];
  readonly keyId: string;
  /** Signed when there were three entries. */
  readonly checkpoint: string;
  readonly entries: number;
  readonly ownSequences: readonly number[];
}

let left: Left;
/** Entries that the store has: the second export is in none of the files. */
const stored = 14;
let folder = "";
const ends: (() => void | Promise<void>)[] = [];

afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

beforeAll(async () => {
  const atEnd = (work: () => void | Promise<void>) => void ends.push(work);
  folder = scratchFolder(atEnd);
  const data = join(folder, "hub");
  const hub = await startRealHub(data, [], atEnd);
  const at = { hub: hub.address, cwd: folder };
  await leaveTasks(hub.address, 1);
  await run(["audit", "checkpoint", "--out", "early.json"], at);
  const [pipelineId = ""] = await leaveTasks(hub.address, 3);
  const { stdout: keyId } = await run(["audit", "key"], at);
  await run(["audit", "export", "--all", "--out", "whole.jsonl"], at);
  await run(
    ["audit", "export", "--run", pipelineId, "--checkpoint", "early.json", "--out", "alone.jsonl"],
    at,
  );
  await hub.stop();
  const alone = linesOf(join(folder, "alone.jsonl"));
  left = {
    ...{ data, alone, whole: linesOf(join(folder, "whole.jsonl")), keyId: keyId.trim() },
    checkpoint: readFileSync(join(folder, "early.json"), "utf8"),
    // Four tasks of three entries, and that the record was exported.
    entries: 13,
    ownSequences: JSON.parse(alone[0] ?? "{}").sequences,
  };
});

async function run(args: readonly string[], circumstances: Circumstances) {
  const ran = await runBaton(args, circumstances);
  if (ran.code !== 0) throw new Error(`${args.join(" ")}: ${ran.code}\n${ran.stdout}\n${ran.stderr}`);
  return ran;
}

function linesOf(path: string): readonly string[] {
  return readFileSync(path, "utf8").split(/(?<=\n)/);
}

/** In a folder that holds this file and nothing else, as on a machine that has never seen the hub. */
async function verify(lines: readonly string[], ...more: readonly string[]) {
  const cwd = scratchFolder();
  writeFileSync(join(cwd, "file.jsonl"), lines.join(""));
  writeFileSync(join(cwd, "early.json"), left.checkpoint);
  const { code, stdout, stderr } = await runBaton(
    ["audit", "verify", "file.jsonl", "--output", "json", ...more],
    { cwd, env: { BATON_SERVER: "/nowhere" } },
  );
  return { code, found: stdout === "" ? stderr : JSON.parse(stdout) };
}

/** The line of an entry, counted from one, of a file with this many lines before its entries. */
function place(lines: readonly string[], entry: number): number {
  return lines.findIndex((line) => line.startsWith('{"entry"')) + entry - 1;
}

function flip(line: string): string {
  const at = Math.floor(line.length / 3);
  return `${line.slice(0, at)}${line[at] === "A" ? "B" : "A"}${line.slice(at + 1)}`;
}

function swap(lines: readonly string[], one: number, other: number): readonly string[] {
  return lines.with(one, lines[other] ?? "").with(other, lines[one] ?? "");
}

/** Each takes a file and the place of its second entry, and says what is found then. */
const tamperings: readonly (readonly [
  string,
  (lines: readonly string[], second: number) => readonly string[],
  string,
  number,
])[] = [
  ["a changed byte", (lines, at) => lines.with(at, flip(lines[at] ?? "")), "changed", 2],
  ["a removed entry", (lines, at) => lines.toSpliced(at, 1), "removed", 2],
  ["an inserted entry", (lines, at) => lines.toSpliced(at + 1, 0, lines[at] ?? ""), "inserted", 2],
  ["swapped entries", (lines, at) => swap(lines, at, at + 1), "reordered", 2],
  ["a cut tail", (lines, at) => lines.slice(0, at), "cut", 2],
  ["a cut tail with the checkpoint", (lines, at) => [...lines.slice(0, at), lines.at(-1) ?? ""], "cut", 2],
];

describe("a data folder that is none", () => {
  it("is printed once", async () => {
    const ran = await runBaton(["audit", "verify", "--data", join(scratchFolder(), "nope")]);
    expect([ran.code, ran.stdout]).toEqual([exitCode.usage, ""]);
    expect(ran.stderr.match(/BATON-/g)).toEqual(["BATON-"]);
    expect(ran.stderr).toContain("BATON-STORE-006  the store cannot be opened: ");
  });
});

describe("an export on a machine without the hub", () => {
  it("[OBS-04] is verified, and says whose key it is signed with", async () => {
    const { code, found } = await verify(left.whole);
    expect(code).toBe(exitCode.ok);
    expect(found).toMatchObject({
      ...{ valid: true, scope: "record", entriesChecked: left.entries, vouchedThrough: left.entries },
      ...{ keyIds: [left.keyId], keysAreTrusted: false },
    });
    const pinned = await verify(left.whole, "--key", left.keyId, "--checkpoint", "early.json");
    expect(pinned).toMatchObject({ code: exitCode.ok, found: { valid: true, keysAreTrusted: true } });
    const alone = await verify(left.alone, "--key", left.keyId, "--checkpoint", "early.json");
    expect(alone).toMatchObject({
      code: exitCode.ok,
      found: { valid: true, scope: "pipeline", entriesChecked: 3 },
    });
  });

  it.each(tamperings)("[OBS-04] shows %s, and names the entry", async (_, tamper, kind, entry) => {
    const whole = await verify(tamper(left.whole, place(left.whole, 2)));
    expect(whole).toMatchObject({
      code: exitCode.recordBad,
      found: { valid: false, kind, firstBadSequence: entry },
    });
    const at =
      kind === "cut" ? "file.jsonl" : `file.jsonl:${place(left.whole, 2) + (kind === "inserted" ? 2 : 1)}`;
    expect(whole.found).toMatchObject({
      code: "BATON-CLI-012",
      at,
      fix: expect.stringContaining("keep the file"),
    });
    const alone = await verify(tamper(left.alone, place(left.alone, 2)));
    const firstBadSequence = left.ownSequences[entry - 1];
    expect(alone).toMatchObject({
      code: exitCode.recordBad,
      found: { valid: false, kind, firstBadSequence },
    });
  });

  it("[OBS-04] that is bad has a code, a position and a fix, and does not count as signed", async () => {
    const cwd = scratchFolder();
    const second = place(left.whole, 2);
    writeFileSync(join(cwd, "bad.jsonl"), left.whole.with(second, flip(left.whole[second] ?? "")).join(""));
    const { code, stdout } = await runBaton(["audit", "verify", "bad.jsonl"], { cwd });
    expect(code).toBe(exitCode.recordBad);
    expect(stdout).toMatch(/^ +code +BATON-CLI-012$/m);
    expect(stdout).toMatch(new RegExp(`^ +at +bad.jsonl:${second + 1}$`, "m"));
    expect(stdout).toMatch(/^ +fix +rely on nothing from that entry on; keep the file/m);
    expect(stdout).toMatch(new RegExp(`^ +checkpoint +of entry ${left.entries}, at `, "m"));
    expect(stdout).not.toContain("signed");
    const foreign = await verify(left.whole, "--key", `ed25519:${"A".repeat(43)}`);
    expect(foreign.found).toMatchObject({
      code: "BATON-CLI-012",
      at: "file.jsonl",
      fix: expect.stringContaining("key"),
    });
  });

  it("[OBS-04] shows a forged checkpoint", async () => {
    const at = left.whole.findLastIndex((line) => line.startsWith('{"checkpoint"'));
    for (const lines of [left.whole, left.alone]) {
      const line = lines[lines === left.whole ? at : 1] ?? "";
      const { checkpoint } = JSON.parse(line);
      const forged = { ...checkpoint, issuedAt: "2020-01-01T00:00:00Z" };
      const found = await verify(
        lines.with(lines.indexOf(line), `${JSON.stringify({ checkpoint: forged })}\n`),
      );
      expect(found).toMatchObject({
        code: exitCode.recordBad,
        found: { kind: "checkpoint-forged", firstBadSequence: lines === left.whole ? left.entries : stored },
      });
    }
  });

  it("[OBS-04] is refused when it is signed with another key than the one that is known", async () => {
    const other = `ed25519:${"A".repeat(43)}`;
    for (const lines of [left.whole, left.alone]) {
      const { code, found } = await verify(lines, "--key", other);
      expect(code).toBe(exitCode.recordBad);
      expect(found).toMatchObject({ valid: false, kind: "foreign-key" });
    }
  });

  it("[OBS-04] is read without a hub, and says when what was read is not whole", async () => {
    const cwd = scratchFolder();
    writeFileSync(join(cwd, "whole.jsonl"), left.whole.join(""));
    const listed = await run(["audit", "list", "--file", "whole.jsonl", "--type", "escalation"], { cwd });
    expect(listed.stdout.trim().split("\n")).toHaveLength(1 + 4);
    const newest = await run(["audit", "list", "--file", "whole.jsonl", "--limit", "1", "-o", "jsonl"], {
      cwd,
    });
    expect(JSON.parse(newest.stdout)).toMatchObject({ sequence: String(left.entries) });
    const entry = await run(["audit", "show", "5", "--file", "whole.jsonl", "--key", left.keyId], { cwd });
    expect(entry.stdout).toContain("entry 5: dispatch decision");
    expect(entry.stdout).toContain("it is in the record");
    writeFileSync(join(cwd, "cut.jsonl"), left.whole.slice(0, -4).join(""));
    for (const args of [["list"], ["show", "5"]]) {
      const { code, stdout, stderr } = await runBaton(["audit", ...args, "--file", "cut.jsonl"], { cwd });
      expect(code).toBe(exitCode.recordBad);
      expect(stdout + stderr).toContain("the record ends at entry");
    }
    expect((await runBaton(["audit", "show", "99", "--file", "whole.jsonl"], { cwd })).code).toBe(
      exitCode.notFound,
    );
  });

  it("[OBS-04] that is no export is refused as such", async () => {
    const { code, found } = await verify(["hello\n"]);
    expect(code).toBe(exitCode.recordBad);
    expect(found).toContain("BATON-CLI-011");
    const { code: absent, stderr } = await runBaton(["audit", "verify", "nobody.jsonl"], { cwd: folder });
    expect(absent).toBe(exitCode.usage);
    expect(stderr).toContain("BATON-CLI-002");
  });
});

describe("a store that somebody has changed", () => {
  /** A copy of what the hub left, changed behind its back. */
  const verifyStore = (sql: readonly string[], ...more: readonly string[]) =>
    verifyStoreWith(sql, () => {}, ...more);

  async function verifyStoreWith(
    sql: readonly string[],
    change: (copy: string) => void,
    ...more: readonly string[]
  ) {
    const copy = join(scratchFolder(), "hub");
    mkdirSync(copy);
    cpSync(left.data, copy, { recursive: true });
    const db = new DatabaseSync(join(copy, "baton.db"));
    const triggers = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
    for (const statement of sql) db.exec(statement);
    db.close();
    change(copy);
    const { code, stdout, stderr } = await runBaton(
      ["audit", "verify", "--data", copy, "--output", "json", ...more],
      { cwd: folder },
    );
    return { code, found: stdout === "" ? stderr : JSON.parse(stdout) };
  }

  /** One hexadecimal digit of a blob is another. */
  const flipped = (column: string, at: number) =>
    `unhex(substr(hex(${column}), 1, ${at}) || CASE substr(hex(${column}), ${at + 1}, 1) WHEN '0' THEN '1' ELSE '0' END
      || substr(hex(${column}), ${at + 2}))`;

  it("[OBS-04] without any tenant left is not called valid: nothing was verified", async () => {
    const tables = ["audit", "checkpoints", "tree_nodes", "journal", "views", "pipelines", "tenants"];
    const erased = ["PRAGMA foreign_keys = OFF", ...tables.map((table) => `DELETE FROM ${table}`)];
    const copy = join(scratchFolder(), "hub");
    cpSync(left.data, copy, { recursive: true });
    const db = new DatabaseSync(join(copy, "baton.db"));
    const triggers = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all();
    for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
    for (const statement of erased) db.exec(statement);
    db.close();
    rmSync(join(copy, "audit.head"));
    const { stdout, stderr } = await runBaton(["audit", "verify", "--data", copy], { cwd: folder });
    expect(stdout).toBe("");
    expect(stderr).toContain("nothing was verified");
    const kept = ["--checkpoint", join(folder, "early.json")];
    const held = await runBaton(["audit", "verify", "--data", copy, ...kept], { cwd: folder });
    expect(held.code).toBe(exitCode.recordBad);
  });

  it("[OBS-04] verifies as the hub left it, to its last entry", async () => {
    const pins = ["--key", left.keyId, "--checkpoint", join(folder, "early.json")];
    const { code, found } = await verifyStore([], ...pins);
    expect(found).toMatchObject({
      valid: true,
      entriesChecked: stored,
      vouchedThrough: stored,
      keysAreTrusted: true,
    });
    expect(code).toBe(exitCode.ok);
  });

  // Each row holds the three entries of a task: 1 to 3, 4 to 6, and so on.
  it.each([
    ["a changed byte", [`UPDATE audit SET entries = ${flipped("entries", 100)} WHERE n = 2`], "changed", 4],
    ["removed entries", ["DELETE FROM audit WHERE n = 2"], "removed", 4],
    [
      "inserted entries",
      [
        `INSERT INTO audit SELECT 99, tenant, 15, 17, pipeline, oldest_ms, newest_ms, kinds, has_own_ids, directory,
          entries FROM audit WHERE n = 2`,
      ],
      "inserted",
      4,
    ],
    [
      "swapped entries",
      [
        "CREATE TEMP TABLE was AS SELECT n, directory, entries FROM audit",
        `UPDATE audit SET (directory, entries) = (SELECT directory, entries FROM was WHERE was.n = 5 - audit.n)
          WHERE n IN (2, 3)`,
      ],
      "reordered",
      4,
    ],
    ["a cut tail", ["DELETE FROM audit WHERE n >= 4"], "cut", 10],
    [
      "a forged checkpoint",
      [`UPDATE checkpoints SET checkpoint = ${flipped("checkpoint", 120)}`],
      "checkpoint-forged",
      3,
    ],
  ])("[OBS-04] [OBS-03] shows %s, and names the entry", async (_, sql, kind, firstBadSequence) => {
    const { code, found } = await verifyStore(sql);
    expect(found).toMatchObject({ valid: false, kind, firstBadSequence });
    expect(found).toMatchObject({
      code: "BATON-CLI-012",
      at: found.source,
      fix: expect.stringContaining("folder"),
    });
    expect(code).toBe(exitCode.recordBad);
  });

  const cutTail = ["DELETE FROM audit WHERE n > 1", "DELETE FROM checkpoints WHERE sequence > 3"];
  /** The same, by somebody who also knows what the journal says of it. */
  const cutTrace = [
    ...cutTail,
    "DELETE FROM checkpoints",
    "UPDATE journal SET first_audited = NULL, last_audited = NULL",
  ];
  const withoutNote = (copy: string) => rmSync(join(copy, "audit.head"));

  it("[OBS-04] without its newest checkpoints and entries is shown by what is noted beside it", async () => {
    const { code, found } = await verifyStore(cutTail);
    expect(found).toMatchObject({ valid: false, kind: "cut", firstBadSequence: 4 });
    expect(found.problem).toContain("audit.head");
    expect(code).toBe(exitCode.recordBad);
    const forged = await verifyStoreWith([], (copy) => {
      const path = join(copy, "audit.head");
      writeFileSync(path, readFileSync(path, "utf8").replace(`"sequence":"${stored}"`, '"sequence":"11"'));
    });
    expect(forged.found).toMatchObject({ valid: false, kind: "checkpoint-forged" });
  });

  it("[OBS-04] without these and the note is shown by the journal", async () => {
    const { code, found } = await verifyStoreWith(cutTail, withoutNote);
    expect(found).toMatchObject({ valid: false, kind: "cut", firstBadSequence: 4 });
    expect(found.problem).toContain("refer to entries up to");
    expect(code).toBe(exitCode.recordBad);
  });

  it("[OBS-04] without any trace in its folder is shown by a checkpoint that was kept elsewhere", async () => {
    expect(await verifyStoreWith(cutTrace, withoutNote)).toMatchObject({ found: { valid: true } });
    const late = join(folder, "whole.jsonl");
    const { code, found } = await verifyStoreWith(cutTrace, withoutNote, "--checkpoint", late);
    expect(found).toMatchObject({ valid: false, kind: "cut", firstBadSequence: 4 });
    expect(code).toBe(exitCode.recordBad);
  });

  it("[OBS-03] [OBS-04] is held against the files that were written of it", async () => {
    const hub = join(scratchFolder(), "hub");
    cpSync(left.data, hub, { recursive: true });
    const files = join(scratchFolder(), "audit");
    const running = await startRealHub(hub, ["--audit-folder", files]);
    await running.stop();
    expect(await verifyStore([], "--files", files)).toMatchObject({ code: 0, found: { valid: true } });
    const { found } = await verifyStoreWith(cutTrace, withoutNote, "--files", files);
    expect(found).toMatchObject({ valid: false, kind: "cut", firstBadSequence: 4 });
    expect(found.problem).toContain("the files hold entry 4");
  });
});

describe("the record of a running hub", () => {
  async function running(more: readonly string[] = []) {
    const scratch = scratchFolder();
    const data = join(scratch, "hub");
    cpSync(left.data, data, { recursive: true });
    const hub = await startRealHub(data, more);
    return { ...hub, data, at: { hub: hub.address, cwd: scratch }, scratch };
  }

  it("[OBS-04] is listed, shown with its proof, exported and verified, also beside the hub", async () => {
    const { at, data, scratch } = await running();
    const { stdout: listed } = await run(["audit", "list", "--type", "escalation", "--limit", "2"], at);
    expect(listed).toContain("escalation");
    expect(listed.trim().split("\n")).toHaveLength(3);
    const { stdout: rows } = await run(["audit", "list", "--output", "jsonl", "--since", "1h"], at);
    expect(rows.trim().split("\n")).toHaveLength(stored);

    const { stdout: entry } = await run(
      ["audit", "show", "5", "--key", left.keyId, "--proof", "five.jsonl"],
      at,
    );
    expect(entry).toContain("entry 5: dispatch decision");
    expect(entry).toContain("it is in the record");
    const proof = linesOf(join(scratch, "five.jsonl"));
    expect(proof.join("").length).toBeLessThan(4_000);
    expect(await verify(proof, "--key", left.keyId)).toMatchObject({ code: 0, found: { scope: "entry" } });
    const forged = await verify(proof.with(2, flip(proof[2] ?? "")));
    expect(forged).toMatchObject({
      code: exitCode.recordBad,
      found: { firstBadSequence: 5, kind: "changed" },
    });

    expect((await runBaton(["audit", "verify", "--data", data], at)).stdout).toContain("is whole");
    copyFileSync(join(folder, "whole.jsonl"), join(scratch, "whole.jsonl"));
    const asked = await run(["audit", "verify", "--key", left.keyId, "--checkpoint", "whole.jsonl"], at);
    expect(asked.stdout).toContain("is whole");
    const again = await runBaton(["audit", "export", "--all", "--out", "whole.jsonl"], at);
    expect(again).toMatchObject({ code: exitCode.usage, stderr: expect.stringContaining("already") });
    expect((await runBaton(["audit", "show", "99"], at)).code).toBe(exitCode.notFound);
    expect((await runBaton(["audit", "export", "--out", "x"], at)).code).toBe(exitCode.usage);
  });

  it("[OBS-04] is signed by the hub that checks it, which does not say that it is not", async () => {
    const { at } = await running();
    await leaveTasks(at.hub, 1);
    const first = (await run(["audit", "verify"], at)).stdout;
    const [, entries = "", loose] =
      /checked +(\d+) entries; the last (\d+) were not signed before\n/.exec(first) ?? [];
    expect(Number(loose), first).toBeGreaterThan(0);
    expect(first).toContain(`now up to entry ${entries}, at `);
    expect(first).not.toContain("not signed yet");
    const again = (await run(["audit", "verify"], at)).stdout;
    expect(again).toMatch(new RegExp(`checked +${entries} entries\\n *signed +up to entry ${entries}, at `));
  });

  it("[OBS-04] is printed on a narrow terminal, in a pipe and without colours", async () => {
    const { at } = await running();
    for (const args of [
      ["audit", "list"],
      ["audit", "show", "5"],
      ["audit", "verify"],
    ]) {
      const wide = await run(args, at);
      expect(wide.stdout).not.toContain("\u001b");
      const terminal = startOnTerminal(args, { ...at, columns: 44 });
      const narrow = await terminal.ended;
      expect(narrow.code).toBe(0);
      const bare = stripVTControlCharacters(narrow.stdout);
      for (const line of bare.split(/\r?\n/)) expect(line.length, line).toBeLessThanOrEqual(44);
      const plain = await startOnTerminal(args, { ...at, env: { NO_COLOR: "1" } }).ended;
      expect(plain.stdout).not.toContain("\u001b[3");
    }
  });

  it("[OBS-03] is also written to a folder, a file a pipeline, each entry once, over restarts", async () => {
    const files = join(scratchFolder(), "docs/audit");
    const first = await running(["--audit-folder", files]);
    const [fresh = ""] = await leaveTasks(first.at.hub, 1);
    await first.stop();
    const { stdout, stderr } = await first.running.ended;
    const [, secret = ""] = readFileSync(join(first.data, "audit.key"), "utf8").split("\n");
    expect(secret.length).toBeGreaterThan(40);
    expect(stdout + stderr).not.toContain(secret);
    const read = (id: string) => linesOf(join(files, `${id}.jsonl`)).map((line) => JSON.parse(line));
    const old = left.alone.length > 0 ? JSON.parse(left.alone[0] ?? "{}").pipelineId : "";
    expect(read(old).map(({ sequence }) => Number(sequence))).toEqual(left.ownSequences);
    expect(read(fresh).map(({ eventType }) => eventType)).toEqual([
      "AUDIT_EVENT_TYPE_PIPELINE_CREATED",
      "AUDIT_EVENT_TYPE_DISPATCH_DECISION",
      "AUDIT_EVENT_TYPE_ESCALATION",
    ]);
    // As after a crash: the head file is older than the files, and the last line is incomplete.
    writeFileSync(join(files, ".written.json"), '{"local":"2"}');
    const path = join(files, `${fresh}.jsonl`);
    writeFileSync(path, readFileSync(path, "utf8").slice(0, -20));
    const second = await startRealHub(first.data, ["--audit-folder", files]);
    onTestFinished(() => second.stop());
    const [another = ""] = await leaveTasks(second.address, 1);
    await second.stop();
    expect(read(fresh)).toHaveLength(3);
    expect(read(old)).toHaveLength(3);
    expect(read(another)).toHaveLength(3);
  });

  it("[OBS-03] goes on when the folder cannot be written, and says so", async () => {
    const blocked = join(scratchFolder(), "a-file");
    writeFileSync(blocked, "in the way");
    const hub = await running(["--audit-folder", blocked]);
    const [id = ""] = await leaveTasks(hub.at.hub, 1);
    expect(id).toMatch(/^p-/);
    await hub.running.printed("the record cannot be written to the folder");
    const { stdout } = await run(["audit", "verify", "--output", "json"], hub.at);
    expect(JSON.parse(stdout)).toMatchObject({ valid: true });
  });
});
