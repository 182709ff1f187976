import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const tree = resolve(import.meta.dirname, "../../..");

/** What a page asks its reader to do or to compare. Every block of a page that is set as code is exactly one of these. */
export interface Block {
  /** `command` is typed in a shell, `file` is saved, `output` is what a command prints, `listing` is anything else. */
  readonly kind: "command" | "file" | "output" | "listing";
  readonly language: string;
  readonly text: string;
  readonly line: number;
}

/** First words of an indented line that make it a command. */
const programs = /^(?:(?:baton|curl|git|install|mv|npm|npx|rm|sudo|ln|systemctl|useradd) |[a-z]+=\$\()/;

const fileLanguages = new Set(["ini", "js", "json", "ts", "yaml"]);

/** The blocks of a page, from its top to its end. */
export function readPage(page: string): readonly Block[] {
  const lines = readFileSync(join(tree, page), "utf8").split("\n");
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at++) {
    const fence = /^( *)```(\w*)$/.exec(lines[at] ?? "");
    if (fence !== null) {
      const [, margin = "", language = ""] = fence;
      const end = lines.indexOf(`${margin}\`\`\``, at + 1);
      if (end < 0) throw new Error(`${page}:${at + 1}: this block has no end`);
      const text = lines.slice(at + 1, end).map((line) => line.slice(margin.length));
      blocks.push(...blocksOfFence(language, text, at + 1));
      at = end;
    } else if (isIndented(lines[at]) && lines[at - 1] === "") {
      const end = lines.findIndex((line, index) => index > at && !isIndented(line));
      const text = lines.slice(at, end < 0 ? undefined : end).map((line) => line.slice(4));
      blocks.push(...blocksOfIndented(text, at + 1));
      at += text.length - 1;
    }
  }
  return blocks;
}

const isIndented = (line: string | undefined) => line?.startsWith("    ") === true;

function blocksOfFence(language: string, lines: readonly string[], line: number): readonly Block[] {
  const block = { language, text: lines.join("\n"), line: line + 1 };
  if (language === "sh") return [{ ...block, kind: "command" }];
  if (fileLanguages.has(language)) return [{ ...block, kind: "file" }];
  if (language !== "console") return [{ ...block, kind: "listing" }];
  const [first = "", ...rest] = lines;
  if (!first.startsWith("$ ")) return [{ ...block, kind: "output" }];
  return [
    { ...block, kind: "command", text: first.slice(2) },
    { ...block, kind: "output", text: rest.join("\n"), line: line + 2 },
  ];
}

/** Each line is a command of its own, but one that goes on in the next line, and one that sets what the others use. */
function blocksOfIndented(lines: readonly string[], line: number): readonly Block[] {
  const block = { language: "", line };
  const [first = ""] = lines;
  if (!programs.test(first)) return [{ ...block, kind: "listing", text: lines.join("\n") }];
  if (/^\w+=/.test(first)) return [{ ...block, kind: "command", text: lines.join("\n") }];
  const commands: Block[] = [];
  let from = 0;
  for (const [index, text] of lines.entries()) {
    if (text.endsWith("\\")) continue;
    const command = lines.slice(from, index + 1).join("\n");
    commands.push({ ...block, kind: "command", text: command, line: line + from });
    from = index + 1;
  }
  return commands;
}
