/** The code that reads messages: a function for each, a case for each field. */
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { header, isImplicit, type Kind, kindOf, nameOf, tagOf, typeImports } from "./plain-messages.ts";

const imports = `import { notPlain } from "../../src/plain/plain-bytes.ts";
import { readData } from "../../src/plain/read-data.ts";
import { asItCame, checkDepth, countElement, type Reading, readInt32 } from "../../src/plain/reading.ts";
`;

/** Results are stored soon after they are decoded, without being encoded again. */
const wantedAsItCame = new Set(["vasini.agent.v1.AgentResult"]);

export function readerSource(messages: readonly DescMessage[]): string {
  const entries = messages.map((message) => `  ["${message.typeName}", read${nameOf(message)}],\n`);
  return [
    header,
    imports,
    typeImports(messages),
    "\n/** What reads a message, by the name of its type. */\n",
    "export const readers: ReadonlyMap<string, (reading: Reading, end: number, depth: number) => unknown> =\n",
    "  new Map<string, (reading: Reading, end: number, depth: number) => unknown>([\n",
    ...entries.map((entry) => `  ${entry}`),
    "  ]);\n",
    ...messages.map(functionOf),
  ].join("");
}

function functionOf(message: DescMessage): string {
  const name = nameOf(message);
  return `
function read${name}(reading: Reading, end: number, depth: number): ${name} {
  checkDepth(reading, depth);
  const { from } = reading;
  const m: ${name} = {
    $typeName: "${message.typeName}",
${message.members.map(blankOf).join("")}  };
  while (from.at < end) {
    switch (from.varint()) {
${message.fields.map(caseOf).join("")}      default:
        throw notPlain;
    }
  }
  if (from.at !== end) throw notPlain;
  return m;
}
`;
}

/** As protobuf-es makes it: what says by itself whether it is there, is not. */
function blankOf(member: DescMessage["members"][number]): string {
  const { localName } = member;
  if (member.kind === "oneof") return `    ${localName}: { case: undefined },\n`;
  if (member.fieldKind === "list") return `    ${localName}: [],\n`;
  return isImplicit(member) ? `    ${localName}: ${zeroOf(member)},\n` : "";
}

function zeroOf(field: DescField): string {
  const kind = kindOf(field);
  switch (kind) {
    case "text":
      return '""';
    case "bool":
      return "false";
    case "int32":
    case "double":
      return "0";
    case "int64":
      return "0n";
    case "bytes":
      return "new Uint8Array(0)";
    default:
      throw new Error(`nobody knows the zero of ${field}`);
  }
}

function caseOf(field: DescField): string {
  const { localName, oneof, fieldKind } = field;
  const kind = kindOf(field);
  if (kind === undefined) throw new Error(`nobody knows how to read ${field}`);
  const value = read(kind);
  const holdsOthers = typeof kind === "object" || kind === "data";
  const count = "countElement(reading);";
  const statements: string[] = [];
  if (fieldKind === "list") {
    statements.push(count, `m.${localName}.push(${value});`);
  } else if (oneof) {
    const group = `m.${oneof.localName}`;
    statements.push(`if (${group}.case !== undefined) throw notPlain;`, ...(holdsOthers ? [count] : []));
    statements.push(`${group} = { case: "${localName}", value: ${value} };`);
  } else if (holdsOthers) {
    statements.push(`if (m.${localName} !== undefined) throw notPlain;`, count, `m.${localName} = ${value};`);
  } else {
    statements.push(`m.${localName} = ${value};`);
  }
  const lines = [...statements, "break;"].map((statement) => `        ${statement}\n`);
  return `      case ${tagOf(field, kind)}:\n${lines.join("")}`;
}

function read(kind: Kind): string {
  const [inner, below] = ["from.end(end)", "depth + 1"];
  switch (kind) {
    case "text":
      return `from.text(${inner})`;
    case "bytes":
      return `from.bytes(${inner})`;
    case "bool":
      return "from.varint() !== 0";
    case "int32":
      return "readInt32(from)";
    case "int64":
      return "BigInt(from.varint())";
    case "double":
      return "from.double()";
    case "data":
      return `readData(reading, ${inner}, ${below})`;
    default:
      return wantedAsItCame.has(kind.typeName)
        ? `asItCame(read${nameOf(kind)}, reading, ${inner}, ${below})`
        : `read${nameOf(kind)}(reading, ${inner}, ${below})`;
  }
}
