/** Orders nodes so that each comes after those it depends on; among equals the given order stays. */
export function topologicalOrder(dependsOn: readonly (readonly number[])[]): readonly number[] | undefined {
  const waiting = dependsOn.map((nodes) => new Set(nodes).size);
  const dependents = dependentsOf(dependsOn);
  // A heap would do better than sorting for thousands of nodes at once; pipelines have at most one thousand.
  const free = waiting.flatMap((count, node) => (count === 0 ? [node] : []));
  const order: number[] = [];
  while (free.length > 0) {
    const node = free.shift() as number;
    order.push(node);
    for (const dependent of dependents[node] ?? []) {
      waiting[dependent] = (waiting[dependent] ?? 0) - 1;
      if (waiting[dependent] === 0) insert(free, dependent);
    }
  }
  return order.length === dependsOn.length ? order : undefined;
}

function insert(sorted: number[], node: number): void {
  const position = sorted.findIndex((other) => other > node);
  sorted.splice(position === -1 ? sorted.length : position, 0, node);
}

export function dependentsOf(dependsOn: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const dependents: number[][] = dependsOn.map(() => []);
  for (const [node, nodes] of dependsOn.entries())
    for (const other of new Set(nodes)) dependents[other]?.push(node);
  return dependents;
}

/** One way round a circle, closed by the node it began with. */
export function findCycle(dependsOn: readonly (readonly number[])[]): readonly number[] | undefined {
  const done = new Set<number>();
  const path: number[] = [];
  const visit = (node: number): readonly number[] | undefined => {
    const start = path.indexOf(node);
    if (start !== -1) return [...path.slice(start), node].reverse();
    if (done.has(node)) return undefined;
    path.push(node);
    for (const other of dependsOn[node] ?? []) {
      const cycle = visit(other);
      if (cycle) return cycle;
    }
    path.pop();
    done.add(node);
    return undefined;
  };
  for (const node of dependsOn.keys()) {
    const cycle = visit(node);
    if (cycle) return cycle;
  }
  return undefined;
}

/** Everything that depends on a node, directly or not, in ascending order. */
export function descendantsOf(
  node: number,
  dependents: (node: number) => readonly number[],
): readonly number[] {
  const found = new Set<number>();
  const left = [...dependents(node)];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    left.push(...dependents(next));
  }
  return [...found].sort((a, b) => a - b);
}
