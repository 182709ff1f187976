import type { JsonObject } from "@bufbuild/protobuf";

/** The ids that a condition or a mapping may name. A set is not copied, so a whole graph can share one. */
export interface KnownNodes {
  readonly nodes: Iterable<string> | ReadonlySet<string>;
  /** The schemas of the data of nodes, where known. */
  readonly schemas?: ReadonlyMap<string, JsonObject> | undefined;
  /** The node whose answer `response` is, if it is known. */
  readonly responseOf?: string | undefined;
  /** Names of JSON values that a rule may read, instead of `response` and `nodes`. */
  readonly values?: readonly string[] | undefined;
}

export function asSet(nodes: KnownNodes["nodes"]): ReadonlySet<string> {
  return nodes instanceof Set ? nodes : new Set(nodes);
}

/** Names with another meaning in a condition; a node of that name is read through `nodes`. */
const taken = new Set([
  ...[
    "response",
    "nodes",
    "input",
    "true",
    "false",
    "null",
    "in",
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
  ],
  ...["function", "if", "import", "let", "loop", "package", "namespace", "return", "var", "void", "while"],
  ...["bool", "int", "uint", "double", "string", "bytes", "list", "map", "null_type", "type"],
]);

/** Whether the id alone can refer to the node. */
export function isPlainName(id: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(id) && !taken.has(id);
}

/** How a condition refers to a node. */
export function referenceTo(id: string): string {
  return isPlainName(id) ? id : `nodes[${JSON.stringify(id)}]`;
}
