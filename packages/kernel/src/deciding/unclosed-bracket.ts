/** A node of a YAML document, as far as it is looked at here: no parser is needed for that. */
interface YamlNode {
  readonly flow?: unknown;
  readonly range?: readonly number[] | null;
  readonly items?: readonly unknown[];
  readonly key?: unknown;
  readonly value?: unknown;
}

/** Where the innermost bracket stands that is open at an offset: a parser only says where it gave up. */
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
