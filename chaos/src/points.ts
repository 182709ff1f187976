import type { Point } from "@baton/runtime";

/** Every point of the engine. One that is missing here does not compile. */
export const noKills: Readonly<Record<Point, number>> = {
  decided: 0,
  "before commit": 0,
  committed: 0,
  answered: 0,
  "before command": 0,
  "after command": 0,
};

export const points: readonly Point[] = Object.keys(noKills).filter(isPoint);

function isPoint(name: string): name is Point {
  return Object.hasOwn(noKills, name);
}
