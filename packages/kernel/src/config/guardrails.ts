import {
  type AnswerPart,
  answerParts,
  type Guardrail,
  type GuardrailCheck,
  type GuardrailPolicy,
  guardrailLimits,
  type PersonalKind,
  personalKinds,
} from "../guardrails/policy.ts";
import type { Problem } from "../problem.ts";
import { commandLimits } from "./command-agent.ts";
import { fields, list, optional, required, type ValuesOf } from "./lists-and-fields.ts";
import { checkName, Reading } from "./reading.ts";
import { choice, flag, positiveDuration, text, whole } from "./shape.ts";

type GuardrailsReading =
  | { readonly ok: true; readonly guardrails: GuardrailPolicy }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const {
  rules: maxRules,
  nameChars,
  phrases: maxPhrases,
  phraseChars,
  scope: maxScope,
  timeoutMs,
} = guardrailLimits;

const checkNames = ["secrets", "personal_data", "banned_phrases", "size", "command"] as const;
type CheckName = (typeof checkNames)[number];

const oneOf = <Name extends string>(what: string, names: readonly Name[]) =>
  choice(what, Object.fromEntries(names.map((name) => [name, name])) as Record<Name, Name>, names[0] as Name);

const names = (what: string) =>
  optional(
    list(text(), { least: 1, most: maxScope, example: "- name" }),
    `Only answers of these ${what}. All if left out.`,
  );

const ruleFields = {
  name: required(text({ most: nameChars }), "Its name in verdicts and in the audit record."),
  check: required(oneOf("a check", checkNames), "What it looks for, or `command` for a program of yours."),
  parts: optional(
    list(oneOf("a part of an answer", answerParts), {
      least: 1,
      most: answerParts.length,
      example: "- message",
    }),
    "The parts of an answer that it reads: message, thought, data, summary (the result's own, with the reason of a failure) and context (what is left for later stages). All if left out. A command always reads all.",
  ),
  kinds: optional(
    list(oneOf("a kind of personal data", Object.keys(personalKinds) as PersonalKind[]), {
      least: 1,
      most: 10,
      example: "- email",
    }),
    "For personal_data: the kinds to look for. All if left out.",
  ),
  phrases: optional(
    list(text({ most: phraseChars, pattern: /\S/u, must: "be a text with more than white space" }), {
      ...{ least: 1, most: maxPhrases, example: "- some words" },
    }),
    "For banned_phrases: whole words, whatever their case and white space.",
  ),
  max_chars: optional(
    whole(0),
    "For size: characters of the largest part; of data and context, those of their JSON.",
  ),
  run: optional(
    list(
      text({ least: 0, most: commandLimits.argLength, pattern: /^[^\0]*$/, must: "be a text without NUL" }),
      {
        ...{ least: 1, most: commandLimits.args, example: 'run: ["node", "{config}/check.mjs"]' },
      },
    ),
    "For command: the program and its arguments, as a list: no shell reads it. It receives the answer as JSON on standard input. Exit code 0 passes it, 1 blocks it with what was printed, and any other blocks it as a fault. {config} is the folder of this file.",
  ),
  timeout: optional(
    positiveDuration,
    "For command: how long it may take, up to 10m; being late blocks the answer. 30s if left out.",
  ),
  packs: names("packs"),
  stages: names("stages or nodes of workflows, by their ids"),
  task_types: names("types of tasks"),
  templates: names("templates or workflows"),
};

const rule = fields(ruleFields, "Guardrail");

const policyShape = fields({
  redact_failures: optional(
    flag,
    "Whether sensitive texts are masked in the message of a failure, those of its data included. Its data stays for conditions and later stages.",
    true,
  ),
  rules: optional(list(rule, { most: maxRules }), "Checked in this order, up to the first that blocks.", []),
});

/** `config/guardrails.yaml` (SACP §9.1). */
export const guardrailsShape = fields(
  {
    guardrails: required(
      policyShape,
      "What is checked of each answer before the next agent or a person sees it.",
    ),
  },
  "Guardrails",
);

/** The field that each check needs, and those that it takes. */
const ownFields: Readonly<
  Record<
    CheckName,
    readonly [needed: keyof typeof ruleFields | undefined, ...more: (keyof typeof ruleFields)[]]
  >
> = {
  secrets: [undefined],
  personal_data: [undefined, "kinds"],
  banned_phrases: ["phrases"],
  size: ["max_chars"],
  command: ["run", "timeout"],
};
const special = ["kinds", "phrases", "max_chars", "run", "timeout"] as const;

export function readGuardrails(content: unknown): GuardrailsReading {
  const file = new Reading(content);
  const { redact_failures: redactFailures, rules } = guardrailsShape.read(file).guardrails;
  const at = file.at("guardrails").at("rules").items();
  const seen = new Set<string>();
  const read = rules.map((given, index) => {
    const reading = at[index] ?? file.withoutReporting({});
    checkRule(given, reading);
    if (seen.has(given.name))
      reading.at("name").reportInconsistent("is the name of another guardrail", "choose another name");
    seen.add(given.name);
    return buildRule(given);
  });
  if (file.problems.length > 0) return { ok: false, problems: file.problems };
  return { ok: true, guardrails: { redactFailures, rules: read } };
}

function checkRule(given: ValuesOf<typeof ruleFields>, reading: Reading): void {
  checkName(reading.at("name"), given.name);
  const [needed, ...more] = ownFields[given.check];
  if (needed !== undefined && given[needed] === undefined)
    reading.reportInconsistent(
      `says nothing of ${needed}, which check: ${given.check} needs`,
      `add ${needed}`,
    );
  for (const field of special)
    if (given[field] !== undefined && field !== needed && !more.includes(field))
      reading.at(field).reportInconsistent(`is not for check: ${given.check}`, "leave it out");
  if (given.check === "command" && given.parts !== undefined)
    reading
      .at("parts")
      .reportInconsistent("is not for check: command, which reads all parts", "leave it out");
  if (given.timeout !== undefined && given.timeout > timeoutMs)
    reading.at("timeout").reportInconsistent("must be at most 10m", "write it such as 30s");
  if (given.run?.[0] === "")
    reading.at("run").reportInconsistent("names no program", 'write it as ["program", "argument"]');
}

function buildRule(given: ValuesOf<typeof ruleFields>): Guardrail {
  const { name, packs, stages, task_types: taskTypes, templates } = given;
  const parts: readonly AnswerPart[] = given.parts ?? answerParts;
  return { name, check: buildCheck(given), parts, scope: { packs, stages, taskTypes, templates } };
}

function buildCheck(given: ValuesOf<typeof ruleFields>): GuardrailCheck {
  const { check: kind, kinds, phrases = [], max_chars: maxChars = 0, run = [], timeout } = given;
  switch (kind) {
    case "secrets":
      return { kind };
    case "personal_data":
      return { kind, kinds: kinds ?? (Object.keys(personalKinds) as PersonalKind[]) };
    case "banned_phrases":
      return { kind, phrases };
    case "size":
      return { kind, maxChars };
    case "command":
      return { kind, run, timeoutMs: timeout ?? guardrailLimits.defaultTimeoutMs };
  }
}
