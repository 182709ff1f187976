import { isPlainName, referenceTo } from "../reference.ts";
import { type Ast, childrenOf, type Expr } from "./ast.ts";

/** The new id of a node; undefined leaves it. */
export type Rename = (id: string) => string | undefined;

interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Renames the nodes that a condition reads: those of a workflow within another one get longer ids. Positions come from the
 * syntax tree, so strings, fields after a dot and macro variables stay.
 */
export function renameNodes(ast: Ast, rename: Rename): string {
  const found = new Map<number, Replacement>();
  for (const replacement of replacements(ast, ast.root, rename)) found.set(replacement.from, replacement);
  let renamed = "";
  let end = 0;
  for (const { from, to, text } of [...found.values()].sort((a, b) => a.from - b.from)) {
    renamed += ast.source.slice(end, from) + text;
    end = to;
  }
  return renamed + ast.source.slice(end);
}

function* replacements(ast: Ast, expr: Expr, rename: Rename, bound?: string): Generator<Replacement> {
  const { exprKind } = expr;
  if (exprKind.case === "identExpr") {
    const { name } = exprKind.value;
    const id = name === bound || !isPlainName(name) ? undefined : rename(name);
    const from = ast.positions[String(expr.id)] ?? 0;
    if (id !== undefined) yield { from, to: from + name.length, text: referenceTo(id) };
    return;
  }
  const named = nodeIn(expr, bound);
  if (named) {
    const id = rename(named.id);
    const from = offsetOf(ast, named.holder);
    if (id !== undefined) yield { from, to: endOfReference(ast.source, from), text: referenceTo(id) };
    return;
  }
  if (exprKind.case !== "comprehensionExpr") {
    for (const child of childrenOf(expr)) yield* replacements(ast, child, rename, bound);
    return;
  }
  // The range of a macro is outside the scope of its variable; the rest is inside.
  const { iterRange, iterVar } = exprKind.value;
  for (const child of childrenOf(expr))
    yield* replacements(ast, child, rename, child === iterRange ? bound : iterVar);
}

/** `nodes["id"]` and `nodes.id`. */
function nodeIn(
  { exprKind }: Expr,
  bound: string | undefined,
): { readonly id: string; readonly holder: Expr } | undefined {
  const isNodes = (holder: Expr | undefined): holder is Expr =>
    holder?.exprKind.case === "identExpr" && holder.exprKind.value.name === "nodes" && bound !== "nodes";
  if (exprKind.case === "selectExpr") {
    const { operand, field } = exprKind.value;
    return isNodes(operand) ? { id: field, holder: operand } : undefined;
  }
  if (exprKind.case !== "callExpr" || exprKind.value.function !== "_[_]") return undefined;
  const [holder, index] = exprKind.value.args;
  if (!isNodes(holder) || index?.exprKind.case !== "constExpr") return undefined;
  const { constantKind } = index.exprKind.value;
  return constantKind.case === "stringValue" ? { id: constantKind.value, holder } : undefined;
}

function offsetOf({ positions }: Ast, { id }: Expr): number {
  return positions[String(id)] ?? 0;
}

const reference =
  /nodes\s*(?:\.\s*[\p{L}_][\p{L}\p{N}_]*|\[\s*[rR]?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*\])/uy;

function endOfReference(source: string, from: number): number {
  reference.lastIndex = from;
  return reference.test(source) ? reference.lastIndex : from;
}
