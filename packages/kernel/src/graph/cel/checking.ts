import type { GraphProblemCode } from "../problem.ts";
import { type Ast, ConditionFault, type Expr } from "./ast.ts";
import { answerFields } from "./cel-answer.ts";
import { checkCall } from "./check-call.ts";
import { checkMacro } from "./check-macro.ts";
import { checkName, checkSelect } from "./check-name.ts";
import { type Kind, mayBe } from "./kinds.ts";

/** The state of checking one condition. The first fault ends it. */
export class Checking {
  readonly ast: Ast;
  /** The nodes of the graph. */
  readonly nodes: ReadonlySet<string>;
  /** The nodes whose answers are read. */
  readonly nodesRead = new Set<string>();
  readsResponse = false;
  readsStatus = false;
  /** Parts of the largest macro, evaluated for every element. */
  macroParts = 0;
  /** Kinds of the variables of the current macro. */
  bound: ReadonlyMap<string, Kind> = new Map();
  readonly #kinds = new Map<bigint, Kind>();

  constructor(ast: Ast, nodes: ReadonlySet<string>) {
    this.ast = ast;
    this.nodes = nodes;
  }

  fault(expr: Expr, code: GraphProblemCode, message: string, fix: string): never {
    throw new ConditionFault(this.ast.source, code, this.offsetOf(expr), message, fix);
  }

  offsetOf(expr: Expr): number {
    return this.ast.positions[String(expr.id)] ?? 0;
  }

  /** Memoized: some expressions are checked twice, which would double the work at every level. */
  kindOf(expr: Expr): Kind {
    const known = this.#kinds.get(expr.id);
    if (known !== undefined) return known;
    const kind = this.#findKind(expr);
    this.#kinds.set(expr.id, kind);
    return kind;
  }

  /** The kind of an expression used as a value; holders of answers are not values. */
  value(expr: Expr): Kind {
    const kind = this.kindOf(expr);
    if (mayBe(kind, "dyn")) return kind;
    const what = kind === "nodes" ? "`nodes` holds all answers" : `a ${kind} holds an answer`;
    const fix = `name a field: ${answerFields.join(", ")}`;
    return this.fault(expr, "BATON-GRAPH-005", `${what} and is not a value`, fix);
  }

  #findKind(expr: Expr): Kind {
    const { exprKind } = expr;
    switch (exprKind.case) {
      case "constExpr":
        return constantKinds[exprKind.value.constantKind.case ?? "nullValue"] ?? "dyn";
      case "identExpr":
        return checkName(this, expr, exprKind.value.name);
      case "selectExpr":
        return checkSelect(this, expr, exprKind.value);
      case "callExpr":
        return checkCall(this, expr, exprKind.value);
      case "comprehensionExpr":
        return checkMacro(this, expr, exprKind.value);
      case "listExpr":
        for (const element of exprKind.value.elements) this.value(element);
        return "list";
      case "structExpr":
        if (exprKind.value.messageName !== "") {
          this.fault(expr, "BATON-GRAPH-007", "conditions make no messages", "compare the fields one by one");
        }
        for (const { keyKind, value } of exprKind.value.entries) {
          if (keyKind.case === "mapKey") this.value(keyKind.value);
          if (value) this.value(value);
        }
        return "map";
      default:
        return this.fault(expr, "BATON-GRAPH-001", "not a CEL expression", "write one");
    }
  }
}

const constantKinds: Readonly<Record<string, Kind>> = {
  boolValue: "bool",
  int64Value: "int",
  uint64Value: "uint",
  doubleValue: "double",
  stringValue: "string",
  bytesValue: "bytes",
  nullValue: "null",
};
