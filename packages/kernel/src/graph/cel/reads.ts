import { isPlainName } from "../reference.ts";
import { type Ast, childrenOf, type Expr } from "./ast.ts";

/** A value that a condition reads, such as `response.data.score`. */
export interface Read {
  /** As it is written, for people. */
  readonly text: string;
  /** The node; undefined for `response`. */
  readonly node: string | undefined;
  /** The field of the answer, then the path below it. */
  readonly path: readonly (string | number)[];
  readonly expr: Expr;
}

/** The values that a condition reads, each once. Of a computed index the container counts. */
export function readsOf({ root }: Ast, nodes: ReadonlySet<string>): readonly Read[] {
  const found = new Map<string, Read>();
  const visit = (expr: Expr): void => {
    const read = readAt(expr, nodes);
    if (read === undefined) for (const child of childrenOf(expr)) visit(child);
    else if (read.path.length > 0 && !found.has(read.text)) found.set(read.text, read);
  };
  visit(root);
  return [...found.values()];
}

/** The read that an expression is, or undefined. Variables of macros never have the name of a node. */
function readAt(expr: Expr, nodes: ReadonlySet<string>): Read | undefined {
  const steps: (string | number)[] = [];
  let at: Expr | undefined = expr;
  while (at !== undefined) {
    const { exprKind }: Expr = at;
    if (exprKind.case === "identExpr") return readFrom(exprKind.value.name, steps.reverse(), nodes, expr);
    const step = stepOf(at);
    if (step === undefined) return undefined;
    steps.push(step.name);
    at = step.holder;
  }
  return undefined;
}

function stepOf({
  exprKind,
}: Expr): { readonly name: string | number; readonly holder: Expr | undefined } | undefined {
  if (exprKind.case === "selectExpr") return { name: exprKind.value.field, holder: exprKind.value.operand };
  if (exprKind.case !== "callExpr" || exprKind.value.function !== "_[_]") return undefined;
  const [holder, index] = exprKind.value.args;
  const name = index && constantOf(index);
  return name === undefined ? undefined : { name, holder };
}

function constantOf({ exprKind }: Expr): string | number | undefined {
  if (exprKind.case !== "constExpr") return undefined;
  const { constantKind } = exprKind.value;
  if (constantKind.case === "stringValue") return constantKind.value;
  return constantKind.case === "int64Value" ? Number(constantKind.value) : undefined;
}

function readFrom(
  name: string,
  steps: readonly (string | number)[],
  nodes: ReadonlySet<string>,
  expr: Expr,
): Read | undefined {
  if (name === "response") return { text: textOf("response", steps), node: undefined, path: steps, expr };
  if (name === "nodes") {
    const [node, ...path] = steps;
    if (node === undefined) return undefined;
    return { text: textOf(`nodes[${JSON.stringify(node)}]`, path), node: String(node), path, expr };
  }
  if (!isPlainName(name) || !nodes.has(name)) return undefined;
  return { text: textOf(name, steps), node: name, path: steps, expr };
}

function textOf(root: string, path: readonly (string | number)[]): string {
  const steps = path.map((step) =>
    typeof step === "number" ? `[${step}]` : /^\w+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`,
  );
  return root + steps.join("");
}
