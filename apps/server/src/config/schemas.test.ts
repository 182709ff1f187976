import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type ConfigurationKind,
  createRedactor,
  readConstitution,
  readGuardrails,
  readModels,
  readProfessionPack,
  readRedactionPolicy,
  readRoutingPolicy,
  readSpendLimits,
  readTemplates,
  readWebhooks,
  readWorkflow,
} from "@baton/kernel";
import { readEvaluation } from "@baton/kernel/evaluation";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

type Reader = (content: unknown) => { ok: boolean; problems?: readonly { code: string; at: string }[] };

const readers: Record<ConfigurationKind, Reader> = {
  "routing-policy": readRoutingPolicy,
  "pipeline-templates": readTemplates,
  "redaction-policy": readRedactionPolicy,
  guardrails: readGuardrails,
  constitution: (content) => readConstitution(content, ""),
  "spend-limits": readSpendLimits,
  "profession-pack": readProfessionPack,
  models: readModels,
  webhooks: readWebhooks,
  workflow: readWorkflow,
  eval: readEvaluation,
};

const file = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");
const example = (kind: string) => parse(file(`../../testing/specification/${kind}.yaml`));

/** Every part of a stage, and every part of a pack, so that each is changed in every way. */
const fullStage = {
  stage_id: "all",
  stage_name: "Everything",
  task_type: "code",
  risk_tier: "LOW",
  timeout: "5m",
  budget: { max_tokens: 5, max_cost_micro_usd: 7, max_steps: 1 },
  contract_template: { title: "x", acceptance_criteria: ["y"], environment: {} },
  input_mapping: { a: [1, { b: null }] },
  output_schema: { type: "object" },
  rewind_edges: [{ condition: "true", target_stage_id: "all", max_times: 1 }],
};
const examples: readonly (readonly [ConfigurationKind, unknown])[] = [
  ["routing-policy", example("routing-policy")],
  ["pipeline-templates", example("pipeline-templates")],
  [
    "pipeline-templates",
    { pipeline_templates: { version: "1", templates: [{ template_id: "t", stages: [fullStage] }] } },
  ],
  ["redaction-policy", example("redaction-policy")],
  [
    "constitution",
    {
      constitution: {
        version: "1",
        description: "what we stand for",
        unknown: "allow",
        issuers: [{ capabilities: ["report.*"], agent_ids: ["planner"], kinds: ["agent"] }],
        levels: [{ level: "consulted", territories: ["EU"], capabilities: ["pay.*"] }],
        principles: [
          {
            key: "pause",
            pressure: 10,
            thresholds: { consulted: 40, deliberated: 80 },
            description: "think first",
            always: true,
            severity: "high",
            territories: ["EU"],
            capabilities: ["report.*"],
            checks: [
              { name: "a", cel: "size(output.message) > 0", message: "says nothing" },
              { name: "b", schema: { type: "object" }, on: "task" },
            ],
          },
        ],
        constraints: [
          {
            name: "No PII",
            patterns: ["(?i)no pii"],
            checks: [
              { name: "c", detect: "personal_data", kinds: ["email"], on: "both" },
              { name: "d", detect: "banned_phrases", phrases: ["Falcon"] },
              { name: "e", detect: "citations", least: 2, sources: ["https://"] },
              { name: "f", run: ["node", "{config}/check.mjs"], timeout: "5s" },
              { name: "g", consult: true },
            ],
          },
        ],
        consultation: { capability: "consult.align", timeout: "1m", quorum: ["a", "b"], rule: "majority" },
      },
    },
  ],
  [
    "guardrails",
    {
      guardrails: {
        redact_failures: false,
        rules: [
          {
            name: "a",
            check: "secrets",
            parts: ["message"],
            packs: ["p"],
            stages: ["s"],
            task_types: ["t"],
            templates: ["w"],
          },
          { name: "b", check: "personal_data", kinds: ["email"] },
          { name: "c", check: "banned_phrases", phrases: ["x"] },
          { name: "d", check: "size", max_chars: 5 },
          { name: "e", check: "command", run: ["x"], timeout: "5s" },
        ],
      },
    },
  ],
  [
    "eval",
    {
      eval: {
        ...{ name: "letters", workflow: "letter", repeat: 2, concurrency: 8, timeout: "5m", pass_rate: 0.9 },
        budget: { max_tokens: 5 },
        accept: ["it is polite"],
        checks: [{ id: "a", schema: { type: "object" }, node: "write" }],
        cases: [
          {
            ...{
              id: "ada",
              title: "To Ada",
              accept: ["it names Ada"],
              inputs: { to: "Ada" },
              ends: "completed",
            },
            checks: [
              { id: "b", condition: "true" },
              { id: "c", grader: { task_type: "grading", criteria: "polite" } },
            ],
          },
        ],
      },
    },
  ],
  [
    "spend-limits",
    {
      spend_limits: {
        daily: { tokens: 5_000_000, usd: 20.5 },
        monthly: { usd: 300 },
        tenants: [{ tenant_id: "acme", daily: { usd: 100 }, monthly: { tokens: 90_000_000 } }],
      },
    },
  ],
  [
    "webhooks",
    {
      webhooks: {
        hosts: ["hooks.internal", "10.0.0.0/8"],
        signing: {
          secrets: [{ env: "A" }, { file: "b" }],
          tenants: [{ tenant_id: "acme", secrets: [{ env: "A" }] }],
        },
        notifications: [
          {
            name: "ops",
            url: "https://example.com/hook",
            format: "plain",
            events: ["waiting", "failed"],
            tenants: ["acme"],
            secrets: [{ env: "A" }],
            per_minute: 5,
          },
          { name: "chat", url_from: { env: "A" }, format: "slack", events: ["completed"] },
        ],
      },
    },
  ],
  [
    "profession-pack",
    {
      profession_pack: {
        pack_id: "dev",
        pack_version: "1.0.0",
        capability_schema_version: "1.0.0",
        min_orchestrator_version: "0.1.0",
        safety_tier: "NORMAL",
        supported_task_types: ["code"],
        provided_tools: ["npm"],
        interface: {
          supported_schema_versions: ["1.x"],
          accepted_risk_tiers: ["LOW"],
          max_task_duration: "1h",
        },
        role: "DEVELOPER",
        command: {
          run: ["agent"],
          envelope: "file",
          env: { A: "b" },
          pass_env: ["C"],
          output: "text",
          timeout: "5m",
        },
      },
    },
  ],
  [
    "profession-pack",
    {
      profession_pack: {
        pack_id: "writer",
        pack_version: "1.0.0",
        supported_task_types: ["summary"],
        model: {
          ...{ model: "large", fallback_models: ["small"], system_prompt: "You write." },
          ...{ use_standard_protocol: true, response_format: "json_standard" },
          ...{ temperature: 0.5, top_p: 1, top_k: 5, seed: 1, reasoning: "low" },
          ...{ max_output_tokens: 100, max_corrections: 2 },
        },
      },
    },
  ],
  [
    "models",
    {
      providers: [
        {
          ...{ id: "local", kind: "openai-compatible", base_url: "http://127.0.0.1:1/v1", key_env: "A_KEY" },
          ...{ concurrency: 2, timeouts: { first_token: "1s", silence: "1s", call: "1m" } },
        },
      ],
      models: [
        {
          ...{ id: "large", provider: "local", model: "large:70b", context_window: 8000 },
          ...{ max_output_tokens: 100, structured_output: true },
          price: { input: 1, cache_read: 0.1, cache_write: 1.25, output: 2 },
        },
      ],
    },
  ],
  [
    "workflow",
    {
      workflow: {
        ...{ name: "w", title: "W", description: "all", start: "a", ends: ["b"] },
        nodes: [
          {
            ...{
              id: "a",
              name: "A",
              task_type: "code",
              pack: "dev",
              join: "any",
              timeout: "5m",
              risk: "LOW",
            },
            ...{ inputs: { x: ["{{input.x}}"] }, budget: { max_tokens: 5 }, retries: 1 },
            data_schema: { type: "object" },
            contract: { title: "x", acceptance_criteria: ["y"] },
            context_propagation: { mode: "PREVIOUS" },
          },
          { id: "b", workflow: "other" },
        ],
        edges: [{ from: "a", to: "b", kind: "back", condition: "true", max_times: 2 }],
        policy: { max_rejections: 2 },
      },
    },
  ],
];

const otherValues: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    1,
    -1,
    1.5,
    63,
    64,
    1e300,
    2 ** 31,
    "",
    " ",
    "x",
    "a b",
    "a\0b",
    "1.0.0",
    "01.0.0",
    "1.0.0-rc.01",
  ],
  ...[
    "5m",
    "5 m",
    "0s",
    "9".repeat(12),
    "999999999d",
    "1.5h",
    "LOW",
    "RISK_TIER_LOW",
    "RISK_TIER_HIGH",
    "stdin",
    "**",
    "a/**",
  ],
  ...[
    "**/*.token",
    "x".repeat(257),
    "x".repeat(5_000),
    "😀".repeat(200),
    [],
    [null],
    [1],
    ["x"],
    [["x"]],
    {},
    { x: 1 },
  ],
  ...[Array(300).fill("x"), { "a-b": "c" }],
];

/** The document with one thing in it left out, made something else, or added. */
function* mutations(value: unknown): Generator<unknown> {
  yield* otherValues;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield value.toSpliced(index, 1);
      for (const changed of mutations(item)) yield value.with(index, changed);
    }
  } else if (typeof value === "object" && value !== null) {
    yield { ...value, surprise: 1 };
    for (const [key, member] of Object.entries(value)) {
      const { [key]: _, ...rest } = value as Record<string, unknown>;
      yield rest;
      yield { ...rest, [`${key}s`]: member };
      for (const changed of mutations(member)) yield { ...rest, [key]: changed };
    }
  }
}

/** Whatever the reader takes, the hub can redact by. */
function makesRedactor(content: unknown): boolean {
  const reading = readRedactionPolicy(content);
  return reading.ok && createRedactor({ policy: reading.policy }).ok;
}

describe("the JSON Schemas of the configuration", () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });

  it.each(examples.map(([kind, document], index) => ({ kind, document, index })))(
    "[DIS-01] [DIS-04] [PIP-01] [OBS-05] refuses what the hub refuses, and nothing else: $kind ($index)",
    ({ kind, document }) => {
      const isValid = ajv.compile({
        ...JSON.parse(file(`../../schemas/${kind}.schema.json`)),
        $id: `${kind}-${Math.random()}`,
      });
      expect(isValid(document), JSON.stringify(isValid.errors)).toBe(true);
      let tried = 0;
      for (const changed of mutations(document)) {
        const reading = readers[kind](changed);
        const { problems = [] } = reading;
        if (kind === "redaction-policy" && reading.ok) expect(makesRedactor(changed)).toBe(true);
        const formIsWrong = problems.some(({ code }) => code === "BATON-CONFIG-001");
        const isRefused = !isValid(changed);
        if (isRefused !== formIsWrong) {
          expect({ changed, isRefused, errors: isValid.errors }).toEqual({
            changed,
            isRefused: formIsWrong,
            problems,
          });
        }
        tried += 1;
      }
      expect(tried).toBeGreaterThan(500);
    },
  );
});
