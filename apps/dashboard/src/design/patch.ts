import type { DiffLine } from "./line-diff.ts";

export interface PatchFile {
  readonly path: string;
  readonly hunks: readonly (readonly DiffLine[])[];
  readonly added: number;
  readonly removed: number;
}

/** Parses a patch of git. Binary and renamed files have no hunks. */
export function readPatch(patch: string): readonly PatchFile[] {
  return patch
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith("diff --git "))
    .map(readFile);
}

function readFile(part: string): PatchFile {
  const lines = part.replace(/\n$/, "").split("\n");
  const first = lines.findIndex((line) => line.startsWith("@@"));
  const head = first < 0 ? lines : lines.slice(0, first);
  const body = first < 0 ? [] : lines.slice(first);
  const hunks = readHunks(body);
  const count = (kind: DiffLine["kind"]) => hunks.flat().filter((line) => line.kind === kind).length;
  return { path: pathOf(head), hunks, added: count("add"), removed: count("del") };
}

/** Splits a diff into hunks, each with its header. */
export function readHunks(lines: readonly string[]): readonly (readonly DiffLine[])[] {
  const hunks: DiffLine[][] = [];
  for (const line of lines) {
    if (line.startsWith("@@")) hunks.push([{ kind: "note", text: line }]);
    else hunks.at(-1)?.push(readLine(line));
  }
  return hunks;
}

/** Remarks of git, such as "No newline at end of file", start with a backslash. */
function readLine(line: string): DiffLine {
  if (line.startsWith("\\")) return { kind: "note", text: line.slice(2) };
  const kind = line.startsWith("+") ? "add" : line.startsWith("-") ? "del" : "same";
  return { kind, text: line.slice(1) };
}

function pathOf(head: readonly string[]): string {
  const named = (prefix: string) => head.find((line) => line.startsWith(prefix))?.slice(prefix.length);
  const to = named("+++ b/");
  return (
    to ??
    named("--- a/") ??
    named("rename to ") ??
    (head[0] ?? "").replace(/^diff --git a\/(.*) b\/.*$/, "$1")
  );
}
