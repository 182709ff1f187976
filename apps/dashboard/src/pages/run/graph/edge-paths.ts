import { box, type Placed } from "./layout.ts";

type Point = readonly [x: number, y: number];

/** How far an edge back hangs below its nodes. */
export const backDepth = 34;

/** Straight within a layer, a curve between layers. */
export function forwardPath(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let [x, y] = first;
  let path = `M${x} ${y}`;
  for (const [toX, toY] of rest) {
    const middle = (x + toX) / 2;
    path += toY === y ? `L${toX} ${toY}` : `C${middle} ${y} ${middle} ${toY} ${toX} ${toY}`;
    [x, y] = [toX, toY];
  }
  return path;
}

/** From the lower side of one node to that of an earlier one; a loop for an edge to the node itself. */
export function backPath(from: Placed, to: Placed): string {
  const [x, y] = [from.x + box.width / 2 + 12, from.y + box.height];
  const [toX, toY] = [to.x + box.width / 2 - 12, to.y + box.height];
  const low = Math.max(y, toY) + backDepth;
  return `M${x} ${y}C${x} ${low} ${x} ${low} ${x - 24} ${low}L${toX + 24} ${low}C${toX} ${low} ${toX} ${low} ${toX} ${toY}`;
}

export function backMiddle(from: Placed | undefined, to: Placed | undefined): Point | undefined {
  if (!from || !to) return undefined;
  return [(from.x + to.x + box.width) / 2, Math.max(from.y, to.y) + box.height + backDepth];
}
