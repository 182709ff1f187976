import { readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { stripVTControlCharacters, styleText } from "node:util";
import {
  AgentResultSchema,
  assertValid,
  ContractError,
  contractFiles,
  decodeJson,
  encodeBinary,
  schemaVersion,
  TaskEnvelopeSchema,
} from "@baton/contract";
import type { DescMessage } from "@bufbuild/protobuf";

/** Shows the contract at work on the messages beside this file: two that keep it, two that break it. */
const messages: readonly (readonly [file: string, schema: DescMessage, story: string])[] = [
  ["task.json", TaskEnvelopeSchema, "a task on its way to a specialist"],
  ["result.json", AgentResultSchema, "the specialist's answer, with its proof"],
  ["result-without-proof.json", AgentResultSchema, "an answer that claims success and proves nothing"],
  ["task-misspelt.json", TaskEnvelopeSchema, "a task that somebody mistyped"],
];

function main(): void {
  const count = (kind: "messages" | "enums" | "services") =>
    contractFiles.reduce((sum, file) => sum + file[kind].length, 0);
  print(`${bold("Baton")}  the hub between people and AI agents\n`);
  print(
    `Every agent speaks one contract. Version ${schemaVersion}: ${count("messages")} messages, ${count("enums")} enums,`,
  );
  print(`${count("services")} services. Here is what it takes and what it refuses.\n`);
  for (const [file, schema, story] of messages)
    present(join(import.meta.dirname, "messages", file), schema, story);
  print(`${bold("Where to look")}`);
  print("  examples/contract-tour/messages   these four messages: change one and start again");
  print("  docs/tutorial/first-message.md    build, break and check a message yourself");
  print("  docs/reference/contract.md        every message, field, rule and service");
  print("  npm test                          proves that TypeScript and Python agree on all of it");
  print(
    "  npm start                         the hub that routes these messages to agents, and checks their proof",
  );
}

function present(path: string, schema: DescMessage, story: string): void {
  try {
    const message = decodeJson(schema, readFileSync(path));
    assertValid(schema, message);
    const bytes = encodeBinary(schema, message).length;
    print(`${styleText("green", "accepted")}  ${bold(basename(path))}  ${story}`);
    print(`  ${schema.name}, ${bytes} bytes on the wire, every rule kept\n`);
  } catch (error) {
    print(`${styleText("yellow", "refused")}   ${bold(basename(path))}  ${story}`);
    print(`${describe(error, path).replaceAll(/^/gm, "  ")}\n`);
  }
}

function describe(error: unknown, path: string): string {
  if (error instanceof ContractError) return String(error);
  if (!(error instanceof Error && "code" in error)) throw error;
  const file = relative(process.cwd(), path);
  return `${file} cannot be read: ${error.message.split(",")[0]}\nfix: git checkout -- ${file}`;
}

function bold(text: string): string {
  return styleText("bold", text);
}

/** On a terminal, long lines are broken between words and keep their indentation; in a pipe they stay whole. */
function print(text: string): void {
  const width = process.stdout.isTTY ? Math.max(40, process.stdout.columns) : Number.POSITIVE_INFINITY;
  for (const line of text.split("\n")) {
    const indent = `${/^ */.exec(line)?.[0] ?? ""}  `;
    let left = line;
    while (stripVTControlCharacters(left).length > width) {
      const at = left.lastIndexOf(" ", width);
      if (at <= indent.length) break;
      process.stdout.write(`${left.slice(0, at)}\n`);
      left = `${indent}${left.slice(at + 1)}`;
    }
    process.stdout.write(`${left}\n`);
  }
}

main();
