import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type Condition, compileCondition, evaluateCondition } from "../graph/cel/condition.ts";
import { type AnswerText, walk } from "../guardrails/answer.ts";
import { findInTexts } from "../guardrails/built-in.ts";
import { validateValue } from "../json-schema/validate-value.ts";
import type { Redactor } from "../trust/redaction/redactor.ts";
import { type CheckRule, governanceLimits } from "./constitution.ts";
import type { SelectedCheck } from "./select.ts";

/** What checks read. `output` is absent before dispatch. */
export interface AlignmentValues {
  readonly task: JsonObject;
  readonly output?: JsonObject | undefined;
  readonly meta: JsonObject;
}

/** What a check found. The notes never repeat what was found. */
export interface RuleFinding {
  readonly status: "PASS" | "FAIL" | "ESCALATE";
  readonly notes: string;
  readonly path: string;
}

export type PureRule = Exclude<CheckRule, { kind: "command" | "consultation" }>;

const holds: RuleFinding = { status: "PASS", notes: "", path: "" };

/** Runs a check piece by piece: the caller decides between two pieces whether others have a turn. */
export function* runCheck(
  { rule, on, message }: Pick<SelectedCheck, "on" | "message"> & { readonly rule: PureRule },
  values: AlignmentValues,
  redactor: Pick<Redactor, "redactText">,
): Generator<undefined, RuleFinding> {
  const finding = yield* findingOf(rule, on, values, redactor);
  return finding.status === "FAIL" && message !== "" ? { ...finding, notes: message } : finding;
}

function* findingOf(
  rule: PureRule,
  on: SelectedCheck["on"],
  values: AlignmentValues,
  redactor: Pick<Redactor, "redactText">,
): Generator<undefined, RuleFinding> {
  switch (rule.kind) {
    case "cel":
      return runRule(rule.source, values);
    case "schema":
      return runSchema(rule.schema, on, values);
    case "citations":
      return runCitations(rule, values);
    default: {
      const texts = textsOf(on, values);
      const found = yield* findInTexts(rule, texts, redactor);
      return found ? { status: "FAIL", notes: found.reason, path: found.path } : holds;
    }
  }
}

/** The answer where there is one, else the task. */
function subjectOf({ task, output }: AlignmentValues): readonly [path: string, value: JsonObject] {
  return output ? ["output", output] : ["task", task];
}

function* textsOf(on: SelectedCheck["on"], values: AlignmentValues): Iterable<AnswerText> {
  const [path, value] = on === "task" ? (["task", values.task] as const) : subjectOf(values);
  yield* walk(path, value);
}

function runRule(source: string, values: AlignmentValues): RuleFinding {
  const rule = compileRule(source);
  if (!rule.ok) return { status: "ESCALATE", notes: rule.problem.message, path: "" };
  const known: Record<string, JsonValue> = { task: values.task, meta: values.meta };
  if (values.output) known.output = values.output;
  const truth = evaluateCondition(rule.condition, { nodes: new Map(), values: known });
  if (truth.kind === "true") return holds;
  if (truth.kind === "false") return { status: "FAIL", notes: "the rule is false", path: "" };
  return { status: "ESCALATE", notes: `the rule cannot be evaluated: ${truth.reason}`, path: "" };
}

const compiled = new Map<string, ReturnType<typeof compileCondition>>();

/** Compiles a rule over `task`, `output` and `meta`. The last ones are kept: planning takes longer than evaluating. */
export function compileRule(source: string): ReturnType<typeof compileCondition> {
  const known = compiled.get(source);
  if (known) return known;
  const made = compileCondition(source, { nodes: [], values: ["task", "output", "meta"] });
  if (compiled.size >= 2 * governanceLimits.checks) compiled.clear();
  compiled.set(source, made);
  return made;
}

export function readsOutput({ values }: Pick<Condition, "values">): boolean {
  return values.includes("output");
}

function runSchema(schema: JsonObject, on: SelectedCheck["on"], values: AlignmentValues): RuleFinding {
  const isOutput = values.output !== undefined && on !== "task";
  const value = isOutput ? values.output?.data : values.task.payload;
  const [first, ...others] = validateValue(schema, value);
  if (!first) return holds;
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  const path = `${isOutput ? "output.data" : "task.payload"}${first.path}`;
  // A value that takes too long to check has not been checked.
  if (first.rule === "limit") return { status: "ESCALATE", notes: first.message, path };
  return { status: "FAIL", notes: `${first.rule}: ${first.message}${more}`, path };
}

function runCitations(
  { least, sources }: Extract<CheckRule, { kind: "citations" }>,
  { output }: AlignmentValues,
): RuleFinding {
  const given = Array.isArray(output?.citations) ? output.citations : [];
  const counts = given.filter(
    (one) =>
      typeof one === "string" && (sources.length === 0 || sources.some((source) => one.startsWith(source))),
  );
  if (counts.length >= least) return holds;
  const from = sources.length > 0 ? ` from ${sources.join(", ")}` : "";
  return {
    status: "FAIL",
    notes: `cites ${counts.length} sources${from}, and ${least} ${least === 1 ? "is" : "are"} required`,
    path: "output.data.citations",
  };
}
