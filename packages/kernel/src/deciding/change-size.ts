import type { ChangeSize } from "@baton/contract/messages";

/** The size of a change, as `3 files, +120 -7`. */
export function describeSize({ files, addedLines, removedLines }: ChangeSize): string {
  if (files === 0) return "no change";
  const lines = addedLines + removedLines > 0 ? `, +${addedLines} -${removedLines}` : "";
  return `${files} ${files === 1 ? "file" : "files"}${lines}`;
}
