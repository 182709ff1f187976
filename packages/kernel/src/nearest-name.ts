/** The one of the names that was most likely meant, or none when nothing is near. */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(Math.min(written.length, 40) / 4));
  const [nearest] = names
    .map((name) => ({ name, steps: stepsBetween(written, name) }))
    .filter(({ steps }) => steps <= most && steps < written.length)
    .toSorted((a, b) => a.steps - b.steps);
  return nearest?.name;
}

/** The beginning of a fix: the name that was likely meant, if one is near. */
export function didYouMean(written: string, names: readonly string[]): string {
  const nearest = nearestName(written, names);
  return nearest === undefined ? "" : `did you mean ${nearest}? `;
}

/** How many letters have to be added, taken away, changed or swapped with the next. Names are short, so the plain way does. */
function stepsBetween(from: string, to: string): number {
  if (from.length > 100 || to.length > 100) return Number.POSITIVE_INFINITY;
  let twoBefore: number[] = [];
  let before = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 0; row < from.length; row++) {
    const here = [row + 1];
    for (let column = 0; column < to.length; column++) {
      const changed = (before[column] ?? 0) + (from[row] === to[column] ? 0 : 1);
      const isSwap = from[row] === to[column - 1] && from[row - 1] === to[column] && row > 0 && column > 0;
      const swapped = isSwap ? (twoBefore[column - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      here.push(Math.min(changed, swapped, (before[column + 1] ?? 0) + 1, (here[column] ?? 0) + 1));
    }
    [twoBefore, before] = [before, here];
  }
  return before.at(-1) ?? 0;
}
