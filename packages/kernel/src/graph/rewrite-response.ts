import { type Ast, childrenOf, type Expr } from "./ast.ts";
import { referenceTo } from "./reference.ts";

/**
 * Says of whom `response` is spoken: on an edge it means the node that the edge leaves, but a stage's condition joins
 * edges that leave several. The parser knows which names are names, so the places come from its tree: never a text
 * that only looks like one in a string, a field after a dot, or a macro's own variable.
 */
export function rewriteResponse(ast: Ast, nodeId: string): string {
  const reference = referenceTo(nodeId);
  let rewritten = "";
  let end = 0;
  const places = new Set(Array.from(freeNames(ast.root, "response"), (expr) => placeOf(ast, expr)));
  for (const offset of [...places].sort((a, b) => a - b)) {
    rewritten += ast.source.slice(end, offset) + reference;
    end = offset + "response".length;
  }
  return rewritten + ast.source.slice(end);
}

/** The expressions that are this name and are not a macro's variable. */
function* freeNames(expr: Expr, name: string): Generator<Expr> {
  const { exprKind } = expr;
  if (exprKind.case === "identExpr" && exprKind.value.name === name) yield expr;
  if (exprKind.case !== "comprehensionExpr") {
    for (const child of childrenOf(expr)) yield* freeNames(child, name);
    return;
  }
  // The list that a macro goes through is outside of the reach of its variable; the rest is inside.
  const { iterRange, iterVar } = exprKind.value;
  if (iterRange) yield* freeNames(iterRange, name);
  if (iterVar === name) return;
  for (const child of childrenOf(expr)) if (child !== iterRange) yield* freeNames(child, name);
}

/** `.response` is the same name, and its place is that of the dot. */
function placeOf({ source, positions }: Ast, { id }: Expr): number {
  const offset = positions[String(id)] ?? 0;
  return source[offset] === "." ? source.indexOf("response", offset) : offset;
}
