/** What a source file reaches for: the modules it imports and the globals it uses, found by a real parse. */
import { parseSync } from "vite";

export interface Reference {
  readonly kind: "import" | "global" | "member" | "directive";
  /** The module as written, or the name of the global or of the member. */
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

/** Where a node hangs: its parent, and under which of the parent's names. */
interface Place {
  readonly parent: Node;
  readonly key: string;
}

/** The names to look for. */
export interface Wanted {
  readonly globals: ReadonlySet<string>;
  /** Of any object: a parser does not know its type. */
  readonly members: ReadonlySet<string>;
}

/**
 * Reading the clock, the time zone (of a text that names none) or rolling dice; what else `Date` and `Math` offer is a
 * function of its arguments.
 */
const impureMembers: Readonly<Record<string, readonly string[]>> = {
  Date: ["now", "parse"],
  Math: ["random"],
};

export function findReferences(file: string, source: string, wanted: Wanted): Reference[] {
  const { program, comments, errors } = parseSync(file, source);
  const broken = errors[0];
  if (broken !== undefined) throw new Error(`${file} does not parse: ${broken.message}`);

  const found: Reference[] = [];
  const add = (kind: Reference["kind"], name: string, offset: number) => {
    found.push({ kind, name, ...position(source, offset) });
  };
  const nodes = [...walk(program as unknown as Node)];
  const declared = new Set(nodes.flatMap(([node]) => declaredNames(node)));
  for (const [node, place] of nodes) {
    const imported = importedModule(node);
    if (imported !== undefined) add("import", imported, node.start);
    const used = usedGlobal(node, place);
    if (used !== undefined && wanted.globals.has(used) && !declared.has(used))
      add("global", used, node.start);
    const member = usedMember(node, place);
    if (member !== undefined && wanted.members.has(member)) add("member", member, node.start);
  }
  for (const comment of comments) {
    // `/// <reference types="node" />` would bring back the types that a pure package is compiled without.
    if (/^\/\s*<reference\s/.test(comment.value)) add("directive", `//${comment.value}`, comment.start);
  }
  return found;
}

/** Every form that names a module: import, export … from, import(), import("…").Type, import x = require("…"). */
function importedModule(node: Node): string | undefined {
  switch (node.type) {
    case "ImportDeclaration":
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
    case "ImportExpression":
    case "TSImportType":
      return literal(node.source);
    case "TSExternalModuleReference":
      return literal(node.expression);
    default:
      return undefined;
  }
}

/** The text of a string or of a template without holes; a computed name is nobody's business here. */
function literal(value: unknown): string | undefined {
  if (!isNode(value)) return undefined;
  if (value.type === "Literal" && typeof value.value === "string") return value.value;
  if (value.type !== "TemplateLiteral") return undefined;
  const parts = value.quasis as readonly { value: { cooked: string } }[];
  return parts.length === 1 ? parts[0]?.value.cooked : undefined;
}

/** The name under which the tables know it: "fetch", or "Date.now" and "new Date()" for the impure uses of Date. */
function usedGlobal(node: Node, place: Place | undefined): string | undefined {
  if (isNode(node.meta) && isNode(node.property)) return `${node.meta.name}.${node.property.name}`;
  if (node.type !== "Identifier" || place === undefined || isOnlyAName(place)) return undefined;
  const name = node.name as string;
  const impure = Object.hasOwn(impureMembers, name) ? impureMembers[name] : undefined;
  if (impure === undefined) return name;
  const { parent, key } = place;
  if (parent.type === "MemberExpression" && key === "object") {
    const member = memberName(parent);
    // A computed name may be any.
    if (member === undefined) return `${name}.${impure[0]}`;
    return impure.includes(member) ? `${name}.${member}` : undefined;
  }
  if (parent.type === "NewExpression" && key === "callee") return impureNew(name, parent.arguments as Node[]);
  if (parent.type === "CallExpression" && key === "callee") return `${name}()`;
  if (parent.type === "BinaryExpression" && parent.operator === "instanceof") return undefined;
  // Handed on whole, or destructured: where it is used can no longer be seen.
  return `${name}.${impure[0]}`;
}

/** Of no argument a date is now; of several it is a time of day wherever the machine stands. */
function impureNew(name: string, given: readonly Node[]): string | undefined {
  const mayBeNone = given.every(({ type }) => type === "SpreadElement");
  if (mayBeNone) return `new ${name}()`;
  return given.length > 1 ? `new ${name}(year, month)` : undefined;
}

/** The member that an expression reads or a pattern takes out: `a.b`, `a["b"]`, `{ b } = a`. */
function usedMember(node: Node, place: Place | undefined): string | undefined {
  if (node.type === "MemberExpression") return memberName(node);
  const isTaken = node.type === "Property" && place?.parent.type === "ObjectPattern";
  return isTaken ? nameOf(node.key, node.computed) : undefined;
}

/** A property, a key, a type or an exported name is spelled like a global without being one. */
function isOnlyAName({ parent, key }: Place): boolean {
  if (key === "property" || key === "key") return parent.computed !== true;
  if (parent.type === "ImportSpecifier" || parent.type === "ExportSpecifier") return key !== "local";
  const holdsExpression = ["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"].includes(
    parent.type,
  );
  return parent.type.startsWith("TS") && !holdsExpression;
}

function memberName(member: Node): string | undefined {
  return nameOf(member.property, member.computed);
}

/** The name of a property; undefined when it is worked out only at run time. */
function nameOf(property: unknown, computed: unknown): string | undefined {
  if (!isNode(property)) return undefined;
  if (computed) return literal(property);
  return property.type === "Identifier" ? (property.name as string) : literal(property);
}

/** Names this file gives to things of its own: variables, parameters, functions, classes, imports. */
function declaredNames(node: Node): string[] {
  const isFunction = Array.isArray(node.params);
  const patterns = [isFunction ? node.params : [], node.type === "VariableDeclarator" ? node.id : []].flat();
  const names = patterns.filter(isNode).flatMap(boundNames);
  const isNamed = /^(Function|Class)/.test(node.type) && isNode(node.id);
  if (isNamed) names.push((node.id as Node).name as string);
  if (/^Import.*Specifier$/.test(node.type) && isNode(node.local)) names.push(node.local.name as string);
  return names;
}

/** The names a pattern binds: `{ a, b: [c = 1], ...d }` gives a, c and d. */
function boundNames(pattern: Node): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name as string];
    case "ObjectPattern":
      return (pattern.properties as Node[]).flatMap((part) =>
        boundNames((part.value as Node | undefined) ?? part),
      );
    case "ArrayPattern":
      return (pattern.elements as (Node | null)[]).flatMap((part) => (part === null ? [] : boundNames(part)));
    case "AssignmentPattern":
      return boundNames(pattern.left as Node);
    case "RestElement":
      return boundNames(pattern.argument as Node);
    default:
      return [];
  }
}

function* walk(node: Node, place?: Place): Generator<[Node, Place | undefined]> {
  yield [node, place];
  for (const [key, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) yield* walk(child, { parent: node, key });
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function position(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
