import { type Document, isMap, isNode, isPair, isScalar, isSeq, type LineCounter, type Node } from "yaml";

/** The position of a field in the file, as `task.yaml:3:5`; of a missing field, that of its parent. */
export type Positions = (field: string) => string;

export function positionsIn(name: string, document: Document, lines: LineCounter): Positions {
  return (field) => {
    const offset = offsetOf(document.contents, segmentsOf(field));
    if (offset === undefined) return name;
    const { line, col } = lines.linePos(offset);
    return `${name}:${line}:${col}`;
  };
}

/** `refs[2].digest` as `refs`, `2`, `digest`. */
function segmentsOf(field: string): readonly string[] {
  return field.match(/[^.[\]"]+/g) ?? [];
}

function offsetOf(root: unknown, segments: readonly string[]): number | undefined {
  let node: Node | undefined = isNode(root) ? root : undefined;
  let offset = node?.range?.[0];
  for (const segment of segments) {
    const [next, at] = stepInto(node, segment);
    if (at === undefined) break;
    [node, offset] = [next, at];
  }
  return offset;
}

/** The child of a node and its offset: that of the key in a map, of the item in a list. */
function stepInto(node: Node | undefined, segment: string): readonly [Node | undefined, number | undefined] {
  if (isSeq(node)) {
    const item = node.items[Number(segment)];
    return isNode(item) ? [item, item.range?.[0]] : [undefined, undefined];
  }
  if (!isMap(node)) return [undefined, undefined];
  for (const pair of node.items) {
    if (!isPair(pair) || !isScalar(pair.key) || !isSameField(String(pair.key.value), segment)) continue;
    return [isNode(pair.value) ? pair.value : undefined, pair.key.range?.[0]];
  }
  return [undefined, undefined];
}

/** Fields are written in lowerCamelCase or as in the proto files. */
function isSameField(key: string, field: string): boolean {
  return plain(key) === plain(field);
}

function plain(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}
