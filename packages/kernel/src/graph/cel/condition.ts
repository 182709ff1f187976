import { type CelInput, type CelResult, celType, isCelError, plan } from "@bufbuild/cel";
import { clip, type GraphProblem, positionAt } from "../problem.ts";
import { asSet, isPlainName, type KnownNodes } from "../reference.ts";
import type { Scope } from "../scope.ts";
import { type Ast, ConditionFault, parseCondition } from "./ast.ts";
import { celFromNode, celFromNodes, celFromResponse } from "./cel-answer.ts";
import { conditionEnv } from "./cel-functions.ts";
import { celFromJson } from "./cel-json.ts";
import { type CheckedNodes, Checking } from "./checking.ts";
import { inWords, mayBe } from "./kinds.ts";
import { startMeter } from "./meter.ts";
import { type Read, readsOf } from "./reads.ts";

/** A compiled condition, to be evaluated any number of times (SACP §4.1). */
export interface Condition {
  readonly source: string;
  /** The nodes whose answers it reads. */
  readonly nodes: readonly string[];
  /** The JSON values that it reads, by name. */
  readonly values: readonly string[];
  /** Whether it reads `response`, and of that the status. */
  readonly readsResponse: boolean;
  readonly readsStatus: boolean;
  /** The values that it reads. */
  readonly reads: readonly Read[];
  readonly program: Program;
}

/** Internal to this folder. */
interface Program {
  readonly run: (bindings: Bindings) => CelResult;
  readonly ast: Ast;
  /** Steps for each element that a macro visits. */
  readonly weight: number;
}

type Bindings = Record<string, CelInput>;

export type CompiledCondition =
  | { readonly ok: true; readonly condition: Condition }
  | { readonly ok: false; readonly problem: GraphProblem };

export type Truth =
  | { readonly kind: "true" }
  | { readonly kind: "false" }
  /** Routes as failure, with the reason (SAC-05). */
  | { readonly kind: "error"; readonly reason: string };

/**
 * Compiles a condition over `response` and the given nodes. Finds every fault that does not depend on the agents'
 * answers.
 */
export function compileCondition(source: string, given: KnownNodes): CompiledCondition {
  try {
    const ast = parseCondition(source);
    const known = asSet(given.nodes);
    const checked = checkCondition(ast, { ...given, nodes: known });
    const program: Program = {
      run: plan(conditionEnv, ast.root) as Program["run"],
      ast,
      weight: 1 + checked.macroParts,
    };
    const { nodes: nodesRead, values, response: readsResponse, status: readsStatus } = checked;
    const reads = readsOf(ast, known);
    const condition = { source, nodes: nodesRead, values, readsResponse, readsStatus, reads, program };
    return { ok: true, condition };
  } catch (error) {
    return { ok: false, problem: problemOf(source, error) };
  }
}

/** Any error of the parser or planner is a fault of the source: the hub must not fail on it. */
function problemOf(source: string, error: unknown): GraphProblem {
  if (error instanceof ConditionFault) return error.problem;
  const message = `not a CEL expression: ${error instanceof Error ? error.message : String(error)}`;
  return {
    code: "BATON-GRAPH-001",
    at: "",
    message,
    fix: "write it in another way",
    position: positionAt(source, 0),
  };
}

/** Never throws: a failure is an error with its reason. */
export function evaluateCondition(condition: Condition, scope: Scope): Truth {
  const { program } = condition;
  try {
    startMeter(program.weight);
    const result = withoutStacks(() => program.run(bind(condition, scope)));
    if (result === true) return { kind: "true" };
    if (result === false) return { kind: "false" };
    if (!isCelError(result)) return failure(condition, `it is ${celType(result).name}, not a boolean`);
    // The library reports a wrong length of the list (-1).
    return failure(
      condition,
      result.message.replace(/ out of bounds \[.*$/, " is out of bounds"),
      result.exprId,
    );
  } catch (error) {
    return failure(condition, error instanceof Error ? error.message : String(error));
  }
}

/** Binds what the condition reads, without a prototype: the library looks names up with `[]`. */
function bind(condition: Condition, scope: Scope): Bindings {
  const bindings: Bindings = Object.create(null);
  for (const id of condition.nodes) {
    // Other ids are read through `nodes`: one with a dot would look like a field here.
    if (isPlainName(id)) bindings[id] = celFromNode(id, scope.nodes.get(id));
  }
  for (const name of condition.values) {
    const value = scope.values?.[name];
    if (value !== undefined) bindings[name] = celFromJson(value);
  }
  bindings.nodes = celFromNodes(scope.nodes);
  bindings.response = celFromResponse(scope.response);
  return bindings;
}

function failure({ source, program }: Condition, problem: string, exprId?: bigint): Truth {
  const offset = exprId === undefined ? undefined : program.ast.positions[String(exprId)];
  const { line, column } = positionAt(source, offset ?? 0);
  const where = offset === undefined ? "" : ` at ${line}:${column}`;
  // The problem may quote what the agent wrote.
  return { kind: "error", reason: `condition ${JSON.stringify(clip(source))}: ${clip(problem)}${where}` };
}

/**
 * Runs a function whose errors carry no stack. The library creates an error for every missing value, in a macro one for
 * each element, and unused stacks take nine tenths of the time. Engines other than V8 ignore the setting.
 */
function withoutStacks<Result>(run: () => Result): Result {
  const errors = Error as unknown as { stackTraceLimit?: number };
  const limit = errors.stackTraceLimit;
  errors.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    if (limit === undefined) delete errors.stackTraceLimit;
    else errors.stackTraceLimit = limit;
  }
}

/** What a check found. */
interface Checked {
  readonly nodes: readonly string[];
  readonly values: readonly string[];
  readonly response: boolean;
  /** Whether it reads `response.status`. */
  readonly status: boolean;
  /** Parts that are evaluated for every element of a list; zero without a macro. */
  readonly macroParts: number;
}

/**
 * Checks a condition statically (SAC-05 "an error at load"): names, fields, statuses, types of literals and functions,
 * and that the result can be a boolean. The library's own checker covers constants and names only.
 */
export function checkCondition(ast: Ast, known: CheckedNodes): Checked {
  const checking = new Checking(ast, known);
  const kind = checking.value(ast.root);
  if (!mayBe(kind, "bool")) {
    const fix = 'compare it with something, such as response.status == "success"';
    checking.fault(ast.root, "BATON-GRAPH-005", `the condition is ${inWords(kind)}, not a boolean`, fix);
  }
  const { nodesRead, valuesRead, readsResponse, readsStatus, macroParts } = checking;
  return {
    nodes: [...nodesRead],
    values: [...valuesRead],
    response: readsResponse,
    status: readsStatus,
    macroParts,
  };
}
