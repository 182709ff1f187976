import { schemaMember, schemaType } from "../schema-at.ts";
import { type Comprehension, childrenOf, type Expr } from "./ast.ts";
import type { Checking } from "./checking.ts";
import { inWords, type Kind, mayBe } from "./kinds.ts";

/**
 * `all`, `exists`, `exists_one`, `map` and `filter` are loops: the cost of consecutive ones adds up, that of nested ones
 * multiplies.
 */
export function checkMacro(checking: Checking, expr: Expr, macro: Comprehension): Kind {
  if (checking.bound.size > 0) {
    const fix = "let the agent prepare the list, or split the condition over several edges";
    checking.fault(expr, "BATON-GRAPH-002", "a macro within a macro", fix);
  }
  const { iterVar, accuVar, iterRange, accuInit, loopCondition, loopStep, result } = macro;
  if (!iterRange || !accuInit || !loopCondition || !loopStep || !result) return "dyn";
  checkVariable(checking, expr, iterVar);
  checking.macroParts = Math.max(checking.macroParts, countParts([loopCondition, loopStep]));
  const range = checking.value(iterRange);
  if (!mayBe(range, "list") && !mayBe(range, "map")) {
    const message = `a macro goes through a list or a map, not ${inWords(range)}`;
    checking.fault(expr, "BATON-GRAPH-005", message, "name a list");
  }
  const list = checking.schemaOf(iterRange);
  const item = list && schemaType(list) === "array" ? schemaMember(list, 0) : undefined;
  checking.boundSchemas = new Map(item?.kind === "known" ? [[iterVar, item.at]] : []);
  checking.bound = new Map<string, Kind>([
    [accuVar, checking.kindOf(accuInit)],
    [iterVar, "dyn"],
  ]);
  checking.kindOf(loopCondition);
  checking.kindOf(loopStep);
  const kind = checking.kindOf(result);
  checking.bound = new Map();
  checking.boundSchemas = new Map();
  return kind;
}

/** A variable must not hide a name: joining the terms of two edges would change the meaning of one. */
function checkVariable(checking: Checking, expr: Expr, name: string): void {
  if (name !== "response" && name !== "nodes" && !checking.nodes.has(name)) return;
  const message = `the variable "${name}" hides what has that name already`;
  checking.fault(expr, "BATON-GRAPH-007", message, "call the variable otherwise");
}

function countParts(exprs: readonly Expr[]): number {
  return exprs.reduce((sum, expr) => sum + 1 + countParts(childrenOf(expr)), 0);
}
