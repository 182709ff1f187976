import { listNames } from "../problem.ts";
import { isPlainName } from "../reference.ts";
import { schemaMember } from "../schema-at.ts";
import type { Expr, Select } from "./ast.ts";
import { answerFields } from "./cel-answer.ts";
import type { Checking } from "./checking.ts";
import { inWords, type Kind } from "./kinds.ts";

const typeNames = new Set([
  ...["bool", "int", "uint", "double", "string", "bytes", "list", "map", "null_type", "type"],
]);

/** Checks an identifier. */
export function checkName(checking: Checking, expr: Expr, name: string): Kind {
  const bound = checking.bound.get(name);
  if (bound !== undefined) return checking.hasSchema(expr, checking.boundSchemas.get(name), bound);
  if (checking.ast.source[checking.offsetOf(expr)] === ".") {
    checking.fault(expr, "BATON-GRAPH-007", "names do not begin with a dot here", `write ${name}`);
  }
  if (checking.values) return checkValue(checking, expr, name, checking.values);
  if (name === "response") {
    checking.readsResponse = true;
    checking.isNode(expr);
    return "response";
  }
  if (name === "nodes") return "nodes";
  if (isPlainName(name) && checking.nodes.has(name)) return checkNode(checking, expr, name);
  if (typeNames.has(name)) return "type";
  const known = ["response", "nodes", ...[...checking.nodes].filter(isPlainName)];
  return checking.fault(
    expr,
    "BATON-GRAPH-003",
    `unknown name ${listNames([name])}`,
    `use one of ${listNames(known)}`,
  );
}

function checkValue(checking: Checking, expr: Expr, name: string, values: readonly string[]): Kind {
  if (typeNames.has(name)) return "type";
  if (!values.includes(name))
    checking.fault(
      expr,
      "BATON-GRAPH-003",
      `unknown name ${listNames([name])}`,
      `use one of ${listNames(values)}`,
    );
  checking.valuesRead.add(name);
  return "map";
}

function checkNode(checking: Checking, expr: Expr, id: string): Kind {
  if (!checking.nodes.has(id)) {
    const fix = `use one of ${listNames(checking.nodes)}`;
    checking.fault(expr, "BATON-GRAPH-003", `there is no node ${listNames([id])}`, fix);
  }
  checking.nodesRead.add(id);
  checking.isNode(expr, id);
  return "node";
}

export function checkSelect(checking: Checking, expr: Expr, { operand, field, testOnly }: Select): Kind {
  const holder = operand ? checking.kindOf(operand) : "dyn";
  const kind = checkField(checking, expr, { kind: holder, expr: operand }, field);
  if (testOnly && kind === "node") {
    const fix = `ask nodes[${JSON.stringify(field)}].ran`;
    checking.fault(expr, "BATON-GRAPH-005", "has() does not test whether a node ran", fix);
  }
  return testOnly ? "bool" : kind;
}

interface Holder {
  readonly kind: Kind;
  readonly expr: Expr | undefined;
}

/** Checks a field, after a dot or in brackets; `expr` is the value of the field. */
export function checkField(
  checking: Checking,
  expr: Expr,
  { kind: holder, expr: holderExpr }: Holder,
  name: string,
): Kind {
  if (holder === "nodes") return checkNode(checking, expr, name);
  if (holder === "dyn" || holder === "map") return checkMember(checking, expr, holderExpr, name);
  if (holder !== "response" && holder !== "node") {
    checking.fault(
      expr,
      "BATON-GRAPH-005",
      `${inWords(holder)} has no fields`,
      "fields are found in response.data",
    );
  }
  switch (name) {
    case "status":
      checking.readsStatus ||= holder === "response";
      return "status";
    case "data":
      return checking.hasSchema(expr, holderExpr && checking.dataSchema(holderExpr), "map");
    case "message":
    case "next_step_hint":
      return "string";
    case "ran":
      if (holder === "node") return "bool";
  }
  const known = holder === "node" ? [...answerFields, "ran"] : answerFields;
  const hint = name === "thought" ? "; a thought is for people, not for routing" : "";
  const fix = `use one of ${known.join(", ")}, or a name in ${holder}.data`;
  return checking.fault(expr, "BATON-GRAPH-004", `an answer has no field ${listNames([name])}${hint}`, fix);
}

/** Checks a field or an element of a value against its schema, if there is one. */
export function checkMember(
  checking: Checking,
  expr: Expr,
  holder: Expr | undefined,
  step: string | number,
): Kind {
  const at = holder && checking.schemaOf(holder);
  if (!at) return "dyn";
  const member = schemaMember(at, step);
  if (member.kind === "known") return checking.hasSchema(expr, member.at, "dyn");
  if (member.kind === "unknown") return "dyn";
  const what = typeof step === "number" ? `element ${step}` : `field ${listNames([step])}`;
  const fix = "read what the data_schema of the node describes, or add it there";
  return checking.fault(expr, "BATON-GRAPH-004", `the data has no ${what} here: ${member.why}`, fix);
}
