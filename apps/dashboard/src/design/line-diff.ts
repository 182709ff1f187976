/** A line of a difference. */
export interface DiffLine {
  /** A note is a hunk header or a remark of git. */
  readonly kind: "same" | "add" | "del" | "note";
  readonly text: string;
}

/** Larger differences are displayed as one removal and one addition. */
const maxCells = 4_000_000;

export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const same = (lines: readonly string[]) => lines.map((text): DiffLine => ({ kind: "same", text }));
  return [
    ...same(a.slice(0, start)),
    ...diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...same(a.slice(a.length - end)),
  ];
}

/** The longest common subsequence, by dynamic programming. */
function diffMiddle(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  const removed = a.map((text): DiffLine => ({ kind: "del", text }));
  const added = b.map((text): DiffLine => ({ kind: "add", text }));
  if (a.length === 0 || b.length === 0 || a.length * b.length > maxCells) return [...removed, ...added];
  const width = b.length + 1;
  const longest = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: "same", text: a[i++] ?? "" });
      j++;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1)))
      lines.push({ kind: "del", text: a[i++] ?? "" });
    else lines.push({ kind: "add", text: b[j++] ?? "" });
  }
  return lines;
}

/** The changes with a few lines of context. */
export function hunksOf(lines: readonly DiffLine[], around = 2): readonly (readonly DiffLine[])[] {
  const hunks: DiffLine[][] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const [place, { kind }] of lines.entries()) {
    if (kind === "same") continue;
    const from = Math.max(place - around, last + 1, 0);
    const to = Math.min(lines.length - 1, place + around);
    if (from > last + 1 || hunks.length === 0) hunks.push([]);
    hunks.at(-1)?.push(...lines.slice(from, to + 1));
    last = to;
  }
  return hunks;
}
