/** Why a graph, a condition or a mapping is refused: a code from a closed set, the position and the fix. */
export interface GraphProblem {
  readonly code: GraphProblemCode;
  /** The part at fault, such as `edges[2].condition`; empty for the whole. */
  readonly at: string;
  readonly message: string;
  readonly fix: string;
  /** Where in the text, when the part is a text. */
  readonly position?: TextPosition;
}

/** Offset from 0 in UTF-16 code units, line and column from 1. */
export interface TextPosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

export type GraphProblemCode = keyof typeof graphProblemCodes;

/** The closed set of codes. Each problem states its own fix. */
export const graphProblemCodes = {
  "BATON-GRAPH-001": "a condition that is not a CEL expression",
  "BATON-GRAPH-002": "more than the limits allow",
  "BATON-GRAPH-003": "an unknown name",
  "BATON-GRAPH-004": "a field that an answer does not have",
  "BATON-GRAPH-005": "types that do not fit, or a result that is not a boolean",
  "BATON-GRAPH-006": "an unknown status",
  "BATON-GRAPH-007": "a part of CEL that conditions do not support",
  "BATON-GRAPH-008": "a template that cannot be read",
  "BATON-GRAPH-009": "a node without a usable and unique id",
  "BATON-GRAPH-010": "a cycle of edges that are not marked as back edges, or a workflow that calls itself",
  "BATON-GRAPH-011": "a node that nothing leads to",
  "BATON-GRAPH-012": "a back edge without a bound, or one that does not go back",
  "BATON-GRAPH-013": "several nodes that handle the failure of one node",
  "BATON-GRAPH-014": "an answer that is read before it exists",
  "BATON-GRAPH-015": "a workflow that cannot stand in the place of a node",
} as const;

export function problem(code: GraphProblemCode, at: string, message: string, fix: string): GraphProblem {
  return { code, at, message, fix };
}

export function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { offset, line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

/** Limits a text for a message. */
export function clip(text: string, chars = 200): string {
  return text.length > chars ? `${text.slice(0, chars)}…` : text;
}

/** Up to ten names for a message, each short. */
export function listNames(names: Iterable<string>): string {
  const all = [...names];
  const listed = all.slice(0, 10).map((name) => JSON.stringify(clip(name, 60)));
  const rest = all.length - listed.length;
  return listed.length === 0 ? "nothing" : listed.join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
