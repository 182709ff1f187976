import type { GraphProblemCode } from "../problem.ts";
import type { KnownNodes } from "../reference.ts";
import { type SchemaAt, schemaType } from "../schema-at.ts";
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
  /** Names of values that are read. */
  readonly valuesRead = new Set<string>();
  readsResponse = false;
  readsStatus = false;
  /** Parts of the largest macro, evaluated for every element. */
  macroParts = 0;
  /** Kinds of the variables of the current macro. */
  bound: ReadonlyMap<string, Kind> = new Map();
  /** What the variable of the current macro holds, if a schema says so. */
  boundSchemas: ReadonlyMap<string, SchemaAt> = new Map();
  readonly #known: CheckedNodes;
  readonly #kinds = new Map<bigint, Kind>();
  /** Nodes that expressions stand for. */
  readonly #nodesOf = new Map<bigint, string>();
  readonly #schemas = new Map<bigint, SchemaAt>();

  constructor(ast: Ast, known: CheckedNodes) {
    this.ast = ast;
    this.nodes = known.nodes;
    this.#known = known;
  }

  /** Names of the JSON values; undefined for a condition of a graph. */
  get values(): readonly string[] | undefined {
    return this.#known.values;
  }

  /** Notes that an expression stands for the answer of a node; without an id for that of `response`. */
  isNode(expr: Expr, id = this.#known.responseOf): void {
    if (id !== undefined) this.#nodesOf.set(expr.id, id);
  }

  /** The schema of the data of a node. */
  dataSchema(holder: Expr): SchemaAt | undefined {
    const id = this.#nodesOf.get(holder.id);
    const root = id === undefined ? undefined : this.#known.schemas?.get(id);
    return root && { root, schema: root };
  }

  /** The schema of the value of an expression. */
  schemaOf(expr: Expr): SchemaAt | undefined {
    return this.#schemas.get(expr.id);
  }

  /** Notes the schema of an expression, and returns the kind of its value. */
  hasSchema(expr: Expr, at: SchemaAt | undefined, otherwise: Kind): Kind {
    if (at === undefined) return otherwise;
    this.#schemas.set(expr.id, at);
    return schemaKinds[schemaType(at) ?? ""] ?? otherwise;
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

/** The nodes that a condition may read, with their schemas. */
export interface CheckedNodes extends KnownNodes {
  readonly nodes: ReadonlySet<string>;
}

/** Numbers in JSON are doubles. */
const schemaKinds: Readonly<Record<string, Kind>> = {
  ...{ string: "string", number: "double", integer: "double", boolean: "bool" },
  ...{ array: "list", object: "map", null: "null" },
};

const constantKinds: Readonly<Record<string, Kind>> = {
  boolValue: "bool",
  int64Value: "int",
  uint64Value: "uint",
  doubleValue: "double",
  stringValue: "string",
  bytesValue: "bytes",
  nullValue: "null",
};
