import type { CelFunc } from "@bufbuild/cel";
import { listNames } from "../problem.ts";
import { type StatusName, statusNames } from "../scope.ts";
import type { Call, Expr } from "./ast.ts";
import { conditionEnv } from "./cel-functions.ts";
import { checkField, checkMember } from "./check-name.ts";
import type { Checking } from "./checking.ts";
import { either, inWords, isHolder, type Kind, kindOfType, mayBe, mayEqual } from "./kinds.ts";
import { refusePattern } from "./pattern.ts";

/** Checks a call and returns the kind of its result. */
export function checkCall(checking: Checking, expr: Expr, call: Call): Kind {
  const [first, second, third] = call.args;
  switch (call.function) {
    case "_&&_":
    case "_||_":
    case "!_":
    case "@not_strictly_false":
      for (const arg of call.args) wantBoolean(checking, arg, call.function);
      return "bool";
    case "_?_:_":
      if (first) wantBoolean(checking, first, call.function);
      return second && third ? either(checking.kindOf(second), checking.kindOf(third)) : "dyn";
    case "_[_]":
      return first && second ? checkIndex(checking, expr, first, second) : "dyn";
    case "_==_":
    case "_!=_":
      return first && second ? checkEquality(checking, expr, first, second) : "bool";
    case "@in":
      if (first && second) checkMembership(checking, first, second);
      break;
    case "matches":
      checkPattern(checking, expr, call.target ? first : second);
  }
  return checkOverloads(checking, expr, call);
}

function wantBoolean(checking: Checking, expr: Expr, name: string): void {
  const kind = checking.value(expr);
  if (mayBe(kind, "bool")) return;
  const fix = "compare it with something";
  checking.fault(expr, "BATON-GRAPH-005", `${spell(name)} takes booleans, not ${inWords(kind)}`, fix);
}

function checkIndex(checking: Checking, expr: Expr, holder: Expr, index: Expr): Kind {
  const kind = checking.kindOf(holder);
  const name = stringOf(index);
  if (isHolder(kind)) {
    if (name !== undefined) return checkField(checking, expr, { kind, expr: holder }, name);
    const fix = 'name the node or field as text, such as nodes["review"].status';
    return checking.fault(expr, "BATON-GRAPH-005", "what is read here is not known before it runs", fix);
  }
  checking.value(index);
  const step = name ?? indexOf(index);
  if (step !== undefined && (kind === "dyn" || kind === "list" || kind === "map"))
    return checkMember(checking, expr, holder, step);
  if (mayBe(kind, "list") || mayBe(kind, "map")) return "dyn";
  return checking.fault(expr, "BATON-GRAPH-005", `${inWords(kind)} has no elements`, "name a list or a map");
}

function checkEquality(checking: Checking, expr: Expr, a: Expr, b: Expr): Kind {
  const [kindA, kindB] = [checking.value(a), checking.value(b)];
  if (kindA === "status") checkStatus(checking, b);
  if (kindB === "status") checkStatus(checking, a);
  if (mayEqual(kindA, kindB)) return "bool";
  const message = `${inWords(kindA)} never equals ${inWords(kindB)}`;
  return checking.fault(
    expr,
    "BATON-GRAPH-005",
    message,
    "compare values of one type; numbers stand without quotes",
  );
}

function checkMembership(checking: Checking, item: Expr, list: Expr): void {
  if (list.exprKind.case !== "listExpr" || checking.kindOf(item) !== "status") return;
  for (const element of list.exprKind.value.elements) checkStatus(checking, element);
}

/** A misspelt status would always compare as false. */
function checkStatus(checking: Checking, expr: Expr): void {
  const text = stringOf(expr);
  if (text === undefined || statusNames.includes(text as StatusName)) return;
  const fix = `use one of ${statusNames.join(", ")}`;
  checking.fault(expr, "BATON-GRAPH-006", `${listNames([text])} is not a status`, fix);
}

function checkPattern(checking: Checking, expr: Expr, pattern: Expr | undefined): void {
  const text = pattern && stringOf(pattern);
  if (text === undefined) {
    const fix = 'write the pattern as text, such as response.message.matches("^done")';
    checking.fault(pattern ?? expr, "BATON-GRAPH-007", "a pattern of matches has to be a literal", fix);
  }
  const refusal = refusePattern(text);
  if (refusal)
    checking.fault(pattern ?? expr, "BATON-GRAPH-007", refusal, "write a simpler pattern, in RE2's syntax");
}

/** The result kind of the overloads that may accept the arguments. */
function checkOverloads(checking: Checking, expr: Expr, call: Call): Kind {
  const overloads: CelFunc[] = [...(conditionEnv.funcs.find(call.function) ?? [])];
  if (overloads.length === 0) {
    const fix =
      "use size, contains, startsWith, endsWith, matches, has, all, exists, map, filter, or a conversion";
    checking.fault(expr, "BATON-GRAPH-003", `there is no function ${listNames([call.function])}`, fix);
  }
  const target = call.target && checking.value(call.target);
  const args = call.args.map((arg) => checking.value(arg));
  const fitting = overloads.filter(
    (overload) =>
      (overload.target === undefined) === (target === undefined) &&
      (overload.target === undefined || target === undefined || mayBe(target, kindOfType(overload.target))) &&
      overload.arguments.length === args.length &&
      overload.arguments.every((type, at) => mayBe(args[at] ?? "dyn", kindOfType(type))),
  );
  if (fitting.length === 0) {
    const given = [...(target ? [target] : []), ...args].map(inWords).join(" and ") || "nothing";
    const fix = "give it values of the types it takes; double(), int() and string() convert";
    checking.fault(expr, "BATON-GRAPH-005", `${spell(call.function)} does not take ${given}`, fix);
  }
  const results = new Set(fitting.map(({ result }) => kindOfType(result)));
  const [only] = results;
  return results.size === 1 && only ? only : "dyn";
}

function stringOf({ exprKind }: Expr): string | undefined {
  if (exprKind.case !== "constExpr") return undefined;
  const { constantKind } = exprKind.value;
  return constantKind.case === "stringValue" ? constantKind.value : undefined;
}

function indexOf({ exprKind }: Expr): number | undefined {
  if (exprKind.case !== "constExpr") return undefined;
  const { constantKind } = exprKind.value;
  return constantKind.case === "int64Value" ? Number(constantKind.value) : undefined;
}

/** `_>_` as people write it. */
function spell(name: string): string {
  return name === "_?_:_" ? "?:" : name.replaceAll("_", "").replace("@in", "in") || name;
}
