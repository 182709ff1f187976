/** A small heap of places in a larger one: where to look next for the first seat that was not seen yet. */
type IsBefore = (a: number, b: number) => boolean;

export function pushFrontier(frontier: number[], place: number, isBefore: IsBefore): void {
  let at = frontier.length;
  frontier.push(place);
  while (at > 0) {
    const parent = (at - 1) >>> 1;
    const above = frontier[parent] as number;
    if (!isBefore(place, above)) break;
    frontier[at] = above;
    at = parent;
  }
  frontier[at] = place;
}

/** The place that comes before all others; the frontier must not be empty. */
export function popFrontier(frontier: number[], isBefore: IsBefore): number {
  const first = frontier[0] as number;
  const last = frontier.pop() as number;
  if (frontier.length === 0) return first;
  let at = 0;
  for (let child = 1; child < frontier.length; child = 2 * at + 1) {
    const right = child + 1;
    if (right < frontier.length && isBefore(frontier[right] as number, frontier[child] as number))
      child = right;
    if (!isBefore(frontier[child] as number, last)) break;
    frontier[at] = frontier[child] as number;
    at = child;
  }
  frontier[at] = last;
  return first;
}
