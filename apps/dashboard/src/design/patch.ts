import type { DiffLine } from "./line-diff.ts";

/** What a patch does to one file. */
export interface PatchFile {
  readonly path: string;
  readonly hunks: readonly (readonly DiffLine[])[];
  readonly added: number;
  readonly removed: number;
}

/** Reads a patch as git writes it. What is no text, or was only renamed, has no hunks. */
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
  const hunks: DiffLine[][] = [];
  let [added, removed] = [0, 0];
  for (const line of body) {
    if (line.startsWith("@@")) hunks.push([]);
    else if (line.startsWith("+") && ++added > 0) hunks.at(-1)?.push({ kind: "add", text: line.slice(1) });
    else if (line.startsWith("-") && ++removed > 0) hunks.at(-1)?.push({ kind: "del", text: line.slice(1) });
    else if (!line.startsWith("\\")) hunks.at(-1)?.push({ kind: "same", text: line.slice(1) });
  }
  return { path: pathOf(head), hunks, added, removed };
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
