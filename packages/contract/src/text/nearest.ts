/** The known name that was most likely meant: at most one typo for every four letters, and at least one. */
export function nearest(written: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  const allowed = Math.max(1, Math.floor(Math.min(written.length, 40) / 4));
  let fewest = Math.min(allowed + 1, written.length);
  for (const candidate of known) {
    // Names are short, so the plain algorithm is enough; anything longer is not a name.
    if (candidate.length > 100 || Math.abs(candidate.length - written.length) >= fewest) continue;
    const slips = distance(written, candidate);
    if (slips < fewest) [best, fewest] = [candidate, slips];
  }
  return best;
}

/** Letters to add, leave out, replace, or swap with their neighbour. */
function distance(a: string, b: string): number {
  let [twoBack, before] = [
    new Array<number>(b.length + 1).fill(0),
    Array.from({ length: b.length + 1 }, (_, at) => at),
  ];
  for (let row = 1; row <= a.length; row++) {
    const now = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      now[column] = Math.min(
        (before[column] ?? 0) + 1,
        (now[column - 1] ?? 0) + 1,
        (before[column - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (twoBack[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [twoBack, before] = [before, now];
  }
  return before[b.length] ?? 0;
}
