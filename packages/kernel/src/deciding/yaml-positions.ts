/** The part of a YAML node that is needed here, without depending on the parser. */
interface YamlNode {
  readonly flow?: unknown;
  readonly range?: readonly number[] | null;
  readonly items?: readonly unknown[];
  readonly key?: unknown;
  readonly value?: unknown;
}

/** The offset of the innermost bracket that is unclosed at an offset: parsers only report where they gave up. */
export function unclosedBracket(root: unknown, text: string, offset: number): number | undefined {
  let found: number | undefined;
  const look = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { flow, range, items = [], key, value } = node as YamlNode;
    const [start = 0, end = 0] = range ?? [];
    const isOpen = flow === true && start < offset && !"]}".includes(text[end - 1] ?? "");
    if (isOpen && start >= (found ?? 0)) found = start;
    for (const item of items) look(item);
    look(key);
    if (items.length === 0) look(value);
  };
  look(root);
  return found;
}

/**
 * The offset of a path such as `routes[0].task_type` or `labels["team"]`, or of its closest existing ancestor; undefined in
 * an empty document. Of an entry of a map, it is that of the key.
 */
export function offsetOf(root: unknown, path: string): number | undefined {
  let node = root;
  let offset = startOf(node);
  for (let rest = path; rest !== ""; ) {
    const step = stepInto(node, rest);
    if (step === undefined) break;
    ({ node, rest } = step);
    offset = step.offset ?? offset;
  }
  return offset;
}

interface Step {
  readonly node: unknown;
  readonly offset: number | undefined;
  readonly rest: string;
}

function stepInto(node: unknown, path: string): Step | undefined {
  const items = ((node as YamlNode | null | undefined)?.items ?? []) as readonly YamlNode[];
  const [bracket, index, quoted] = /^\[(?:(\d+)|"([^"]*)")\]/.exec(path) ?? [];
  const pairs = items.filter((item) => typeof item === "object" && item !== null && "key" in item);
  if (pairs.length === 0) {
    const item = index === undefined ? undefined : items[Number(index)];
    return item && { node: item, offset: startOf(item), rest: afterDot(path, bracket ?? "") };
  }
  const found = bracket
    ? [pairs.find((pair) => nameOf(pair) === (quoted ?? index)), bracket]
    : findEntry(pairs, path);
  const [pair, written] = found as readonly [YamlNode | undefined, string];
  return pair && { node: pair.value, offset: startOf(pair.key), rest: afterDot(path, written) };
}

/** The entry that a path begins with, and its name in the path. Fields may be in lowerCamelCase or as in the proto files. */
function findEntry(pairs: readonly YamlNode[], path: string): readonly [YamlNode | undefined, string] {
  // A key may contain dots: what follows shows where it ends.
  const exact = pairs.find((pair) => {
    const name = nameOf(pair);
    return path.startsWith(name) && /^($|\.|\[)/.test(path.slice(name.length));
  });
  if (exact) return [exact, nameOf(exact)];
  const [written = ""] = /^[^.[]+/.exec(path) ?? [];
  return [pairs.find((pair) => plain(nameOf(pair)) === plain(written)), written];
}

function afterDot(path: string, written: string): string {
  return path.slice(written.length).replace(/^\./, "");
}

function nameOf({ key }: YamlNode): string {
  return String((key as YamlNode | null)?.value ?? "");
}

function plain(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

function startOf(node: unknown): number | undefined {
  return (node as YamlNode | null | undefined)?.range?.[0];
}
