import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { defaultEntropyOptions } from "@baton/kernel";
import { defaultRetention, defaultUploadSettings } from "@baton/runtime";
import { describe, expect, it, onTestFinished } from "vitest";
import { generateKey } from "../border/keys.ts";
import { defaultPaths } from "../project/paths.ts";
import { emptyProject } from "../project/read-project.ts";
import { defaultServerConfig } from "../start-server.ts";
import { loadConfig } from "./load-config.ts";

/** A folder with files, which goes away with the test. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "baton-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

function good(args: readonly string[], env: Record<string, string>, folder: string) {
  const reading = loadConfig(args, env, folder);
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.config;
}

function problems(args: readonly string[], env: Record<string, string>, folder: string): readonly string[] {
  const reading = loadConfig(args, env, folder);
  return reading.ok
    ? []
    : reading.problems.map(({ at, message }) => `${at.replace(`${folder}/`, "")} ${message}`);
}

describe("the configuration", () => {
  it("needs nothing to be said", () => {
    const folder = folderWith({});
    expect(good([], {}, folder)).toEqual({
      data: join(folder, ".baton"),
      mode: "production",
      server: { ...defaultServerConfig, needsKeys: false, hasListedWorkspaces: false },
      project: emptyProject,
      paths: defaultPaths(folder),
      digest: expect.any(String),
      allowedAgentHosts: [],
      evidence: {
        workspaces: "any",
        sandbox: "auto",
        settings: { readable: [] },
        limits: {},
        dependencies: [],
      },
      workspaces: { folder: join(folder, ".baton/workspaces") },
      secrets: [],
      references: { folders: "any", hosts: [], records: new Map() },
      retention: defaultRetention,
      entropy: defaultEntropyOptions,
      checkpoints: [],
      uploads: defaultUploadSettings,
      logLevel: "info",
      graceMs: 30_000,
    });
  });

  it("[TUR-04] says how long events and turns stay", () => {
    const text = "retention:\n  events_age: 24h\n  events_bytes: 1000\n  turns_age: off\n";
    const { retention } = good(["--config", "baton.yaml"], {}, folderWith({ "baton.yaml": text }));
    const day = 24 * 60 * 60 * 1000;
    expect(retention).toEqual({ ...defaultRetention, eventsMs: day, eventsBytes: 1000, turnsMs: undefined });
    const wrong = "retention:\n  events_age: soon\n  turns: 5\n";
    expect(problems(["--config", "baton.yaml"], {}, folderWith({ "baton.yaml": wrong }))).toEqual([
      expect.stringContaining('"turns" is not known here'),
      expect.stringContaining("retention.events_age is not a duration"),
    ]);
  });

  it("[TUR-07] says by how much and for how long confidence has to fall", () => {
    const text = "entropy:\n  window: 12\n  min_turns: 6\n  fall_per_turn: 0.1\n";
    const { entropy } = good(["--config", "baton.yaml"], {}, folderWith({ "baton.yaml": text }));
    expect(entropy).toEqual({ ...defaultEntropyOptions, window: 12, minTurns: 6, fallPerTurn: 0.1 });
    const wrong = "entropy:\n  window: 3\n  significance: much\n";
    expect(problems(["--config", "baton.yaml"], {}, folderWith({ "baton.yaml": wrong }))).toEqual([
      expect.stringContaining("entropy.significance must be a number"),
      expect.stringContaining("entropy is invalid: entropy detector: window must be from minTurns"),
    ]);
  });

  it("holds what the command line says before the environment, and that before the file", () => {
    const folder = folderWith({
      "etc/baton.yaml": "grpc: 127.0.0.1:1\nhttp: 127.0.0.1:1\ngrace: 1s\ndata: state\n",
    });
    const env = { BATON_CONFIG: "etc/baton.yaml", BATON_GRPC: "127.0.0.1:2", BATON_HTTP: "127.0.0.1:2" };
    const config = good(["--grpc", "[::1]:3"], env, folder);
    expect(config.server.grpc).toEqual({ host: "::1", port: 3 });
    expect(config.server.http).toEqual({ host: "127.0.0.1", port: 2 });
    expect(config.graceMs).toBe(1_000);
    expect(config.data).toBe(join(folder, "etc/state"));
    expect(good(["--data", ":memory:"], env, folder).data).toBeUndefined();
    expect(good(["--data", "here"], env, folder).data).toBe(join(folder, "here"));
  });

  it("[OBS-05] says where the key of the store is, which no command of a contract may see", () => {
    const folder = folderWith({ "etc/baton.yaml": "store_key: keys/hub.key\n" });
    const key = join(folder, "etc/keys/hub.key");
    const { storeKey, secrets } = good(["--config", "etc/baton.yaml"], {}, folder);
    expect(storeKey).toBe(key);
    expect(secrets).toContain(key);
    expect(good([], { BATON_STORE_KEY: "hub.key" }, folder).storeKey).toBe(join(folder, "hub.key"));
    expect(good(["--store-key", "mine.key"], { BATON_STORE_KEY: "hub.key" }, folder).storeKey).toBe(
      join(folder, "mine.key"),
    );
  });

  it("[PIP-06] says where agents work, how long that stays, and what is wrong with it", () => {
    const folder = folderWith({
      "etc/baton.yaml":
        "workspaces: { folder: work, keep: always, keep_for: 2h, places: 7, bytes: 8, place_bytes: 9 }\n",
      "etc/wrong.yaml": "workspaces:\n  keep: sometimes\n  keep_for: long\n  places: 0\n  room: 1\n",
    });
    expect(good(["--data", ":memory:"], {}, folder).workspaces).toEqual({ folder: undefined });
    expect(good(["--config", "etc/baton.yaml"], {}, folder).workspaces).toEqual({
      ...{ folder: join(folder, "etc/work"), keep: "always", keepForMs: 7_200_000 },
      ...{ maxWorkspaces: 7, maxBytes: 8, maxWorkspaceBytes: 9 },
    });
    expect(problems(["--config", "etc/wrong.yaml"], {}, folder)).toEqual([
      'etc/wrong.yaml:5:3 "room" is not known here',
      'etc/wrong.yaml:2:3 "sometimes" is not a policy of what is kept',
      "etc/wrong.yaml:3:3 workspaces.keep_for is not a duration",
      "etc/wrong.yaml:4:3 workspaces.places must be a whole number of 1 or more",
    ]);
  });

  it("[DIS-04] [PIP-01] brings policy, templates and keys from files beside it", () => {
    const { entry } = generateKey({ id: "ci", tenant: "acme", roles: ["submit"] });
    const folder = folderWith({
      "baton.yaml":
        "keys: keys.yaml\nrouting_policy: policy.yaml\npipeline_templates: templates.yaml\nlimits: { call_timeout: 5s, page_size: 10, event_watchers_per_tenant: 7 }\n",
      "keys.yaml": `keys: [${JSON.stringify(entry)}]\n`,
      "policy.yaml": 'routing_policy: { version: "1", routes: [{ task_type: a, allowed_pack_ids: [x] }] }\n',
      "templates.yaml":
        'pipeline_templates: { version: "1", templates: [{ template_id: t, stages: [{ stage_id: s, task_type: a }] }] }\n',
    });
    const { server, project } = good(["--config", "baton.yaml"], {}, folder);
    const { policy, templates } = project;
    expect(server.keys).toEqual([entry]);
    expect(server.limits).toMatchObject({ callTimeoutMs: 5_000, pageSize: 10, eventWatchersPerTenant: 7 });
    expect(policy?.routes.get("a")?.allowedPackIds).toEqual(["x"]);
    expect([...templates.keys()]).toEqual(["t"]);
  });

  it("[PIP-06] lets commands of contracts run anywhere without keys, with keys where it says so", () => {
    const folder = folderWith({
      "keys.yaml": "keys: []\n",
      "etc/baton.yaml": "evidence:\n  workspaces: [work, /srv/agents]\n",
      "etc/wrong.yaml": "evidence:\n  workspaces: work\n  folders: [work]\n",
    });
    expect(good([], {}, folder).evidence.workspaces).toBe("any");
    expect(good(["--keys", "keys.yaml"], {}, folder).evidence.workspaces).toEqual([]);
    const output = [join(folder, "etc/work"), "/srv/agents"];
    expect(good(["--config", "etc/baton.yaml"], {}, folder).evidence.workspaces).toEqual(output);
    expect(
      good(["--config", "etc/baton.yaml", "--keys", "keys.yaml"], {}, folder).evidence.workspaces,
    ).toEqual(output);
    expect(problems(["--config", "etc/wrong.yaml"], {}, folder)).toEqual([
      'etc/wrong.yaml:3:3 "folders" is not known here',
      "etc/wrong.yaml:2:3 evidence.workspaces must be a list",
    ]);
  });

  it("[DIS-11] lists what the hub may read again: with keys nothing of its machine by default", () => {
    const folder = folderWith({
      "keys.yaml": "keys: []\n",
      "work.yaml": "evidence: { workspaces: [work] }\n",
      "etc/baton.yaml":
        "evidence: { workspaces: [work] }\nreferences:\n  folders: [docs]\n  hosts: [wiki.internal, 10.1.0.0/16]\n  timeout: 5s\n  records:\n    crm: [read-customer, --, '{locator}']\n",
      "wrong.yaml":
        "references:\n  folder: [a]\n  hosts: [10.0.0.0/99]\n  timeout: soon\n  records:\n    crm: psql\n    erp: []\n    Big Name: [psql]\n    open: ['{locator}']\n    sql: [psql, -c, 'select {locator}']\n    shell: [sh, -c, '{locator}']\n",
    });
    const references = (...args: string[]) => good(args, {}, folder).references;
    expect(references("--keys", "keys.yaml").folders).toEqual([]);
    expect(references("--keys", "keys.yaml", "--config", "work.yaml").folders).toEqual([
      join(folder, "work"),
    ]);
    expect(references("--config", "etc/baton.yaml")).toEqual({
      folders: [join(folder, "etc/docs")],
      hosts: ["wiki.internal", "10.1.0.0/16"],
      records: new Map([
        ["crm", { command: ["read-customer", "--", "{locator}"], directory: join(folder, "etc") }],
      ]),
      limits: { timeoutMs: 5_000 },
    });
    expect(problems(["--config", "wrong.yaml"], {}, folder)).toEqual([
      'wrong.yaml:2:3 "folder" is not known here',
      "wrong.yaml:3:11 references.hosts[0] is not a host",
      "wrong.yaml:6:5 references.records.crm must be a list",
      "wrong.yaml:6:5 references.records.crm names no program",
      "wrong.yaml:7:5 references.records.erp names no program",
      "wrong.yaml:8:5 references.records.Big Name cannot name a command",
      "wrong.yaml:9:5 references.records.open lets a locator choose the program",
      "wrong.yaml:10:5 references.records.sql has {locator} inside a longer argument",
      "wrong.yaml:11:5 references.records.shell passes {locator} as a text that a program executes",
      "wrong.yaml:4:3 references.timeout is not a duration",
    ]);
  });

  it("[PIP-07] says in which sandbox commands run, and within which limits", () => {
    const folder = folderWith({
      "baton.yaml": [
        "evidence:",
        "  sandbox: required",
        "  network: true",
        "  readable: [cache]",
        "  dependencies: [node_modules, packages/web/node_modules]",
        "  timeout: 2m",
        "  total_timeout: 5m",
        "  output_limit: 1000",
        "  printed_limit: 2000",
        "  memory_limit: 3000",
        "  process_limit: 40",
        "  file_limit: 5000",
        "  at_once: 2",
        "",
      ].join("\n"),
      "wrong.yaml":
        "evidence:\n  sandbox: docker\n  network: no way\n  timeout: soon\n  dependencies: [../other]\n",
    });
    const { evidence, secrets } = good(["--config", "baton.yaml"], {}, folder);
    expect(evidence).toEqual({
      workspaces: "any",
      sandbox: "required",
      settings: {
        network: true,
        readable: [join(folder, "cache")],
        memoryBytes: 3_000,
        processes: 40,
        fileBytes: 5_000,
      },
      limits: {
        timeoutMs: 120_000,
        totalMs: 300_000,
        outputBytes: 1_000,
        printedBytes: 2_000,
        maxConcurrent: 2,
      },
      dependencies: ["node_modules", "packages/web/node_modules"],
    });
    expect(secrets).toEqual([join(folder, "baton.yaml")]);
    expect(problems(["--config", "wrong.yaml"], {}, folder).toSorted()).toEqual([
      'wrong.yaml:2:3 "docker" is not a sandbox',
      "wrong.yaml:3:3 evidence.network must be true or false",
      "wrong.yaml:4:3 evidence.timeout is not a duration",
      'wrong.yaml:5:3 "../other" is not a folder of a repository: it contains ".."',
    ]);
  });

  it("[PIP-07] lets commands run in bubblewrap or not at all where there are keys, or others can connect", () => {
    const folder = folderWith({
      "keys.yaml": "keys: []\n",
      "auto.yaml": "evidence: { sandbox: auto }\n",
      "plain.yaml": "evidence: { sandbox: plain }\n",
      "namespaces.yaml": "evidence: { sandbox: namespaces }\n",
      "any.yaml": "evidence: { sandbox: any }\n",
    });
    const sandboxOf = (...args: string[]) => good(args, {}, folder).evidence.sandbox;
    expect(sandboxOf()).toBe("auto");
    expect(sandboxOf("--config", "plain.yaml")).toBe("plain");
    for (const shared of [
      ["--keys", "keys.yaml"],
      ["--http", "0.0.0.0:0"],
      ["--grpc", "192.0.2.1:0"],
    ]) {
      expect(sandboxOf(...shared)).toBe("required");
      expect(sandboxOf(...shared, "--config", "auto.yaml")).toBe("required");
      for (const weak of ["plain", "namespaces", "any"])
        expect(problems([...shared, "--config", `${weak}.yaml`], {}, folder)).toEqual([
          `${weak}.yaml:1:13 "${weak}" does not hide the files of other tenants on a hub with keys or beyond the loopback`,
        ]);
    }
  });

  it("[DIS-04] [PIP-01] reports everything that is wrong at once, each with file, line and column", () => {
    const folder = folderWith({
      "baton.yaml":
        "grpc: somewhere\nlog_levle: info\nkeys: keys.yaml\nrouting_policy: policy.yaml\npipeline_templates: templates.yaml\nlimits:\n  page_size: many\n  event_watchers_per_tenant: 0\n",
      "keys.yaml":
        'keys:\n  - id: A_B\n    tenant: "ac\\tme"\n    roles: [submit, boss]\n    hash: baton_ci_secret\n',
      "policy.yaml":
        'routing_policy:\n  version: "1"\n  routes:\n    - task_type: a\n      allowed_pack_ids: [x]\n      min_risk_tier: HUGE\n',
      "templates.yaml":
        'pipeline_templates:\n  version: "1"\n  templates:\n    - template_id: t\n      stages:\n        - stage_id: s\n          task_type: a\n          depends_on_stages: [nobody]\n',
    });
    const found = problems(["--config", "baton.yaml", "--colour"], { BATON_GRACE: "soon" }, folder);
    expect(found).toEqual([
      'the command line "--colour" is not known',
      'baton.yaml:2:1 "log_levle" is not known here',
      expect.stringMatching(/^policy.yaml:6:7 min_risk_tier: "HUGE"/),
      expect.stringMatching(/^templates.yaml:8:(11|31) .*nobody/),
      'baton.yaml:1:1 grpc is not an address: "somewhere"',
      "keys.yaml:2:5 keys[0].id cannot name a key",
      "keys.yaml:3:5 keys[0].tenant has a character in it that cannot be seen",
      'keys.yaml:4:21 "boss" is not a role',
      "keys.yaml:5:5 keys[0].hash is not the hash of a key",
      "baton.yaml:7:3 limits.page_size must be a whole number of 1 or more",
      "baton.yaml:8:3 limits.event_watchers_per_tenant must be a whole number of 1 or more",
      "BATON_GRACE BATON_GRACE is not a duration",
    ]);
    expect(found.join()).not.toContain("baton_ci_secret");
  });

  it("reports an invalid option by its name and value", () => {
    const folder = folderWith({ file: "", "baton.yaml": "config: other.yaml\n" });
    const args = ["--grpc", "99999", "--http", "[::1]:70000", "--data", "file", "--project", "file"];
    const found = problems([...args, "--config", "baton.yaml"], {}, folder);
    expect(found.slice(0, 4)).toEqual([
      'baton.yaml:1:1 "config" is not known here',
      "--project --project is not a folder",
      "--data --data is not a folder",
      '--grpc --grpc is not an address: "99999"',
    ]);
    expect(loadConfig(args, {}, folder).problems.at(-1)?.fix).toContain("the highest port is 65535");
  });

  it.each([
    ["7433", "grpc is not an address: 7433"],
    ["[127.0.0.1:7433]", 'grpc is not an address: ["127.0.0.1:7433"]'],
    ['""', 'grpc is not an address: ""'],
  ])("reports an invalid address once, with its fix: %s", (written, message) => {
    const folder = folderWith({ "baton.yaml": `grpc: ${written}\n` });
    const found = loadConfig(["--config", "baton.yaml"], {}, folder).problems;
    const fix = expect.stringContaining("write host and port, such as 127.0.0.1:7433");
    expect(found).toEqual([{ code: "BATON-CONFIG-001", at: expect.stringMatching(/:1:1$/), message, fix }]);
  });

  it.each([
    ["is not there", {}, "baton.yaml the file cannot be read: ENOENT"],
    ["is not YAML", { "baton.yaml": "grpc: [\n" }, /^baton.yaml:1:7 the bracket \[ is not closed/],
    [
      "says a thing twice",
      { "baton.yaml": "grace: 1s\ngrace: 2s\n" },
      /^baton.yaml:2:1 this is not YAML: .*unique/,
    ],
    ["grows without bounds", { "baton.yaml": bomb() }, /^baton.yaml:1:1 .*alias/i],
    [
      "is deep",
      { "baton.yaml": "[".repeat(200_000) },
      /^baton.yaml:1:101 brackets are nested deeper than 100/,
    ],
    ["is two files", { "baton.yaml": "a: 1\n---\nb: 2\n" }, /^baton.yaml:2:1 the file has several documents/],
    ["is a list", { "baton.yaml": "- a\n" }, /^baton.yaml:1:1 must hold names and values/],
  ])("reports that a file %s", (_, files, expected) => {
    const [first] = problems(["--config", "baton.yaml"], {}, folderWith(files));
    expect(first).toEqual(typeof expected === "string" ? expected : expect.stringMatching(expected));
  });
});

/** Nine lists of nine times the list before. */
function bomb(): string {
  const lines = ["a0: &a0 [x]"];
  for (let level = 1; level < 9; level++) {
    lines.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(", ")}]`,
    );
  }
  return lines.join("\n");
}
