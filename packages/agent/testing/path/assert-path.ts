import { AssertionError } from "node:assert";
import { isDeepStrictEqual } from "node:util";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { RunPath, ToolUse } from "./path.ts";

/** What must be true of a path. What is left out is not checked. */
export interface ExpectedPath {
  readonly status?: string;
  /** All visited nodes in order. */
  readonly nodes?: readonly string[];
  /** Edges that were taken, as `from -> to`; others may be taken too. */
  readonly taken?: readonly string[];
  /** Edges that were considered and not taken. */
  readonly notTaken?: readonly string[];
  /** All tool calls in order: a name, or a name with a part of its arguments. */
  readonly tools?: readonly (string | ExpectedTool)[];
  /** All questions to people in order: a part of each. */
  readonly questions?: readonly (string | RegExp)[];
  /** Answers of nodes: a part of each. */
  readonly answers?: Readonly<Record<string, JsonObject>>;
  /** The most input and output tokens together. */
  readonly maxTokens?: number;
  /** The most US dollars. A cost that is partly unknown fails. */
  readonly maxCostUsd?: number;
}

export interface ExpectedTool {
  readonly tool: string;
  readonly node?: string;
  /** These arguments, among others. */
  readonly args?: JsonObject;
  readonly status?: ToolUse["status"];
}

/** Throws an `AssertionError` of `node:assert` that lists every difference. */
export function assertPath(path: RunPath, expected: ExpectedPath): void {
  const found = [...differences(path, expected)];
  if (found.length === 0) return;
  const run = path.runId === "" ? "the attempt" : `run ${path.runId}`;
  const message = [
    `the path of ${run} is not the expected one`,
    ...found.map(({ text }) => `- ${text}`),
  ].join("\n");
  const part = (side: "actual" | "wanted") => Object.fromEntries(found.map((one) => [one.what, one[side]]));
  throw new AssertionError({
    message,
    actual: part("actual"),
    expected: part("wanted"),
    operator: "assertPath",
  });
}

interface Difference {
  readonly what: string;
  readonly text: string;
  readonly actual: unknown;
  readonly wanted: unknown;
}

function* differences(path: RunPath, expected: ExpectedPath): Iterable<Difference> {
  const differ = (what: string, actual: unknown, wanted: unknown, problem = "expected"): Difference => ({
    ...{ what, actual, wanted },
    text: `${what}: ${problem} ${show(wanted)}, but it is ${show(actual)}`,
  });
  const { status, nodes, taken = [], notTaken = [], tools, questions, answers = {} } = expected;
  if (status !== undefined && path.status !== status) yield differ("status", path.status, status);
  if (nodes && !isDeepStrictEqual(path.nodes, nodes)) yield differ("nodes", path.nodes, nodes);
  const [was, wasNot] = [edgeNames(path, true), edgeNames(path, false)];
  for (const edge of taken) if (!was.includes(edge)) yield differ("taken", was, edge, "expected to contain");
  for (const edge of notTaken)
    if (!wasNot.includes(edge)) yield differ("notTaken", wasNot, edge, "expected to contain");
  if (tools && !matchesTools(path.tools, tools)) yield differ("tools", path.tools, tools);
  const asked = path.questions.map(({ question }) => question);
  if (questions && !matchesTexts(asked, questions)) yield differ("questions", asked, questions.map(String));
  for (const [node, answer] of Object.entries(answers)) {
    const given = path.answers[node];
    if (!contains(given && { ...given }, answer)) yield differ(`answers.${node}`, given, answer);
  }
  yield* spending(path, expected, differ);
}

function* spending(
  { usage }: RunPath,
  { maxTokens, maxCostUsd }: ExpectedPath,
  differ: (what: string, actual: unknown, wanted: unknown, problem?: string) => Difference,
): Iterable<Difference> {
  const tokens = Number(usage.inputTokens + usage.outputTokens);
  const dollars = Number(usage.costMicroUsd) / 1e6;
  if (maxTokens !== undefined && tokens > maxTokens)
    yield differ("tokens", tokens, maxTokens, "expected at most");
  if (maxCostUsd === undefined) return;
  if (usage.costUnknown) yield differ("cost in dollars", "partly unknown", maxCostUsd, "expected at most");
  else if (dollars > maxCostUsd) yield differ("cost in dollars", dollars, maxCostUsd, "expected at most");
}

function edgeNames({ edges }: RunPath, isTaken: boolean): readonly string[] {
  return edges.filter(({ taken }) => taken === isTaken).map(({ from, to }) => `${from} -> ${to}`);
}

function matchesTools(tools: readonly ToolUse[], expected: readonly (string | ExpectedTool)[]): boolean {
  if (tools.length !== expected.length) return false;
  return expected.every((one, index) => {
    const use = tools[index];
    if (use === undefined) return false;
    const {
      tool,
      node = use.node,
      args = {},
      status = use.status,
    } = typeof one === "string" ? { tool: one } : one;
    return use.tool === tool && use.node === node && use.status === status && contains(use.args, args);
  });
}

function matchesTexts(texts: readonly string[], expected: readonly (string | RegExp)[]): boolean {
  if (texts.length !== expected.length) return false;
  return expected.every((one, index) => {
    const text = texts[index] ?? "";
    return typeof one === "string" ? text.includes(one) : one.test(text);
  });
}

/** Objects may have more members; everything else is equal. */
function contains(value: JsonValue | undefined, part: JsonValue): boolean {
  if (!isObject(value) || !isObject(part)) return isDeepStrictEqual(value, part);
  return Object.entries(part).every(([name, member]) => contains(value[name], member));
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const longest = 500;

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`;
}
