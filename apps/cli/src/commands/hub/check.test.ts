import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runBaton } from "../../../testing/run-baton.ts";

interface Found {
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly fix: string;
  readonly severity: string;
}

/** What `baton check` says of a folder with these files, with paths from the folder. */
async function check(files: Readonly<Record<string, string>>, args: readonly string[] = []) {
  const cwd = mkdtempSync(join(tmpdir(), "baton-check-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
  const { code, stdout, stderr } = await runBaton(["check", "--output", "json", ...args], { cwd });
  expect(stdout, stderr).not.toBe("");
  const { problems } = JSON.parse(stdout) as { problems: readonly Found[] };
  const placed = problems.map(({ path, line, column, ...one }) => ({
    ...one,
    at: `${path}:${line}:${column}`,
  }));
  return { code, problems: placed };
}

/** A fault: the content of the file, the invalid value, and the reported problem. */
type Row = readonly [text: string, fault: string, says: RegExp];

/** Rows with the same text are faults of the same line, so that the line and the column of each are known. */
async function expectRefused(path: string, head: readonly string[], rows: readonly Row[], args?: string[]) {
  const texts = [...new Set(rows.map(([text]) => text))];
  const { code, problems } = await check({ [path]: `${[...head, ...texts].join("\n")}\n` }, args);
  const errors = problems.filter(({ severity }) => severity === "error");
  for (const [text, fault, says] of rows) {
    const at = `${path}:${head.length + texts.indexOf(text) + 1}:${text.indexOf(fault) + 1}`;
    const here = errors.filter((one) => one.at === at);
    expect(here, `${text}\n${JSON.stringify(errors, null, 1)}`).toEqual([
      expect.objectContaining({ message: expect.stringMatching(says), fix: expect.stringMatching(/./) }),
    ]);
  }
  expect(errors).toHaveLength(rows.length);
  expect(code).toBe(2);
}

const stage = (id: string, config: string): string =>
  `    - { template_id: ${id}, stages: [{ stage_id: a, task_type: code, ${config} }] }`;
const second = (id: string, propagation: string): string =>
  `    - { template_id: ${id}, stages: [{ stage_id: a, task_type: code }, { stage_id: b, task_type: code, depends_on_stages: [a], context_propagation: ${propagation} }] }`;
const policy = (id: string, config: string): string =>
  `    - { template_id: ${id}, stages: [{ stage_id: a, task_type: code }], policy: { ${config} } }`;
const retry = (id: string, config: string): string => stage(id, `handoff_policy: { retry: { ${config} } }`);
const fresh = (id: string, config: string): string =>
  stage(id, `handoff_policy: { freshness: { ${config} } }`);
const schema = (id: string, config: string): string => stage(id, `output_schema: ${config}`);

describe("baton check", () => {
  it("[PIP-01] holds templates to the rules of the API: numbers, ranges, names and schemas", async () => {
    const edge = "rewind_edges: [{ condition: 'true', target_stage_id: a, max_times";
    const rows: readonly Row[] = [
      [stage("t1", "timeout: 0s"), "timeout:", /longer than zero/],
      [retry("t2", "jitter: 5"), "jitter:", /up to 1/],
      [retry("t3", "backoff_multiplier: -2"), "backoff_multiplier", /1 or more/],
      [retry("t4", "backoff_multiplier: 0"), "backoff_multiplier", /1 or more/],
      [retry("t5", "backoff_multiplier: 0.5"), "backoff_multiplier", /1 or more/],
      [retry("t6", "max_attempts: 0"), "max_attempts", /from 1 to 100/],
      [retry("t7", "max_attempts: 101"), "max_attempts", /from 1 to 100/],
      [retry("t8", "initial_backoff: 2m, max_backoff: 1m"), "max_backoff", /shorter than initial_backoff/],
      [retry("t9", "jitter: 0.5, no_jitter: true"), "no_jitter", /contradicts jitter/],
      [fresh("t10", "max_ref_staleness: 2h, hard_max_ref_staleness: 1h"), "hard_max", /shorter than max_ref/],
      [stage("t11", `${edge}: 1000000 }]`), "max_times", /from 1 to 100/],
      [stage("t12", `${edge}: 0 }]`), "max_times", /from 1 to 100/],
      [second("t13", "{ mode: PREVIOUS, carry_fields: [sumary] }"), "sumary", /cannot be carried/],
      [stage("t14", `condition: "${"a".repeat(4_097)}"`), "condition", /4096/],
      [schema("t15", "{ type: objekt }"), "type: objekt", /"objekt" is not a type/],
      [schema("t16", "{ properties: { n: { minimum: 9, maximum: 1 } } }"), "minimum", /above maximum/],
      [schema("t17", "{ required: name }"), "required", /list of different names/],
      [schema("t18", "{ $ref: '#/$defs/none' }"), "$ref", /leads to no schema/],
      [schema("t19", "{ pattern: '(' }"), "pattern", /regular expression/],
      [policy("t20", "max_total_retries: -1"), "max_total_retries", /from 0 to 10000/],
      [policy("t21", "max_rejections: 1000000"), "max_rejections", /from 0 to 1000/],
      [policy("t22", "pipeline_deadline: 0s"), "pipeline_deadline", /longer than zero/],
      [policy("t23", "budget: { max_tokens: -1 }"), "max_tokens", /0 or more/],
      [policy("t24", "max_rejections: 2, no_rejections: true"), "no_rejections", /contradicts/],
      [second("t25", "{ carry_decisions: true }"), "carry_decisions", /carries nothing without a mode/],
      [second("t26", "{ mode: NONE, carry_risks: true }"), "carry_risks", /carries nothing with mode NONE/],
      [second("t27", "{ mode: NONE, carry_fields: [summary] }"), "carry_fields", /carries nothing/],
      [stage("t28", "context_propagation: { mode: PREVIOUS }"), "mode:", /depends on none/],
      [
        second("t29", "{ mode: PREVIOUS, carry_fields: [decisions_made] }"),
        "decisions_made",
        /with carry_decisions only/,
      ],
      [
        second("t30", "{ mode: CUMULATIVE, carry_risks: true, carry_fields: [summary] }"),
        "carry_risks",
        /leaves risks_identified out/,
      ],
      [stage("t31", "contract_template: { task_id: x }"), "task_id: x", /states its id/],
      [stage("t32", "contract_template: { tests: { tests_to_run: [''] } }"), "''", /has no text/],
      [stage("t33", "contract_template: { expected_files: { create: [../x] } }"), "../x", /leads out/],
    ];
    const head = ["pipeline_templates:", '  version: "1"', "  templates:"];
    await expectRefused("config/pipeline-templates.yaml", head, rows);
  });

  it("[PIP-01] fixes a number that is out of range by the range, and what is no number by its form", async () => {
    const { problems } = await check({
      "config/pipeline-templates.yaml": [
        "pipeline_templates:",
        '  version: "1"',
        "  templates:",
        retry("t1", "jitter: 5"),
        retry("t2", "max_attempts: 0"),
        retry("t3", "max_attempts: many"),
        policy("t4", "budget: { max_tokens: -1 }"),
        "",
      ].join("\n"),
    });
    expect(problems.map(({ fix }) => fix)).toEqual([
      "write a number of 0 or more up to 1",
      "write a whole number from 1 to 100",
      "write it as digits",
      "write a whole number of 0 or more",
    ]);
  });

  it("[PIP-01] takes zero for zero where zero has a meaning", async () => {
    const { code, problems } = await check({
      "config/pipeline-templates.yaml": [
        "pipeline_templates:",
        '  version: "1"',
        "  templates:",
        retry("t1", "jitter: 0, initial_backoff: 0s"),
        fresh("t2", "max_ref_staleness: 0s"),
        policy("t3", "max_total_retries: 0, max_rejections: 0, budget: { max_tokens: 0 }"),
      ].join("\n"),
    });
    expect({ code, problems }).toEqual({ code: 0, problems: [] });
  });

  it("[DIS-04] refuses limits of a routing policy that are none", async () => {
    const head = [
      "routing_policy:",
      '  version: "1"',
      "  routes: [{ task_type: code, allowed_pack_ids: [dev] }]",
    ];
    const admission =
      "  admission: { max_global_queue_depth: 0, max_per_pack_concurrent: 0, circuit_breaker: { error_threshold: 0, window: 0s, half_open_after: 0ms } }";
    await expectRefused("config/routing-policy.yaml", head, [
      ["  defaults: { max_candidate_agents: 0 }", "max_candidate_agents", /1 or more/],
      [admission, "max_global_queue_depth", /1 or more/],
      [admission, "max_per_pack_concurrent", /1 or more/],
      [admission, "error_threshold", /1 or more/],
      [admission, "window", /longer than zero/],
      [admission, "half_open_after", /longer than zero/],
    ]);
  });

  it("[DIS-01] refuses packs that could never do a task, each at its field", async () => {
    const rows: readonly Row[] = [
      ["  interface: { max_concurrent_tasks: 0 }", "max_concurrent_tasks", /from 1 to/],
      ["  interface: { max_task_duration: 0s }", "max_task_duration", /longer than zero/],
      ["  interface: { supported_schema_versions: [banana] }", "banana", /not a range of versions/],
      ['  interface: { supported_schema_versions: [">=2.0.0 <1.0.0"] }', '">=2', /no version lies in/],
      ["  interface: { accepted_risk_tiers: [LOW, CRITICAL] }", "CRITICAL", /above safety_tier NORMAL/],
      ["  command: { preset: claude-code, output: text }", "output", /for run only/],
      ["  command: { preset: claude-code, envelope: file }", "envelope", /for run only/],
      ["  command: { run: [node], env: { BATON_ATTEMPT: x } }", "BATON_ATTEMPT", /set by the hub/],
      ["  command: { run: [node], pass_env: [TRACEPARENT] }", "TRACEPARENT", /set by the hub/],
      ["  command: { run: [node], env: { A: b }, pass_env: [A] }", "A]", /in env too/],
      ["  command: { run: [node], timeout: 0s }", "timeout", /longer than zero/],
      ["  command: { run: [node], timeout: 2d }", "timeout", /at most 1d/],
      ["  data_schema: { properties: { n: { type: nmber } } }", "type: nmber", /"nmber" is not a type/],
    ];
    const pathOf = (index: number) => `packs/p${String(index).padStart(2, "0")}/profession-pack.yaml`;
    const head = (index: number) => [
      "profession_pack:",
      `  pack_id: p${index}`,
      '  pack_version: "1.0.0"',
      "  supported_task_types: [code]",
    ];
    const files = rows.map(([text], index) => [pathOf(index), [...head(index), text].join("\n")] as const);
    const { problems } = await check(Object.fromEntries(files));
    const errors = problems.filter(({ severity }) => severity === "error");
    expect(errors.map(({ at, message }) => `${at} ${message}`)).toEqual(
      rows.map(([text, fault, says], index) =>
        expect.stringMatching(new RegExp(`^${pathOf(index)}:5:${text.indexOf(fault) + 1} .*${says.source}`)),
      ),
    );
  });

  it("[PIP-01] [DIS-01] takes values of enums in lower case, as a task does, in every file", async () => {
    const { code, problems } = await check({
      "config/pipeline-templates.yaml": [
        "pipeline_templates:",
        '  version: "1.0.0"',
        "  templates:",
        "    - template_id: a",
        "      stages: [{ stage_id: a, task_type: code, risk_tier: critical }]",
        "      policy: { failure_strategy: skip_failed }",
      ].join("\n"),
      "packs/p/profession-pack.yaml": [
        "profession_pack:",
        "  pack_id: p",
        '  pack_version: "1.0.0"',
        "  safety_tier: critical",
        "  supported_task_types: [code]",
        "  interface: { accepted_risk_tiers: [low, CRITICAL] }",
      ].join("\n"),
      "workflows/w.yaml":
        "workflow: { name: w, start: a, ends: [a], nodes: [{ id: a, task_type: code, risk: critical }] }",
    });
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(code).toBe(0);
  });

  it("[SAC-09] holds guardrails to their rules, with file, line and column", async () => {
    const path = "config/guardrails.yaml";
    await expectRefused(
      path,
      ["guardrails:", "  rules:"],
      [
        ["    - { name: a, check: secret }", "check:", /not a check/],
        ["    - { name: b, check: size }", "{", /says nothing of max_chars/],
        ["    - { name: c, check: secrets, kinds: [email] }", "kinds", /is not for check: secrets/],
        ["    - { name: d, check: command, run: [x], timeout: 1h }", "timeout", /at most 10m/],
        ["    - { name: e, check: personal_data, kinds: [shoe] }", "shoe", /not a kind of personal data/],
        ["    - { name: f, check: secrets, packs: [dev], steges: [a] }", "steges", /not known/],
      ],
    );
  });

  it("refuses numbers of the hub's configuration that are none, zero among them", async () => {
    const rows: readonly Row[] = [
      ["grace: 0s", "grace", /longer than zero/],
      ["limits: { call_timeout: 0s, page_size: 0, connections: -1 }", "call_timeout", /longer than zero/],
      ["limits: { call_timeout: 0s, page_size: 0, connections: -1 }", "page_size", /1 or more/],
      ["limits: { call_timeout: 0s, page_size: 0, connections: -1 }", "connections", /1 or more/],
      ["evidence: { timeout: 0s, memory_limit: 0, at_once: 0 }", "timeout", /longer than zero/],
      ["evidence: { timeout: 0s, memory_limit: 0, at_once: 0 }", "memory_limit", /1 or more/],
      ["evidence: { timeout: 0s, memory_limit: 0, at_once: 0 }", "at_once", /1 or more/],
      ["workspaces: { keep_for: 0s, places: 0, bytes: 0, place_bytes: 1.5 }", "keep_for", /longer than zero/],
      ["workspaces: { keep_for: 0s, places: 0, bytes: 0, place_bytes: 1.5 }", "places:", /1 or more/],
      ["workspaces: { keep_for: 0s, places: 0, bytes: 0, place_bytes: 1.5 }", "bytes: 0", /1 or more/],
      ["workspaces: { keep_for: 0s, places: 0, bytes: 0, place_bytes: 1.5 }", "place_bytes", /1 or more/],
      ["retention: { events_age: 0s, turns_bytes: 0 }", "events_age", /longer than zero/],
      ["retention: { events_age: 0s, turns_bytes: 0 }", "turns_bytes", /1 or more/],
      ["references: { timeout: 0s }", "timeout", /longer than zero/],
      ["entropy: { window: 2, min_turns: 5 }", "entropy", /is invalid/],
    ];
    await expectRefused("hub.yaml", [], rows, ["--config", "hub.yaml"]);
  });
});

describe("what baton check suggests", () => {
  it("[DIS-04] [PIP-01] names the nearest key, value, task type, pack and stage, and what to do", async () => {
    const { problems } = await check(
      {
        "hub.yaml": "retenton: {}\nlimits: { call_timout: 1s }\n",
        "config/routing-policy.yaml": [
          "routing_policy:",
          '  version: "1"',
          "  routes:",
          "    - { task_type: implment, allowed_pack_ids: [develper], min_risk_tier: NORML }",
        ].join("\n"),
        "config/pipeline-templates.yaml": [
          "pipeline_templates:",
          '  version: "1"',
          "  templates:",
          "    - template_id: t",
          "      polcy: {}",
          "      stages:",
          "        - { stage_id: build, task_type: implement }",
          "        - { stage_id: look, task_type: implment, depends_on_stages: [biuld] }",
        ].join("\n"),
        "packs/developer/profession-pack.yaml": [
          "profession_pack:",
          "  pack_id: developer",
          '  pack_version: "1.0.0"',
          "  supported_task_types: [implement]",
        ].join("\n"),
      },
      ["--config", "hub.yaml"],
    );
    const meant = problems.flatMap(({ at, fix }) => {
      const [, name] = /^did you mean (\S+?)\?/.exec(fix) ?? [];
      return name === undefined ? [] : [`${at.split(":").slice(0, 2).join(":")} ${name}`];
    });
    expect(meant.toSorted()).toEqual([
      "config/pipeline-templates.yaml:5 policy",
      "config/pipeline-templates.yaml:8 build",
      "config/routing-policy.yaml:4 NORMAL",
      "config/routing-policy.yaml:4 developer",
      "hub.yaml:1 retention",
      "hub.yaml:2 call_timeout",
    ]);
    for (const { fix } of problems) expect(fix).not.toBe("");
  });
});

describe("zero in a task", () => {
  it("is refused where it would be taken as left out, on the command line and in a file", async () => {
    const option = await runBaton(["run", "--task-type", "code", "--title", "x", "--patch-limit", "0"]);
    expect(option.code).toBe(2);
    expect(option.stderr).toContain("--patch-limit");
    expect(option.stderr).toContain("from 1 to 999999999");
    const file = [
      "task_type: code",
      "contract: { title: x, acceptance_criteria: [y] }",
      "patchSizeLimit: 0",
      "safety: { max_autonomous_steps: 0 }",
    ];
    const { code, stderr } = await runBaton(["run", "--file", "-"], { stdin: file.join("\n") });
    expect(code).toBe(2);
    expect(stderr).toContain("standard input:3:1");
    expect(stderr).toContain("patch_size_limit is 0, which is taken as left out; write 1 or more");
    expect(stderr).toContain("standard input:4:11");
  });
});
