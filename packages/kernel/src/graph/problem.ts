/** Why a graph, a condition or a mapping cannot be used, with a code from a closed set, the place, and the way out. */
export interface GraphProblem {
  readonly code: GraphProblemCode;
  /** The part at fault, such as `edges[2].condition`; empty for the whole. */
  readonly at: string;
  readonly message: string;
  readonly fix: string;
  /** Where in a text, when the part is one. */
  readonly place?: Place;
}

/** A place in a text: offset from 0 in UTF-16 code units, line and column from 1. */
export interface Place {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

export type GraphProblemCode = keyof typeof graphProblemCodes;

/** The closed set. What a code does not say, the fix of the single problem does. */
export const graphProblemCodes = {
  "BATON-GRAPH-001": "a condition that is not a CEL expression",
  "BATON-GRAPH-002": "more than the limits allow",
  "BATON-GRAPH-003": "a name that nobody knows",
  "BATON-GRAPH-004": "a field that an answer does not have",
  "BATON-GRAPH-005": "types that do not fit, or a result that is not a boolean",
  "BATON-GRAPH-006": "a status that is not one",
  "BATON-GRAPH-007": "something of CEL that conditions do not take",
  "BATON-GRAPH-008": "a template that cannot be read",
  "BATON-GRAPH-009": "a node without a usable id, or with the id of another",
  "BATON-GRAPH-010": "a circle of edges that are not marked as going back",
  "BATON-GRAPH-011": "a node that nothing leads to",
  "BATON-GRAPH-012": "an edge back without a bound, or that does not go back",
  "BATON-GRAPH-013": "several nodes that want to take over when one fails",
  "BATON-GRAPH-014": "an answer that is read before it is there",
} as const;

export function problem(code: GraphProblemCode, at: string, message: string, fix: string): GraphProblem {
  return { code, at, message, fix };
}

export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { offset, line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** Text for a message, whatever its length. */
export function clip(text: string, chars = 200): string {
  return text.length > chars ? `${text.slice(0, chars)}…` : text;
}

/** Up to ten names for a message, each short. */
export function listNames(names: Iterable<string>): string {
  const all = [...names];
  const shown = all.slice(0, 10).map((name) => JSON.stringify(clip(name, 60)));
  const rest = all.length - shown.length;
  return shown.length === 0 ? "nothing" : shown.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
