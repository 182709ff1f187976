import {
  type Constitution,
  type Constraint,
  governanceLimits,
  type IssuerGrant,
  type LevelName,
  levelNames,
  type Principle,
  type Severity,
  severities,
} from "../../governance/constitution.ts";
import { refusePattern } from "../../json-schema/pattern.ts";
import type { Problem } from "../../problem.ts";
import { fields, list, optional, required, type ValuesOf } from "../lists-and-fields.ts";
import { checkName, Reading } from "../reading.ts";
import { choice, flag, positiveDuration, text, whole } from "../shape.ts";
import { buildCheck, checkShape } from "./check-fields.ts";

type ConstitutionReading =
  | { readonly ok: true; readonly constitution: Constitution }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const limits = governanceLimits;

const named = <Name extends string>(what: string, names: readonly Name[]) =>
  choice(what, Object.fromEntries(names.map((name) => [name, name])) as Record<Name, Name>, names[0] as Name);

const patterns = (what: string) =>
  optional(
    list(text({ most: limits.nameChars }), { least: 1, most: limits.scope, example: '- "report.*"' }),
    `Only tasks of these ${what}; a name that ends with * stands for all that begin alike. All if left out.`,
  );

const scopeFields = {
  territories: patterns("territories"),
  capabilities: patterns("capabilities"),
};

const ruledFields = {
  ...scopeFields,
  description: optional(
    text({ most: limits.textChars }),
    "What it asks for, for people and for consulted agents.",
    "",
  ),
  always: optional(flag, "Whether it applies within its scope although the task does not name it.", false),
  severity: optional(named("a severity", severities), "How severe a violation is; medium if left out."),
  checks: optional(list(checkShape, { most: limits.checks }), "How it is checked.", []),
};

const thresholdsShape = fields({
  consulted: optional(whole(0, 100), "The pressure from which an agent is consulted."),
  deliberated: optional(whole(0, 100), "The pressure from which a quorum deliberates."),
});

const principleFields = {
  key: required(text({ most: limits.nameChars }), "Its key, as tasks name it."),
  pressure: optional(whole(0, 100), "The pressure where the task states none.", 0),
  thresholds: optional(
    thresholdsShape,
    "The pressure from which a level is needed, before the shift by risk tolerance.",
  ),
  ...ruledFields,
};

const constraintFields = {
  name: required(
    text({ most: limits.nameChars }),
    "Its name; a task names it, or uses words that a pattern recognises.",
  ),
  patterns: optional(
    list(text({ most: 1_000 }), { least: 1, most: limits.patterns, example: '- "(?i)no personal data"' }),
    "RE2 patterns that recognise it in the words of a task.",
  ),
  ...ruledFields,
};

const grantFields = {
  capabilities: required(
    list(text({ most: limits.nameChars }), { least: 1, most: limits.scope, example: '- "report.*"' }),
    "The capabilities that may be issued; * at the end stands for all that begin alike.",
  ),
  agent_ids: optional(
    list(text({ most: limits.nameChars }), { least: 1, most: limits.scope, example: "- planner" }),
    "By these issuers; * at the end stands for all that begin alike. All if left out.",
  ),
  kinds: optional(
    list(named("a kind of issuer", ["user", "system", "agent"]), { least: 1, most: 3, example: "- user" }),
    "By these kinds of issuers. All if left out.",
  ),
};

const bodyFields = {
  version: required(text({ most: limits.nameChars }), "Its version, for people; the digest identifies it."),
  description: optional(text({ most: limits.textChars }), "What it is for.", ""),
  unknown: optional(
    named("what to do about the unknown", ["ask", "allow"]),
    "What happens to a task that names a principle or constraint which is not in this file: a person is asked, or it is ignored. ask if left out.",
  ),
  issuers: optional(
    list(fields(grantFields, "Grant"), {
      least: 1,
      most: limits.issuers,
      example: '- capabilities: ["report.*"]',
    }),
    "Who may issue which capability; everything else is refused. Everyone may issue everything if left out.",
  ),
  levels: optional(
    list(
      fields(
        { level: required(named("a level", levelNames), "The least level."), ...scopeFields },
        "Least level",
      ),
      { most: limits.levels },
    ),
    "The least level of some tasks.",
    [],
  ),
  principles: optional(
    list(fields(principleFields, "Principle"), { most: limits.principles }),
    "What is valued.",
    [],
  ),
  constraints: optional(
    list(fields(constraintFields, "Constraint"), { most: limits.constraints }),
    "Hard rules.",
    [],
  ),
  consultation: optional(
    fields({
      capability: optional(
        text({ most: limits.nameChars }),
        "The task type by which agents are consulted.",
        "consult.align",
      ),
      timeout: optional(positiveDuration, "How long one consultation may take. 5m if left out."),
      quorum: optional(
        list(text({ most: limits.nameChars }), { least: 2, most: limits.quorum, example: "- ethics" }),
        "The packs that deliberate, one vote each. Without them a person decides.",
      ),
      rule: optional(
        named("a rule of a quorum", ["unanimous", "majority"]),
        "What makes a verdict: all votes alike, or more than half. unanimous if left out.",
      ),
    }),
    "How agents are consulted.",
  ),
};

/** `config/constitution.yaml` (SAP V2 §4.1). */
export const constitutionShape = fields(
  { constitution: required(fields(bodyFields), "What is asked of governed tasks and their answers.") },
  "Constitution",
);

/** The digest is that of the file. */
export function readConstitution(content: unknown, digest: string): ConstitutionReading {
  const file = new Reading(content);
  const { constitution: given } = constitutionShape.read(file);
  const body = file.at("constitution");
  const constitution: Constitution = {
    digest,
    version: given.version,
    description: given.description,
    asksAboutUnknown: given.unknown !== "allow",
    issuers: given.issuers?.map(({ capabilities, agent_ids: agentIds, kinds }) => ({
      ...{ capabilities, agentIds },
      kinds: kinds as IssuerGrant["kinds"],
    })),
    levels: given.levels as Constitution["levels"] & readonly { level: LevelName }[],
    principles: given.principles.map((one, index) => principleOf(one, itemOf(body, "principles", index))),
    constraints: given.constraints.map((one, index) => constraintOf(one, itemOf(body, "constraints", index))),
    consultation: {
      capability: given.consultation?.capability ?? "consult.align",
      timeoutMs: given.consultation?.timeout ?? limits.consultationTimeoutMs,
      packs: given.consultation?.quorum ?? [],
      quorumRule: given.consultation?.rule === "majority" ? "majority" : "unanimous",
    },
  };
  checkUnique(constitution, body);
  if (file.problems.length > 0) return { ok: false, problems: file.problems };
  return { ok: true, constitution };
}

function itemOf(body: Reading, name: string, index: number): Reading {
  return body.at(name).items()[index] ?? body.withoutReporting({});
}

type Ruled = ValuesOf<typeof ruledFields>;

function ruledOf(given: Ruled, reading: Reading) {
  const { territories, capabilities, description, always } = given;
  const at = reading.at("checks").items();
  const checks = given.checks.map((one, index) => buildCheck(one, at[index] ?? reading.withoutReporting({})));
  const severity: Severity = given.severity ?? "medium";
  return { territories, capabilities, description, always, severity, checks };
}

function principleOf(given: ValuesOf<typeof principleFields>, reading: Reading): Principle {
  checkName(reading.at("key"), given.key);
  const { consulted, deliberated } = given.thresholds ?? {};
  if (consulted !== undefined && deliberated !== undefined && deliberated < consulted)
    reading
      .at("thresholds")
      .at("deliberated")
      .reportInconsistent("is lower than consulted", "raise it, or lower consulted");
  return {
    key: given.key,
    pressure: given.pressure,
    thresholds: { consulted, deliberated },
    ...ruledOf(given, reading),
  };
}

function constraintOf(given: ValuesOf<typeof constraintFields>, reading: Reading): Constraint {
  checkName(reading.at("name"), given.name);
  const at = reading.at("patterns").items();
  for (const [index, pattern] of (given.patterns ?? []).entries()) {
    const why = refusePattern(pattern);
    if (why !== undefined) at[index]?.reportInconsistent(`is no pattern: ${why}`, "write it in RE2 syntax");
  }
  return { name: given.name, patterns: given.patterns ?? [], ...ruledOf(given, reading) };
}

/** Findings and counts name principles, constraints and checks. */
function checkUnique({ principles, constraints, consultation }: Constitution, body: Reading): void {
  const names = new Set<string>();
  const checks = new Set<string>();
  const visit = (list: string, field: string, items: readonly (Principle | Constraint)[]) => {
    for (const [index, item] of items.entries()) {
      const reading = itemOf(body, list, index);
      const name = "key" in item ? item.key : item.name;
      if (names.has(name)) reading.at(field).reportInconsistent("is used twice", "choose another name");
      names.add(name);
      const at = reading.at("checks").items();
      for (const [position, check] of item.checks.entries()) {
        if (checks.has(check.name))
          at[position]?.at("name").reportInconsistent("is the name of another check", "choose another name");
        checks.add(check.name);
      }
    }
  };
  visit("principles", "key", principles);
  visit("constraints", "name", constraints);
  const count = [...principles, ...constraints].reduce((sum, one) => sum + one.checks.length, 0);
  if (count > limits.checks)
    body.reportInconsistent(`has ${count} checks, which are more than ${limits.checks}`, "leave some out");
  const at = body.at("consultation").at("quorum").items();
  for (const [index, pack] of consultation.packs.entries())
    if (consultation.packs.indexOf(pack) < index)
      at[index]?.reportInconsistent("votes twice", "name distinct packs");
}
