import { type CheckRule, type ConstitutionCheck, governanceLimits } from "../../governance/constitution.ts";
import { compileRule, readsOutput } from "../../governance/run-check.ts";
import { guardrailLimits, type PersonalKind, personalKinds } from "../../guardrails/policy.ts";
import { checkJsonSchema } from "../../json-schema/check-schema.ts";
import { commandLimits } from "../command-agent.ts";
import { fields, list, optional, required, type ValuesOf } from "../lists-and-fields.ts";
import { checkName, type Reading } from "../reading.ts";
import { anyMapping, choice, flag, positiveDuration, text, whole } from "../shape.ts";

const detectors = ["secrets", "personal_data", "banned_phrases", "citations"] as const;
const subjects = { task: "task", output: "output", both: "both" } as const;

export const checkFields = {
  name: required(text({ most: guardrailLimits.nameChars }), "Its name in findings, unique within the file."),
  on: optional(
    choice("a subject of a check", subjects, "output" as "task" | "output" | "both"),
    "What it reads: the `task` before it is sent, the `output` before anybody sees it, or `both`. If left out, a rule reads the output if it names it, detectors read both, and the others the output.",
  ),
  cel: optional(
    text({ most: 4096 }),
    "A CEL rule over `task`, `output` and `meta` that is true when the check holds.",
  ),
  schema: optional(
    anyMapping(),
    "A JSON Schema of the data of the answer; with on: task, of the inputs of the task.",
  ),
  detect: optional(
    choice(
      "a detector",
      Object.fromEntries(detectors.map((name) => [name, name])) as Record<
        (typeof detectors)[number],
        (typeof detectors)[number]
      >,
      detectors[0] as (typeof detectors)[number],
    ),
    "A detector: secrets, personal_data, banned_phrases or citations.",
  ),
  kinds: optional(
    list(
      choice(
        "a kind of personal data",
        Object.fromEntries(Object.keys(personalKinds).map((name) => [name, name])) as Record<
          PersonalKind,
          PersonalKind
        >,
        "email" as PersonalKind,
      ),
      { least: 1, most: 10, example: "- email" },
    ),
    "For personal_data: the kinds to look for. All if left out.",
  ),
  phrases: optional(
    list(
      text({
        most: guardrailLimits.phraseChars,
        pattern: /\S/u,
        must: "be a text with more than white space",
      }),
      {
        ...{ least: 1, most: guardrailLimits.phrases, example: "- some words" },
      },
    ),
    "For banned_phrases: whole words, whatever their case and white space.",
  ),
  least: optional(
    whole(1, governanceLimits.citations),
    "For citations: how many are required. 1 if left out.",
  ),
  sources: optional(
    list(text({ most: 2_048 }), { least: 1, most: governanceLimits.scope, example: '- "https://"' }),
    "For citations: how one begins to count. All if left out.",
  ),
  run: optional(
    list(
      text({ least: 0, most: commandLimits.argLength, pattern: /^[^\0]*$/, must: "be a text without NUL" }),
      {
        ...{ least: 1, most: commandLimits.args, example: 'run: ["node", "{config}/check.mjs"]' },
      },
    ),
    "A program and its arguments, as a list: no shell reads it. It receives task, output and meta as JSON on standard input. Exit code 0 holds, 1 is a violation with what was printed, and any other asks a person. {config} is the folder of this file.",
  ),
  timeout: optional(
    positiveDuration,
    "For run: how long it may take, up to 10m; being late asks a person. 30s if left out.",
  ),
  consult: optional(flag, "Asks an agent by the consultation capability, whatever level the task declares."),
  message: optional(text({ most: guardrailLimits.reasonChars }), "What is said when it does not hold."),
};

type Given = ValuesOf<typeof checkFields>;
type Name = keyof typeof checkFields;

export const checkShape = fields(checkFields, "Check");

const kinds = ["cel", "schema", "detect", "run", "consult"] as const;
const details: Readonly<Record<string, readonly Name[]>> = {
  run: ["timeout"],
  personal_data: ["kinds"],
  banned_phrases: ["phrases"],
  citations: ["least", "sources"],
};

/** A check, with every problem that no shape finds. */
export function buildCheck(given: Given, reading: Reading): ConstitutionCheck {
  checkName(reading.at("name"), given.name);
  const stated = kinds.filter((kind) => given[kind] !== undefined && given[kind] !== false);
  if (stated.length !== 1)
    reading.reportInconsistent(
      stated.length === 0 ? "says nothing to check" : `says more than one: ${stated.join(", ")}`,
      "write exactly one of cel, schema, detect, run or consult: true",
    );
  const kind = given.detect ?? stated[0] ?? "";
  for (const name of ["kinds", "phrases", "least", "sources", "timeout"] as const)
    if (given[name] !== undefined && !details[kind]?.includes(name))
      reading.at(name).reportInconsistent(`is not for ${kind || "this check"}`, "leave it out");
  if (kind === "banned_phrases" && given.phrases === undefined)
    reading.reportInconsistent("says nothing of phrases, which banned_phrases needs", "add phrases");
  if (given.timeout !== undefined && given.timeout > governanceLimits.timeoutMs)
    reading.at("timeout").reportInconsistent("must be at most 10m", "write it such as 30s");
  if (given.run?.[0] === "")
    reading.at("run").reportInconsistent("names no program", 'write it as ["program", "argument"]');
  const rule = ruleOf(given, reading);
  return { name: given.name, on: subjectOf(given, rule, reading), rule, message: given.message ?? "" };
}

function ruleOf(given: Given, reading: Reading): CheckRule {
  const { cel, schema, detect, run, timeout } = given;
  if (cel !== undefined) return { kind: "cel", source: cel };
  if (schema !== undefined) {
    for (const { path, message } of checkJsonSchema(schema).slice(0, 20))
      reading
        .at("schema")
        .reportInconsistent(`${path} ${message}`.trim(), "write a JSON Schema that can be satisfied");
    return { kind: "schema", schema: schema as Extract<CheckRule, { kind: "schema" }>["schema"] };
  }
  if (run !== undefined)
    return { kind: "command", run, timeoutMs: timeout ?? governanceLimits.defaultTimeoutMs };
  switch (detect) {
    case "secrets":
      return { kind: "secrets" };
    case "personal_data":
      return { kind: "personal_data", kinds: given.kinds ?? (Object.keys(personalKinds) as PersonalKind[]) };
    case "banned_phrases":
      return { kind: "banned_phrases", phrases: given.phrases ?? [] };
    case "citations":
      return { kind: "citations", least: given.least ?? 1, sources: given.sources ?? [] };
    default:
      return { kind: "consultation" };
  }
}

function subjectOf(given: Given, rule: CheckRule, reading: Reading): ConstitutionCheck["on"] {
  const { on } = given;
  const refuse = (why: string, fix: string) => reading.at("on").reportInconsistent(why, fix);
  switch (rule.kind) {
    case "cel": {
      const compiled = compileRule(rule.source);
      if (!compiled.ok) {
        const { message, fix, position } = compiled.problem;
        const where = position ? ` (line ${position.line}, column ${position.column} of the rule)` : "";
        reading.at("cel").reportInconsistent(`${message}${where}`, fix);
        return "output";
      }
      const reads = readsOutput(compiled.condition);
      if (reads && on !== undefined && on !== "output")
        refuse("is not for a rule that reads the output", "write on: output, or leave it out");
      return on ?? (reads ? "output" : "task");
    }
    case "citations":
    case "consultation":
      if (on !== undefined && on !== "output") refuse("is about the output only", "leave it out");
      return "output";
    case "schema":
      if (on === "both") refuse("is one of both for a schema", "write on: task or on: output");
      return on ?? "output";
    case "command":
      return on ?? "output";
    default:
      return on ?? "both";
  }
}
