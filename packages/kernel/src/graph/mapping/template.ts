import { answerFields } from "../cel/cel-answer.ts";
import { clip, type GraphProblemCode, listNames } from "../problem.ts";

/** A string of a mapping, split at its templates. */
export type TemplatePart = string | Reference;

/** The target of `{{node.data.path}}` (SACP §4.2). */
export interface Reference {
  /** The source text, for messages. */
  readonly text: string;
  /** The node; undefined for the pipeline's own inputs. */
  readonly node: string | undefined;
  /** The field of the node's answer; undefined for the pipeline's own inputs. */
  readonly field: string | undefined;
  /** The path below the field. */
  readonly path: readonly (string | number)[];
}

export class TemplateFault extends Error {
  readonly code: GraphProblemCode;
  readonly offset: number;
  readonly fix: string;
  constructor(code: GraphProblemCode, offset: number, message: string, fix: string) {
    super(message);
    this.code = code;
    this.offset = offset;
    this.fix = fix;
  }
}

/** Splits a string. `\{{` is a literal `{{`, and `\\{{` a backslash before a template; other backslashes are literal. */
export function parseTemplate(text: string, nodes: ReadonlySet<string>): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let literal = "";
  let from = 0;
  for (let open = text.indexOf("{{"); open !== -1; open = text.indexOf("{{", from)) {
    let slashes = 0;
    while (open - slashes > from && text[open - slashes - 1] === "\\") slashes++;
    literal += text.slice(from, open - slashes) + "\\".repeat(slashes >> 1);
    if (slashes % 2 === 1) {
      literal += "{{";
      from = open + 2;
      continue;
    }
    const [reference, end] = parseReference(text, open + 2, nodes);
    if (literal !== "") parts.push(literal);
    parts.push(reference);
    literal = "";
    from = end;
  }
  literal += text.slice(from);
  if (literal !== "" || parts.length === 0) parts.push(literal);
  return parts;
}

/** Reads `node.data.path[2]["any key"] }}`; returns the reference and the offset after the braces. */
function parseReference(text: string, start: number, nodes: ReadonlySet<string>): [Reference, end: number] {
  const begin = skipSpace(text, start);
  const [node, afterRoot] = parseRoot(text, begin, nodes);
  const path: (string | number)[] = [];
  let at = afterRoot;
  for (;;) {
    const step = nextStep(text, at);
    if (!step) break;
    path.push(step[0]);
    at = step[1];
  }
  const written = clip(text.slice(begin, at));
  const end = skipSpace(text, at);
  if (!text.startsWith("}}", end)) {
    const isOpen = text.indexOf("}}", end) === -1;
    const message = isOpen ? "a template is never closed" : `the template cannot be read after "${written}"`;
    const fix = isOpen ? 'close it with "}}", or write "\\{{" for the braces themselves' : pathFix;
    throw new TemplateFault("BATON-GRAPH-008", isOpen ? start - 2 : end, message, fix);
  }
  if (node === undefined) return [{ text: written, node, field: undefined, path }, end + 2];
  const [field, ...rest] = path;
  if (typeof field !== "string" || !answerFields.includes(field)) {
    const hint = field === "thought" ? "; a thought is for people, not for the next agent" : "";
    const message =
      field === undefined
        ? `"${written}" is a whole answer`
        : `an answer has no field ${listNames([String(field)])}${hint}`;
    throw new TemplateFault("BATON-GRAPH-004", begin, message, `use one of ${answerFields.join(", ")}`);
  }
  return [{ text: written, node, field, path: rest }, end + 2];
}

const pathFix = 'write a path such as node.data.names[0], or node.data["any key"]';

/** Reads the longest known id, `nodes["any id"]` or `input`. */
function parseRoot(
  text: string,
  at: number,
  nodes: ReadonlySet<string>,
): [node: string | undefined, end: number] {
  const quoted = text.startsWith("nodes[", at) ? nextStep(text, at + "nodes".length) : undefined;
  if (typeof quoted?.[0] === "string") {
    if (nodes.has(quoted[0])) return [quoted[0], quoted[1]];
    throw unknownNode(quoted[0], at, nodes);
  }
  if (isRoot(text, at, "input")) return [undefined, at + "input".length];
  let longest: string | undefined;
  for (const id of nodes) if (id.length > (longest?.length ?? 0) && isRoot(text, at, id)) longest = id;
  if (longest !== undefined) return [longest, at + longest.length];
  throw unknownNode(/^[^\s.[\]{}]*/.exec(text.slice(at))?.[0] ?? "", at, nodes);
}

function isRoot(text: string, at: number, name: string): boolean {
  return name !== "" && text.startsWith(name, at) && /[\s.[}]/.test(text[at + name.length] ?? "");
}

function unknownNode(name: string, at: number, nodes: ReadonlySet<string>): TemplateFault {
  const message = name === "" ? "a template without a name" : `there is no node ${JSON.stringify(name)}`;
  return new TemplateFault("BATON-GRAPH-003", at, message, `use "input" or one of ${listNames(nodes)}`);
}

/** `.name`, `[2]` or `["any key"]`. */
function nextStep(text: string, at: number): [step: string | number, end: number] | undefined {
  step.lastIndex = at;
  const match = step.exec(text);
  if (!match) return undefined;
  const [, name, index, key] = match;
  const value = name ?? (index === undefined ? (JSON.parse(key ?? '""') as string) : Number(index));
  return [value, step.lastIndex];
}

const step =
  /\.([^\s.[\]{}"'|()]+)|\[(\d{1,9})\]|\[("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")\]/uy;

function skipSpace(text: string, at: number): number {
  let end = at;
  while (/\s/.test(text[end] ?? "")) end++;
  return end;
}
