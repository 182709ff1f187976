import { describe, expect, it } from "vitest";
import { checkProject } from "./check-project.ts";
import { describeChanges } from "./describe-changes.ts";
import { readProfessionPack } from "./profession-pack.ts";
import { readRoutingPolicy } from "./routing-policy.ts";
import { readTemplates } from "./templates.ts";

const good = <Result extends { ok: boolean }>(result: Result): Extract<Result, { ok: true }> => {
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result as Extract<Result, { ok: true }>;
};
const policyOf = (routes: readonly object[], more: object = {}) =>
  good(readRoutingPolicy({ routing_policy: { version: "1", routes, ...more } })).policy;
const templatesOf = (...task_types: string[]) => {
  const stages = task_types.map((task_type, index) => ({ stage_id: `s${index}`, task_type }));
  const templates = [{ template_id: "work", stages }];
  return good(readTemplates({ pipeline_templates: { version: "1", templates } })).templates;
};
const packOf = (pack_id: string, more: object = {}) =>
  good(
    readProfessionPack({
      profession_pack: { pack_id, pack_version: "1.0.0", supported_task_types: ["code"], ...more },
    }),
  ).pack;

const route = { task_type: "code", allowed_pack_ids: ["dev"] };
const check = (files: Parameters<typeof checkProject>[0]) =>
  checkProject(files, "0.1.0").map(
    ({ severity, file, at, message }) => `${severity} ${file} ${at}: ${message}`,
  );

describe("files that belong together", () => {
  it("[DIS-04] go together when every name leads somewhere", () => {
    expect(
      check({ policy: policyOf([route]), templates: templatesOf("code"), packs: [packOf("dev")] }),
    ).toEqual([]);
  });

  it("[DIS-04] warns of packs that nobody defines, and names the known ones", () => {
    const policy = policyOf([{ ...route, allowed_pack_ids: ["dev", "qa"], fallback_pack_id: "x" }], {
      defaults: { fallback_pack_id: "y" },
    });
    const findings = checkProject({ policy, packs: [packOf("dev")] }, "0.1.0");
    expect(findings.map(({ severity, at, message }) => `${severity} ${at}: ${message}`)).toEqual([
      'warning routing_policy.routes[0].allowed_pack_ids[1]: no file defines pack "qa"',
      'warning routing_policy.routes[0].fallback_pack_id: no file defines pack "x"',
      'warning routing_policy.defaults.fallback_pack_id: no file defines pack "y"',
    ]);
    expect(findings[0]?.fix).toContain("known packs: dev");
  });

  it("[DIS-04] warns of packs that may not, or do not, take what the route gives them", () => {
    const routes = [{ ...route, min_risk_tier: "CRITICAL", fallback_pack_id: "qa" }];
    const packs = [
      packOf("dev"),
      packOf("qa", { supported_task_types: ["review"], safety_tier: "CRITICAL" }),
    ];
    expect(check({ policy: policyOf(routes), packs })).toEqual([
      'warning routing-policy routing_policy.routes[0].allowed_pack_ids[0]: pack "dev" is not trusted with CRITICAL tasks',
      'warning routing-policy routing_policy.routes[0].fallback_pack_id: pack "qa" does not do "code", but review',
    ]);
  });

  it("[DIS-04] warns of a pack that no route names, unless routes could not be read", () => {
    const packs = [packOf("dev"), packOf("qa"), packOf("ops"), packOf("idle")];
    const routes = [{ ...route, fallback_pack_id: "qa" }];
    const policy = policyOf(routes, { defaults: { fallback_pack_id: "ops" } });
    expect(check({ policy, packs }).filter((line) => line.includes("no route"))).toEqual([
      'warning 3 profession_pack.pack_id: no route of the routing policy names pack "idle", so it gets no task',
    ]);
    expect(check({ policy, packs, policyIsPartial: true })).toEqual([]);
    expect(check({ packs })).toEqual([]);
  });

  it("[DIS-04] does not say of a pack whose file is wrong that nobody defines it", () => {
    const policy = policyOf([route], { defaults: { fallback_pack_id: "qa" } });
    expect(check({ policy, packs: [], unread: ["dev", "qa"] })).toEqual([]);
  });

  it("[PIP-01] warns of a stage whose type of task has no route", () => {
    expect(
      check({ policy: policyOf([route]), templates: templatesOf("code", "review"), packs: [packOf("dev")] }),
    ).toEqual([
      'warning pipeline-templates pipeline_templates.templates[0].stages[1].task_type: the routing policy has no route for "review", so a person is asked',
    ]);
    expect(check({ templates: templatesOf("review"), packs: [] })).toEqual([]);
  });

  it("[DIS-01] refuses a pack that is there twice, and one that is for another hub", () => {
    const later = packOf("dev", { pack_version: "1.1.0" });
    expect(check({ packs: [packOf("dev"), later] })).toEqual([]);
    expect(check({ packs: [packOf("dev"), later, packOf("dev")] })).toEqual([
      'error 2 profession_pack.pack_id: version 1.0.0 of pack "dev" is in another file too',
    ]);
    expect(check({ packs: [packOf("dev", { min_orchestrator_version: "9.0.0" })] })[0]).toMatch(
      /^error 0 profession_pack.min_orchestrator_version: the pack needs orchestrator 9.0.0/,
    );
  });
});

describe("what became different", () => {
  const before = {
    policy: policyOf([route, { ...route, task_type: "review" }]),
    templates: templatesOf("code"),
    redaction: undefined,
    guardrails: undefined,
    packs: [packOf("dev")],
  };

  it("[DIS-04] is nothing when the files mean the same", () => {
    const again = {
      ...before,
      policy: policyOf([route, { ...route, task_type: "review" }]),
      packs: [packOf("dev")],
    };
    expect(describeChanges(before, again)).toEqual([]);
  });

  it("[DIS-04] [PIP-01] [DIS-01] is one line per change", () => {
    const after = {
      policy: policyOf(
        [
          { ...route, allowed_pack_ids: ["dev", "qa"] },
          { ...route, task_type: "docs" },
        ],
        {
          version: "2",
          admission: { max_per_pack_concurrent: 9 },
        },
      ),
      templates: new Map([
        ...templatesOf("code", "docs"),
        ["more", [...templatesOf("code").values()][0]],
      ]) as typeof before.templates,
      redaction: { alwaysRedact: ["a"], conditionalRedact: [] },
      guardrails: undefined,
      packs: [packOf("dev"), packOf("qa")],
    };
    expect(describeChanges(before, after)).toEqual([
      "routing policy 1 became 2",
      'route "docs" added',
      'route "review" removed',
      'route "code" changed',
      "admission changed",
      'template "more" added',
      'template "work" changed',
      "redaction policy changed",
      'pack "qa 1.0.0" added',
    ]);
  });
});
