/** The code that writes messages: a function for each, a statement for each field. */
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { header, isImplicit, type Kind, kindOf, nameOf, tagOf, typeImports } from "./plain-messages.ts";

const imports = `import { notPlain } from "../../src/plain/plain-bytes.ts";
import type { PlainWriter } from "../../src/plain/plain-writer.ts";
import {
  isEmpty,
  list,
  ordinary,
  putBool,
  putBytes,
  putDouble,
  putInt32,
  putInt64,
  putText,
} from "../../src/plain/put.ts";
import { writeData } from "../../src/plain/write-data.ts";
`;

export function writerSource(messages: readonly DescMessage[]): string {
  const entries = messages.map((message) => `  ["${message.typeName}", write${nameOf(message)}],\n`);
  return [
    header,
    imports,
    typeImports(messages),
    "\n/** What writes a message, by the name of its type. */\n",
    "export const writers: ReadonlyMap<string, (to: PlainWriter, m: never) => void> = new Map<\n",
    "  string,\n  (to: PlainWriter, m: never) => void\n>([\n",
    ...entries,
    "]);\n",
    ...messages.map(functionOf),
  ].join("");
}

function functionOf(message: DescMessage): string {
  const name = nameOf(message);
  const fields = [...message.fields].sort((one, other) => one.number - other.number);
  return `
function write${name}(to: PlainWriter, m: ${name}): void {
  if (m.$typeName !== "${message.typeName}" || m.$unknown !== undefined) throw notPlain;
  if (Object.getPrototypeOf(m) !== ordinary) throw notPlain;
${fields.map(statementOf).join("")}}
`;
}

function statementOf(field: DescField): string {
  const { localName, oneof, fieldKind } = field;
  const kind = kindOf(field);
  if (kind === undefined) throw new Error(`nobody knows how to write ${field}`);
  const value = `m.${localName}`;
  if (fieldKind === "list")
    return `  for (const item of list(${value})) ${inBlock(put(field, kind, "item"))}`;
  if (oneof) {
    const group = `m.${oneof.localName}`;
    return `  if (${group}.case === "${localName}") ${inBlock(put(field, kind, `${group}.value`))}`;
  }
  const isThere = isImplicit(field) ? differsFromZero(kind, value) : `${value} !== undefined`;
  return `  if (${isThere}) ${inBlock(put(field, kind, value))}`;
}

function inBlock(statements: readonly string[]): string {
  const [only] = statements;
  return statements.length === 1
    ? `${only}\n`
    : `{\n${statements.map((statement) => `    ${statement}\n`).join("")}  }\n`;
}

function put(field: DescField, kind: Kind, value: string): readonly string[] {
  const tag = tagOf(field, kind);
  if (typeof kind === "string" && kind !== "data")
    return [`put${kind[0]?.toUpperCase()}${kind.slice(1)}(to, ${tag}, ${value});`];
  const write = kind === "data" ? "writeData" : `write${nameOf(kind)}`;
  return [`const start = to.begin(${tag});`, `${write}(to, ${value});`, "to.close(start);"];
}

function differsFromZero(kind: Kind, value: string): string {
  switch (kind) {
    case "text":
      return `${value} !== ""`;
    case "bool":
      return `${value} !== false`;
    case "int32":
      return `${value} !== 0`;
    case "int64":
      return `${value} !== 0n`;
    case "double":
      return `!Object.is(${value}, 0)`;
    case "bytes":
      return `!isEmpty(${value})`;
    default:
      throw new Error("a message has no zero");
  }
}
