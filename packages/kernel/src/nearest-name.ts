/** The one of the names that was most likely meant, or none when nothing is near. */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(Math.min(written.length, 40) / 4));
  const [nearest] = names
    .map((name) => ({ name, steps: stepsBetween(written, name) }))
    .filter(({ steps }) => steps <= most)
    .toSorted((a, b) => a.steps - b.steps);
  return nearest?.name;
}

/** How many letters have to be added, taken away or changed. Names are short, so the plain way does. */
function stepsBetween(from: string, to: string): number {
  if (from.length > 100 || to.length > 100) return Number.POSITIVE_INFINITY;
  let before = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...from].entries()) {
    const here = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const changed = (before[column] ?? 0) + (letter === other ? 0 : 1);
      here.push(Math.min(changed, (before[column + 1] ?? 0) + 1, (here[column] ?? 0) + 1));
    }
    before = here;
  }
  return before.at(-1) ?? 0;
}
