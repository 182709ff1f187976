/**
 * Holds docs/reference/glossary.md: words that this project no longer uses, and the term to use instead. Identifiers are
 * compared word by word; comments, texts in code and documents as prose.
 */
import { readFileSync } from "node:fs";
import { parseSync } from "vite";
import { findFiles, inTree } from "../tree.ts";
import { failed, type Outcome, passedWith } from "./step.ts";

interface Retired {
  readonly words: readonly string[];
  readonly use: string;
  /** Ordinary English in prose, and dialect in a name. */
  readonly onlyInNames?: true;
}

/** Short on purpose: a word is here because it came back, or is likely to. */
const retired: readonly Retired[] = [
  {
    words: ["tell", "tells", "told", "telling", "tellings", "untold"],
    use: "publish, report, print, describe",
  },
  { words: ["hear", "hears", "heard", "hearing"], use: "receive, be notified" },
  { words: ["shown"], use: "visible, displayed, listed", onlyInNames: true },
  { words: ["anew"], use: "again" },
  { words: ["whoever"], use: "the caller, the agent, anyone who" },
  { words: ["mend", "mends", "mended", "mender", "mending"], use: "fix, repair, recover" },
  { words: ["seal", "seals", "sealed", "sealer", "sealing", "unseal"], use: "chain (hash) or encrypt" },
  {
    words: ["hands", "patient", "books", "crowd", "stir", "stirs", "wish"],
    use: "executors, host, ledger, audience, change hint, request",
    onlyInNames: true,
  },
  { words: ["workshop", "notary", "switchboard", "desk"], use: "worker, signer, connections, reports" },
  { words: ["usual"], use: "default", onlyInNames: true },
  { words: ["said"], use: "output, reported, stated", onlyInNames: true },
];

const retiredPhrases: readonly { readonly phrase: RegExp; readonly use: string }[] = [
  { phrase: /\bways? out\b/i, use: "egress (of data), fix (of an error)" },
  { phrase: /\bunless (?:told|stated)\b/i, use: "by default" },
  {
    phrase: /\bthe usual one\b|\b(?:unless|when nothing|where nothing) (?:it )?is said\b/i,
    use: "the default",
  },
  {
    phrase: /\b(?:life|lives) of the hub\b|\bthe hub's (?:next |earlier )?li(?:fe|ves)\b/i,
    use: "restart, process",
  },
];

/** Columns and fields of stored and wire formats, which keep their names. */
const storedNames = /^(?:sealed|sealing|sentAnew)$/;

const files = [
  "{apps,bench,chaos,conformance,docs,examples,packages,proto,scripts,simulation}/**/*.{ts,tsx,mjs,md,proto,css,html,py,yaml}",
  "*.{md,ts,json,yaml}",
  ".github/**/*.yml",
];
const leftOut =
  /(^|\/)(gen|dist|node_modules|vectors)\/|package-lock\.json$|reference\/glossary\.md$|checks\/glossary(\.test)?\.ts$|scripts\/check\.test\.ts$/;

export async function checkGlossary(paths: readonly string[] = []): Promise<Outcome> {
  const isWanted = (file: string) => paths.length === 0 || paths.some((path) => file.startsWith(path));
  const checked = findFiles(...files).filter((file) => !leftOut.test(file) && isWanted(file));
  const problems = checked.flatMap((file) => findRetired(file, readFileSync(inTree(file), "utf8")));
  return problems.length === 0 ? passedWith(`${checked.length} files`) : failed(problems.join("\n"));
}

interface Piece {
  readonly text: string;
  readonly offset: number;
  readonly isName: boolean;
}

/** Every use of a retired word in one file. */
export function findRetired(file: string, content: string): string[] {
  // Only the comments of the contract are checked: its names are fixed.
  const source = file.endsWith(".proto") ? content.replaceAll(/^ *((?:\/\/.*)?).*$/gm, "$1") : content;
  const pieces = [{ text: file, offset: 0, isName: true }, ...piecesOf(file, source)];
  return pieces.flatMap(({ text, offset, isName }) => {
    const found = new Map<string, string>();
    if (!isName)
      for (const { phrase, use } of retiredPhrases) {
        const match = phrase.exec(text);
        if (match) found.set(match[0], use);
      }
    for (const [word] of text.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)) {
      const rule = rules.get(word.toLowerCase());
      if (rule && (isName || !rule.onlyInNames)) found.set(word, rule.use);
    }
    return [...found].map(([word, use]) => {
      const where = Math.max(0, text.indexOf(word));
      const line = source.slice(0, offset + where).split("\n").length;
      return `${file}:${line}  "${word}"${isName ? ` in ${text}` : ""}\n  use: ${use} (docs/reference/glossary.md)`;
    });
  });
}

function piecesOf(file: string, source: string): Piece[] {
  if (/\.(ts|tsx|mjs)$/.test(file)) return piecesOfCode(file, source);
  return linesOf(source, file.endsWith(".md") ? withoutCode() : (line) => line);
}

const rules = new Map(retired.flatMap((rule) => rule.words.map((word) => [word, rule] as const)));

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

function piecesOfCode(file: string, source: string): Piece[] {
  const { program, comments, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file} does not parse: ${errors[0].message}`);
  const pieces: Piece[] = comments.map(({ value, start }) => ({
    text: value,
    offset: start + 2,
    isName: false,
  }));
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (typeof value !== "object" || value === null) return;
    const node = value as Node;
    if (typeof node.type !== "string") return;
    if (node.type === "Identifier" || node.type === "PrivateIdentifier" || node.type === "JSXIdentifier") {
      const text = String(node.name);
      // One report for each name of a file is enough.
      if (!names.has(text) && !storedNames.test(text))
        pieces.push({ text, offset: node.start, isName: true });
      names.add(text);
    } else if (node.type === "Literal" && typeof node.value === "string")
      pieces.push({ text: withoutColumns(file, node.value), offset: node.start, isName: false });
    else if (node.type === "TemplateElement")
      pieces.push({
        text: withoutColumns(file, source.slice(node.start, node.end)),
        offset: node.start,
        isName: false,
      });
    else if (node.type === "JSXText")
      pieces.push({ text: String(node.value), offset: node.start, isName: false });
    for (const [key, child] of Object.entries(node)) if (key !== "type") visit(child);
  };
  visit(program);
  return pieces;
}

/** SQL of the store names columns in texts, and the export of the audit record names its last line. */
function withoutColumns(file: string, text: string): string {
  return /stores\/sqlite\/|audit\/export\/format\.ts$/.test(file)
    ? text.replaceAll(/\bseal(?:ed|ing)?\b/g, (name) => " ".repeat(name.length))
    : text;
}

function linesOf(source: string, textOf: (line: string) => string): Piece[] {
  let offset = 0;
  return source.split("\n").map((line) => {
    const piece = { text: textOf(line), offset, isName: false };
    offset += line.length + 1;
    return piece;
  });
}

/** A document without what it quotes as code, line by line. */
function withoutCode(): (line: string) => string {
  let isFenced = false;
  return (line) => {
    if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced;
    const isCode = isFenced || /^ {4}\S/.test(line);
    return isCode ? "" : line.replaceAll(/`[^`]*`/g, (code) => " ".repeat(code.length));
  };
}

if (import.meta.main) {
  const outcome = await checkGlossary(process.argv.slice(2));
  console.log(outcome.status === "failed" ? outcome.output : outcome.status);
  if (outcome.status === "failed") process.exitCode = 1;
}
