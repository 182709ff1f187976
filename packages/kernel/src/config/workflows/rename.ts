import type { JsonValue } from "@bufbuild/protobuf";
import { parseCondition } from "../../graph/cel/ast.ts";
import { type Rename, renameNodes } from "../../graph/cel/rename-nodes.ts";
import { rewriteMapping, templateOf } from "../../graph/mapping/rewrite-template.ts";

/** A condition that compiles, with other ids for nodes. */
export function renameCondition(source: string, ids: ReadonlySet<string>, rename: Rename): string {
  return renameNodes(parseCondition(source), (id) => (ids.has(id) ? rename(id) : undefined));
}

/** A mapping that compiles, with other ids for nodes. */
export function renameInputs(
  inputs: JsonValue,
  ids: ReadonlySet<string>,
  rename: (id: string) => string,
): JsonValue {
  return rewriteMapping(inputs, ids, ({ node, field, path }) =>
    node === undefined
      ? templateOf(undefined, path)
      : templateOf(rename(node), field === undefined ? path : [field, ...path]),
  );
}
