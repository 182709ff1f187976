import type { Random } from "../chance/random.ts";

/** The dependencies of each stage, by place; all of them are earlier places. */
export type Shape = readonly (readonly number[])[];

/** A chain, a fan, a diamond or any acyclic graph; mostly small, sometimes a dozen stages. */
export function drawShape(random: Random): Shape {
  const size = random.weighted([
    [random.int(1, 2), 3],
    [random.int(2, 4), 5],
    [random.int(4, 7), 2],
    [random.int(8, 12), 0.5],
  ]);
  const draw = random.weighted([
    [chain, 3],
    [fan, 1],
    [diamond, 2],
    [anyGraph, 3],
  ]);
  return draw(size, random);
}

function chain(size: number): Shape {
  return Array.from({ length: size }, (_, place) => (place === 0 ? [] : [place - 1]));
}

/** Independent stages. */
function fan(size: number): Shape {
  return Array.from({ length: size }, () => []);
}

/** One first and one last stage, the others in parallel. */
function diamond(size: number): Shape {
  if (size < 4) return chain(size);
  const middle = Array.from({ length: size - 2 }, (_, place) => place + 1);
  return [[], ...middle.map(() => [0]), middle];
}

function anyGraph(size: number, random: Random): Shape {
  const density = random.pick([0.2, 0.4, 0.7]);
  return Array.from({ length: size }, (_, place) =>
    Array.from({ length: place }, (_, other) => other).filter(() => random.chance(density)),
  );
}

/** Transitive dependencies, computed independently of the kernel. */
export function ancestorsIn(shape: Shape, place: number): ReadonlySet<number> {
  const found = new Set<number>();
  const left = [...(shape[place] ?? [])];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    left.push(...(shape[next] ?? []));
  }
  return found;
}
