import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { runBaton, startBaton, startOnTerminal } from "../../../testing/run-baton.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "baton-project-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const written = [
  "config/routing-policy.yaml",
  "config/pipeline-templates.yaml",
  "config/redaction-policy.yaml",
  "packs/developer/profession-pack.yaml",
  "packs/reviewer/profession-pack.yaml",
];

describe("baton init", () => {
  it("[DIS-01] [DIS-04] [PIP-01] [OBS-05] writes files that pass the check and their schemas, and that a hub starts with", async () => {
    const cwd = newFolder();
    const { code, stdout, stderr } = await runBaton(["init"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain("written     config/routing-policy.yaml\n");
    expect(stderr).toContain("next: edit the files, then run `baton check` and `baton up`");
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
    for (const path of written) {
      const text = readFileSync(join(cwd, path), "utf8");
      const [, schema = ""] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
      const check = ajv.compile({
        ...JSON.parse(readFileSync(resolve(cwd, dirname(path), schema), "utf8")),
        $id: path,
      });
      expect([check(parse(text)), check.errors]).toEqual([true, null]);
    }
    expect(readFileSync(join(cwd, ".gitignore"), "utf8")).toBe(".baton/\n");

    const checked = await runBaton(["check", "--strict"], { cwd });
    expect(checked).toMatchObject({ code: 0, stdout: "", stderr: "5 files: no problems found\n" });

    const hub = startBaton(["up", "--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"], { cwd });
    await hub.printed('"ready":true');
    hub.child.kill("SIGTERM");
    const ended = await hub.ended;
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('"packs":2');
    expect(readdirSync(cwd)).toContain(".baton");
  });

  it("[DIS-04] writes over nothing, and says what it left alone", async () => {
    const cwd = newFolder();
    write(cwd, "hub/config/routing-policy.yaml", "mine\n");
    write(cwd, "hub/.gitignore", "node_modules");
    const first = await runBaton(["init", "hub"], { cwd });
    expect(first.code).toBe(0);
    expect(first.stdout).toContain("left alone  config/routing-policy.yaml\n");
    expect(first.stdout).toContain("added to    .gitignore\n");
    expect(first.stderr).toContain("`baton up --project hub`");
    expect(readFileSync(join(cwd, "hub/config/routing-policy.yaml"), "utf8")).toBe("mine\n");
    expect(readFileSync(join(cwd, "hub/.gitignore"), "utf8")).toBe("node_modules\n.baton/\n");
    const again = await runBaton(["init", "hub", "--output", "jsonl"], { cwd });
    const states = again.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).state);
    expect(new Set(states)).toEqual(new Set(["left alone"]));
  });

  it("[DIS-04] renews schemas of another version, of which the check warns", async () => {
    const cwd = newFolder();
    await runBaton(["init"], { cwd });
    const schema = join(cwd, "config/schemas/routing-policy.schema.json");
    const fresh = readFileSync(schema, "utf8");
    writeFileSync(schema, "{}");
    const { code, stdout } = await runBaton(["check"], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain("BATON-CONFIG-005  warning: this schema is from another version of Baton\n");
    const renewed = await runBaton(["init", "--schemas"], { cwd });
    expect(renewed.stdout.match(/^written/gm)).toHaveLength(1);
    expect(readFileSync(schema, "utf8")).toBe(fresh);
  });

  it("says where it cannot write", async () => {
    const cwd = newFolder();
    write(cwd, "file", "");
    const { code, stderr } = await runBaton(["init", "file"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain("BATON-SERVER-013");
  });
});

const policy = `routing_policy:
  version: "1"
  routes:
    - task_type: code
      allowed_pack_ids: [dev, ghost]
      fallback_pack_id: qa
      min_risk_tier: HUGE
    - task_type: code
      allowed_pack_ids: [dev]
`;
const templates = `pipeline_templates:
  version: "1"
  templates:
    - template_id: t
      stages:
        - stage_id: a
          task_type: code
          depends_on_stages: [b]
        - stage_id: b
          task_type: review
          depends_on_stages: [a]
        - stage_id: c
          task_type: code
          depends_on_stages: [x]
          timeout: soon
`;
const pack = (id: string) =>
  `profession_pack:\n  pack_id: ${id}\n  pack_version: "1.0.0"\n  supported_task_types: [code]\n`;

describe("baton check", () => {
  it("[DIS-01] [DIS-04] [PIP-01] reports every problem of all files, with position, code and fix", async () => {
    const cwd = newFolder();
    write(cwd, "config/routing-policy.yaml", policy);
    write(cwd, "config/pipeline-templates.yaml", templates);
    write(cwd, "packs/one/profession-pack.yaml", pack("dev"));
    write(cwd, "packs/two/profession-pack.yaml", pack("dev"));
    const { code, stdout, stderr } = await runBaton(["check"], { cwd });
    expect(code).toBe(2);
    const problems = stdout.split("\n\n").map((text) => text.split("\n"));
    expect(problems.map(([first, place]) => `${place?.trim()} ${first}`)).toEqual([
      'at config/routing-policy.yaml:7:7 BATON-CONFIG-001  min_risk_tier: "HUGE" is not a risk tier',
      'at config/routing-policy.yaml:8:7 BATON-CONFIG-002  task_type: "code" has a route already',
      'at config/pipeline-templates.yaml:14:31 BATON-PIPELINE-001  depends_on_stages[0]: there is no stage "x"',
      "at config/pipeline-templates.yaml:15:11 BATON-CONFIG-001  timeout is not a duration",
      'at packs/two/profession-pack.yaml:2:3 BATON-CONFIG-002  version 1.0.0 of pack "dev" is in another file too',
    ]);
    expect(stdout).toContain("fix: use one of: LOW, RISK_TIER_LOW");
    expect(stderr).toBe("4 files: 5 errors\n");
  });

  it("[PIP-06] refuses a policy that lets nobody review critical work, at its place in the file", async () => {
    const cwd = newFolder();
    const routes = "  routes:\n    - { task_type: code, allowed_pack_ids: [dev] }\n";
    const review = "  review:\n    normal: agent\n    critical: rule\n";
    write(cwd, "config/routing-policy.yaml", `routing_policy:\n  version: "1"\n${routes}${review}`);
    const { code, stdout } = await runBaton(["check"], { cwd });
    expect(code).toBe(2);
    expect(stdout).toContain('critical: "rule" is not who reviews critical work, which is always a person');
    expect(stdout).toContain("at config/routing-policy.yaml:7:");
    expect(stdout).toContain("no task type says which agents review");
    expect(stdout).toContain("at config/routing-policy.yaml:6:");
  });

  it("[DIS-04] warns of files that do not go together; with --strict that counts", async () => {
    const cwd = newFolder();
    const good = policy
      .replace("      min_risk_tier: HUGE\n", "")
      .replace("- task_type: code\n      allowed_pack_ids: [dev]\n", "");
    write(cwd, "config/routing-policy.yaml", good.trimEnd());
    write(cwd, "packs/one/profession-pack.yaml", pack("dev"));
    const { code, stdout } = await runBaton(["check", "--output", "json"], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      files: ["config/routing-policy.yaml", "packs/one/profession-pack.yaml"],
      problems: [
        {
          severity: "warning",
          code: "BATON-CONFIG-003",
          path: "config/routing-policy.yaml",
          line: 5,
          column: 31,
          message: 'no file defines pack "ghost"',
          fix: expect.stringContaining("known packs: dev"),
        },
        expect.objectContaining({ line: 6, column: 7, message: 'no file defines pack "qa"' }),
      ],
    });
    expect((await runBaton(["check", "--strict"], { cwd })).code).toBe(2);
  });

  it("[DIS-04] warns of a pack that no route names, and not of one whose file is wrong that nobody defines it", async () => {
    const cwd = newFolder();
    const routes = "  routes:\n    - { task_type: code, allowed_pack_ids: [dev, broken] }\n";
    write(cwd, "config/routing-policy.yaml", `routing_policy:\n  version: "1"\n${routes}`);
    write(cwd, "packs/dev/profession-pack.yaml", pack("dev"));
    write(cwd, "packs/idle/profession-pack.yaml", pack("idle"));
    write(cwd, "packs/other/profession-pack.yaml", `${pack("broken")}  oops: [1\n`);
    const { stdout } = await runBaton(["check"], { cwd });
    expect(stdout).toContain('warning: no route of the routing policy names pack "idle", so it gets no task');
    expect(stdout).toContain("allowed_pack_ids: [idle]");
    expect(stdout).toContain("packs/other/profession-pack.yaml");
    expect(stdout).not.toContain("no file defines");
  });

  it.each([
    [
      "is binary",
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]),
      "the file is not UTF-8 text",
      "save it as UTF-8 text",
    ],
    ["is empty", "", "the file says nothing", "begin with profession_pack: and put its fields below"],
    [
      "lacks a field",
      'profession_pack:\n  pack_id: dev\n  pack_version: "1.0.0"\n',
      "supported_task_types is missing",
      "add it; it must be a list: put each item on a line of its own, after a hyphen",
    ],
  ])("[DIS-01] says in words what is wrong with a file that %s", async (_, content, problem, fix) => {
    const cwd = newFolder();
    write(cwd, "packs/dev/profession-pack.yaml", "");
    writeFileSync(join(cwd, "packs/dev/profession-pack.yaml"), content);
    const { code, stdout, stderr } = await runBaton(["check"], { cwd });
    expect(code).toBe(2);
    expect(stdout).toContain(problem);
    expect(stdout).toContain(`fix: ${fix}`);
    expect(stderr).toBe("1 file: 1 error\n");
  });

  it("[DIS-01] of a misspelt name says what was meant, and not also that it is missing", async () => {
    const cwd = newFolder();
    write(cwd, "packs/dev/profession-pack.yaml", pack("dev").replace("pack_version", "pack_versoin"));
    const { stdout, stderr } = await runBaton(["check"], { cwd });
    expect(stdout).toContain("pack_versoin is not known here");
    expect(stdout).toContain("fix: did you mean pack_version?");
    expect(stderr).toBe("1 file: 1 error\n");
  });

  it("[DIS-01] reports a pack that changed without a new version, as known to the local hub", async () => {
    const cwd = newFolder();
    write(cwd, "packs/dev/profession-pack.yaml", pack("dev"));
    const hub = startBaton(["up", "--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"], { cwd });
    await hub.printed('"ready":true');
    const check = () => runBaton(["check"], { cwd });
    expect(await check()).toMatchObject({ code: 0, stdout: "" });
    hub.child.kill("SIGTERM");
    await hub.ended;
    write(cwd, "packs/dev/profession-pack.yaml", `${pack("dev").trimEnd()}\n  description: Another one\n`);
    const changed = await check();
    expect(changed.code).toBe(2);
    expect(changed.stdout).toContain(
      'BATON-FLEET-003  pack_version: version 1.0.0 of pack "dev" is known with other content',
    );
    expect(changed.stdout).toContain("at packs/dev/profession-pack.yaml:3:3");
  });

  it("[PIP-01] names a circle", async () => {
    const cwd = newFolder();
    write(
      cwd,
      "config/pipeline-templates.yaml",
      templates.slice(0, templates.indexOf("        - stage_id: c")),
    );
    const { stdout } = await runBaton(["check", "."], { cwd });
    expect(stdout).toContain("the stages depend on each other in a cycle: a → b → a");
    expect(stdout).toContain("at config/pipeline-templates.yaml:5:7\n");
  });

  it("folds to a narrow terminal, with colours there and none where they are not wanted", async () => {
    const cwd = newFolder();
    write(cwd, "config/routing-policy.yaml", policy);
    const narrow = await startOnTerminal(["check", cwd], { columns: 40 }).ended;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colours of a terminal
    const plain = narrow.stdout.replaceAll(/\u001b\[\d+m/g, "");
    expect(narrow.stdout).not.toBe(plain);
    const folded = plain.split("\r\n").filter((line) => !line.trim().startsWith("at "));
    expect(Math.max(...folded.map((line) => line.length))).toBeLessThanOrEqual(40);
    const bare = await startOnTerminal(["check", cwd], { env: { NO_COLOR: "1" } }).ended;
    expect(bare.stdout).not.toContain("\u001b[");
  });

  it("says so where there is nothing to check", async () => {
    const cwd = newFolder();
    const nothing = await runBaton(["check"], { cwd });
    expect(nothing.code).toBe(3);
    expect(nothing.stderr).toContain("fix: baton init writes a starting set");
    expect((await runBaton(["check", "nowhere"], { cwd })).code).toBe(2);
  });
});

describe("baton key make", () => {
  const args = ["key", "make", "--id", "ci", "--tenant", "acme", "--role", "submit", "--role", "audit"];

  it("makes a key, and an entry that a file of keys takes", async () => {
    const cwd = newFolder();
    const { code, stdout, stderr } = await runBaton(args, { cwd });
    expect(code).toBe(0);
    const [key = "", entry = ""] = stdout.trimEnd().split("\n");
    expect(key).toMatch(/^baton_ci_[A-Za-z0-9_-]{43}$/);
    expect(stderr).not.toContain(key);
    write(cwd, "keys.yaml", `keys:\n${entry}\n`);
    write(cwd, "hub.yaml", "keys: keys.yaml\n");
    expect(await runBaton(["check", "--config", "hub.yaml"], { cwd })).toMatchObject({ code: 0, stdout: "" });
    const [first, second] = await Promise.all([1, 2].map(() => runBaton([...args, "-o", "json"], { cwd })));
    const made = JSON.parse(first?.stdout ?? "");
    expect(made.entry).toMatchObject({ id: "ci", tenant: "acme", roles: ["submit", "audit"] });
    expect(made.key).not.toBe(JSON.parse(second?.stdout ?? "").key);
  });

  it("says what is wrong with what was asked", async () => {
    const { code, stderr } = await runBaton([...args, "--role", "boss"]);
    expect(code).toBe(2);
    expect(stderr).toContain('"boss" is not a role');
  });
});
