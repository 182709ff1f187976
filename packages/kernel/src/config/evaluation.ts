import { BudgetSchema } from "@baton/contract";
import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import {
  type Check,
  type Evaluation,
  type EvaluationCase,
  type ExpectedEnd,
  evaluationLimits,
} from "../evaluation/evaluation.ts";
import { checkJsonSchema } from "../json-schema/check-schema.ts";
import type { Problem } from "../problem.ts";
import { fields, list, optional, required, type ValuesOf } from "./lists-and-fields.ts";
import { messageShape } from "./message-shape.ts";
import { Reading } from "./reading.ts";
import { anyMapping, choice, number, positiveDuration, text, whole } from "./shape.ts";

type EvaluationReading =
  | { readonly ok: true; readonly evaluation: Evaluation }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const {
  cases: maxCases,
  checks: maxChecks,
  repeat,
  concurrency,
  timeoutMs,
  criteriaChars,
} = evaluationLimits;

/** A name that fits into a label of a run. */
const name = text({
  most: 63,
  pattern: /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/,
  must: "be a name: letters, digits, hyphens, underscores and dots",
  fix: "write it such as find-the-email",
});

const ends: Readonly<Record<ExpectedEnd, ExpectedEnd>> = {
  completed: "completed",
  failed: "failed",
  waiting: "waiting",
};

const checkFields = {
  id: required(name, "Its name in the result."),
  schema: optional(anyMapping(), "A JSON Schema that the data of the answer has to satisfy."),
  condition: optional(
    text({ most: 4_096 }),
    "CEL that has to be true, over `response`, the answer of the workflow, and over its nodes.",
  ),
  grader: optional(
    fields({
      task_type: required(text(), "The type of task that the grader does."),
      criteria: required(text({ most: criteriaChars }), "What the answer has to fulfil."),
    }),
    "An agent that grades the answer. It receives the inputs `criteria`, `task` and `answer`, and answers with `data.pass`, true or false, and `data.reason`.",
  ),
  node: optional(
    text(),
    "The node whose answer the schema or the grader checks. The answer of the workflow if left out.",
  ),
};

const checksField = (doc: string) =>
  optional(list(fields(checkFields, "Check"), { most: maxChecks }), doc, []);

const caseFields = {
  id: required(name, "Its name in the result."),
  title: optional(text(), "The task in one line. The id if left out."),
  accept: optional(
    list(text(), { least: 1, most: 100, example: "- it is done" }),
    "Acceptance criteria of the task. Those of the evaluation if left out.",
  ),
  inputs: optional(anyMapping(), "The inputs of the run.", {}),
  ends: optional(
    choice("an end", ends, "completed"),
    "How the run has to end: completed, failed, or waiting for a person. completed if left out.",
    "completed" as const,
  ),
  checks: checksField("Checks of this case, besides those of the evaluation."),
};

const evaluationFields = {
  name: required(name, "What the results are listed under."),
  workflow: required(text(), "The workflow or template that is evaluated."),
  repeat: optional(whole(1, repeat), "How often each case is run. Once if left out.", 1),
  concurrency: optional(whole(1, concurrency), "How many runs go on at once. 4 if left out.", 4),
  timeout: optional(
    positiveDuration,
    "How long a run may take before it is aborted, up to 1d. 10m if left out.",
  ),
  budget: optional(messageShape(BudgetSchema), "What each run may spend."),
  pass_rate: optional(
    number({ least: 0, most: 1 }),
    "The part of the runs that has to pass, from 0 to 1. 1 if left out: all.",
    1,
  ),
  accept: optional(
    list(text(), { least: 1, most: 100, example: "- it is done" }),
    "Acceptance criteria of each task.",
  ),
  checks: checksField("Checks of every case that has to complete."),
  cases: required(
    list(fields(caseFields, "Case"), { least: 1, most: maxCases, example: "- id: first" }),
    "The inputs that the workflow is run with.",
  ),
};

/** `evals/NAME.yaml`. */
export const evaluationShape = fields(
  { eval: required(fields(evaluationFields), "Inputs with checks, run over a workflow.") },
  "Evaluation",
);

const defaultTimeoutMs = 10 * 60_000;

/** Reads the content of the file. Conditions are compiled for the nodes of the workflow by `compileChecks`. */
export function readEvaluation(content: unknown): EvaluationReading {
  const file = new Reading(content);
  const given = evaluationShape.read(file).eval;
  const root = file.at("eval");
  const common = makeChecks(given.checks, root.at("checks"));
  const items = root.at("cases").items();
  const cases = given.cases.map((one, index) =>
    makeCase(one, items[index] ?? file.withoutReporting({}), given.accept ?? []),
  );
  refuseTwice(cases, root.at("cases"), "case");
  const commonIds = new Set(common.map(({ id }) => id));
  for (const [index, { checks }] of cases.entries())
    for (const [at, { id }] of checks.entries())
      if (commonIds.has(id))
        items[index]
          ?.at("checks")
          .items()
          [at]?.at("id")
          .reportInconsistent("is the id of a check of every case", "choose another id");
  if ((given.timeout ?? 0) > timeoutMs)
    root.at("timeout").reportInconsistent("must be at most 1d", "write it such as 10m");
  if (file.problems.length > 0) return { ok: false, problems: file.problems };
  const evaluation: Evaluation = {
    ...{ name: given.name, workflow: given.workflow, repeat: given.repeat, concurrency: given.concurrency },
    ...{ timeoutMs: given.timeout ?? defaultTimeoutMs, passRate: given.pass_rate, checks: common, cases },
    budget: given.budget as MessageInitShape<typeof BudgetSchema> | undefined,
  };
  return { ok: true, evaluation };
}

function makeCase(
  { id, title, accept, inputs, ends: end, checks }: ValuesOf<typeof caseFields>,
  reading: Reading,
  common: readonly string[],
): EvaluationCase {
  return {
    ...{ id, title: title ?? id, accept: accept ?? common, inputs: (inputs ?? {}) as JsonObject, ends: end },
    checks: makeChecks(checks, reading.at("checks")),
  };
}

function makeChecks(given: readonly ValuesOf<typeof checkFields>[], reading: Reading): readonly Check[] {
  const items = reading.items();
  const checks = given.map((one, index) => makeCheck(one, items[index] ?? reading.withoutReporting({})));
  refuseTwice(checks, reading, "check");
  return checks;
}

function refuseTwice(found: readonly { readonly id: string }[], reading: Reading, what: string): void {
  const seen = new Set<string>();
  for (const [index, { id }] of found.entries()) {
    if (seen.has(id) && id !== "")
      reading
        .items()
        [index]?.at("id")
        .reportInconsistent(`is the id of another ${what}`, "choose another id");
    seen.add(id);
  }
}

function makeCheck(given: ValuesOf<typeof checkFields>, reading: Reading): Check {
  const { id, schema, condition, grader, node } = given;
  const kinds = [schema, condition, grader].filter((one) => one !== undefined);
  if (kinds.length !== 1 && reading.isPresent)
    reading.reportInconsistent(
      kinds.length === 0 ? "checks nothing" : "checks several things",
      "give it one of schema, condition and grader",
    );
  for (const { path, message } of schema ? checkJsonSchema(schema) : [])
    reading.at(`schema${path}`).reportInconsistent(message, "write a JSON Schema that an answer can satisfy");
  if (condition !== undefined) {
    if (node !== undefined)
      reading
        .at("node")
        .reportInconsistent("is not for a condition, which names nodes itself", "leave it out");
    return { kind: "condition", id, source: condition };
  }
  if (grader) return { kind: "grader", id, node, taskType: grader.task_type, criteria: grader.criteria };
  return { kind: "schema", id, node, schema: (schema ?? {}) as JsonObject };
}
