import { type Condition, evaluateCondition, type Truth } from "./cel/condition.ts";
import { failedOutput, type NodeOutput, type Scope } from "./scope.ts";

export type ForwardKind = "default" | "error";

/** The part of an edge that decides when it is taken. */
export interface EdgeRule {
  readonly kind: ForwardKind;
  readonly condition: Condition | undefined;
}

/**
 * Whether the edge handles failure (SACP §2.2, §4.1 `response.status == "failure"`). It does when its condition reads the
 * status and holds for a failure without other content; also when that is an error, but it does not hold for a success.
 */
export function catchesFailure({ kind, condition }: EdgeRule): boolean {
  if (kind === "error") return true;
  if (!condition?.readsStatus) return false;
  const afterFailure = truthAfter(condition, failedOutput(""));
  if (afterFailure !== "error") return afterFailure === "true";
  return truthAfter(condition, { ...failedOutput(""), status: "success" }) === "false";
}

function truthAfter(condition: Condition, response: NodeOutput): Truth["kind"] {
  return evaluateCondition(condition, { response, nodes: new Map() }).kind;
}

export type EdgeVerdict =
  | { readonly kind: "taken" }
  | { readonly kind: "not-taken"; readonly reason: string }
  /** The condition cannot be evaluated: it routes as failure, with the reason (SAC-05). */
  | { readonly kind: "error"; readonly reason: string };

/** Decides an edge whose source is at rest; `scope.response` is its answer, absent when it did not run. */
export function decideEdge(
  rule: EdgeRule & { readonly catches: boolean },
  from: string,
  scope: Scope,
): EdgeVerdict {
  const { kind, condition, catches } = rule;
  const name = JSON.stringify(from);
  if (!scope.response) return notTaken(`${name} did not run`);
  const { status } = scope.response;
  if (kind === "error" && status !== "failure") return notTaken(`${name} did not fail`);
  if (kind === "default" && !catches && status !== "success")
    return notTaken(status === "failure" ? `${name} failed` : `${name} answered ${status}`);
  const truth: Truth = condition ? evaluateCondition(condition, scope) : { kind: "true" };
  switch (truth.kind) {
    case "true":
      return { kind: "taken" };
    case "false":
      return notTaken("its condition is false");
    case "error":
      return { kind: "error", reason: `its condition cannot be evaluated: ${truth.reason}` };
  }
}

function notTaken(reason: string): EdgeVerdict {
  return { kind: "not-taken", reason };
}
