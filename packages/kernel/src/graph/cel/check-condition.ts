import type { Ast } from "./ast.ts";
import { Checking } from "./checking.ts";
import { inWords, mayBe } from "./kinds.ts";

/** The inputs of a condition. */
export interface Reads {
  readonly nodes: readonly string[];
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
export function checkCondition(ast: Ast, nodes: ReadonlySet<string>): Reads {
  const checking = new Checking(ast, nodes);
  const kind = checking.value(ast.root);
  if (!mayBe(kind, "bool")) {
    const fix = 'compare it with something, such as response.status == "success"';
    checking.fault(ast.root, "BATON-GRAPH-005", `the condition is ${inWords(kind)}, not a boolean`, fix);
  }
  const { nodesRead, readsResponse, readsStatus, macroParts } = checking;
  return { nodes: [...nodesRead], response: readsResponse, status: readsStatus, macroParts };
}
