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
