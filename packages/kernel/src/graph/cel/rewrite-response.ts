import { referenceTo } from "../reference.ts";
import { type Ast, childrenOf, type Expr } from "./ast.ts";

/**
 * Replaces `response` by a reference to its node: on an edge it means the node that the edge leaves, but a stage's
 * condition joins edges of several nodes. Positions come from the syntax tree, so strings, fields after a dot and macro
 * variables of that name stay.
 */
export function rewriteResponse(ast: Ast, nodeId: string): string {
  const reference = referenceTo(nodeId);
  let rewritten = "";
  let end = 0;
  const offsets = new Set(Array.from(freeNames(ast.root, "response"), (expr) => offsetOf(ast, expr)));
  for (const offset of [...offsets].sort((a, b) => a - b)) {
    rewritten += ast.source.slice(end, offset) + reference;
    end = offset + "response".length;
  }
  return rewritten + ast.source.slice(end);
}

/** The expressions that are this name, and not a macro's variable. */
function* freeNames(expr: Expr, name: string): Generator<Expr> {
  const { exprKind } = expr;
  if (exprKind.case === "identExpr" && exprKind.value.name === name) yield expr;
  if (exprKind.case !== "comprehensionExpr") {
    for (const child of childrenOf(expr)) yield* freeNames(child, name);
    return;
  }
  // The range of a macro is outside the scope of its variable; the rest is inside.
  const { iterRange, iterVar } = exprKind.value;
  if (iterRange) yield* freeNames(iterRange, name);
  if (iterVar === name) return;
  for (const child of childrenOf(expr)) if (child !== iterRange) yield* freeNames(child, name);
}

/** `.response` is the same name at the offset of the dot. */
function offsetOf({ source, positions }: Ast, { id }: Expr): number {
  const offset = positions[String(id)] ?? 0;
  return source[offset] === "." ? source.indexOf("response", offset) : offset;
}
