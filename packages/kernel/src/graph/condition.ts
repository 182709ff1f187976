import { type CelInput, type CelResult, celType, isCelError, plan } from "@bufbuild/cel";
import { type Ast, ConditionFault, parseCondition } from "./ast.ts";
import { celFromNode, celFromNodes, celFromResponse } from "./cel-answer.ts";
import { conditionEnv } from "./cel-functions.ts";
import { checkCondition } from "./check-condition.ts";
import { startMeter } from "./meter.ts";
import { clip, type GraphProblem, placeAt } from "./problem.ts";
import { asSet, isPlainName, type KnownNodes } from "./reference.ts";
import type { Scope } from "./scope.ts";
import { withoutStacks } from "./without-stacks.ts";

/** A condition that was parsed, checked and planned, ready to be evaluated any number of times (SACP §4.1). */
export interface Condition {
  readonly source: string;
  /** The nodes whose answers it reads. */
  readonly nodes: readonly string[];
  /** Whether it reads `response`, and of that the status. */
  readonly readsResponse: boolean;
  readonly readsStatus: boolean;
  readonly program: Program;
}

/** What this folder needs of a condition, and nobody else. */
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
 * Compiles a condition over `response` and over the nodes that are named. Everything that can be wrong with it
 * whatever the agents answer is a problem here.
 */
export function compileCondition(source: string, { nodes }: KnownNodes): CompiledCondition {
  try {
    const ast = parseCondition(source);
    const reads = checkCondition(ast, asSet(nodes));
    const program: Program = {
      run: plan(conditionEnv, ast.root) as Program["run"],
      ast,
      weight: 1 + reads.macroParts,
    };
    const { nodes: nodesRead, response: readsResponse, status: readsStatus } = reads;
    return { ok: true, condition: { source, nodes: nodesRead, readsResponse, readsStatus, program } };
  } catch (error) {
    return { ok: false, problem: problemOf(source, error) };
  }
}

/** Whatever the parser or the planner stumbles over is the source's fault, and no reason for the hub to stumble too. */
function problemOf(source: string, error: unknown): GraphProblem {
  if (error instanceof ConditionFault) return error.problem;
  const message = `not a CEL expression: ${error instanceof Error ? error.message : String(error)}`;
  return {
    code: "BATON-GRAPH-001",
    at: "",
    message,
    fix: "write it in another way",
    place: placeAt(source, 0),
  };
}

/** Never throws: whatever goes wrong is an error with its reason. */
export function evaluateCondition(condition: Condition, scope: Scope): Truth {
  const { program } = condition;
  try {
    startMeter(program.weight);
    const result = withoutStacks(() => program.run(bind(condition, scope)));
    if (result === true) return { kind: "true" };
    if (result === false) return { kind: "false" };
    if (!isCelError(result)) return failure(condition, `it is ${celType(result).name}, not a boolean`);
    // The library does not know how long the list is, and says -1.
    return failure(
      condition,
      result.message.replace(/ out of bounds \[.*$/, " is out of bounds"),
      result.exprId,
    );
  } catch (error) {
    return failure(condition, error instanceof Error ? error.message : String(error));
  }
}

/** Only what the condition reads, on an object without a prototype: the library looks names up with `[]`. */
function bind(condition: Condition, scope: Scope): Bindings {
  const bindings: Bindings = Object.create(null);
  for (const id of condition.nodes) {
    // Other ids are read through `nodes`; one with a dot in it would pass for a field here.
    if (isPlainName(id)) bindings[id] = celFromNode(id, scope.nodes.get(id));
  }
  bindings.nodes = celFromNodes(scope.nodes);
  bindings.response = celFromResponse(scope.response);
  return bindings;
}

function failure({ source, program }: Condition, problem: string, exprId?: bigint): Truth {
  const offset = exprId === undefined ? undefined : program.ast.positions[String(exprId)];
  const { line, column } = placeAt(source, offset ?? 0);
  const where = offset === undefined ? "" : ` at ${line}:${column}`;
  // The problem may quote what the agent wrote.
  return { kind: "error", reason: `condition ${JSON.stringify(clip(source))}: ${clip(problem)}${where}` };
}
