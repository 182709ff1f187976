interface Question {
  readonly escalationId: string;
  readonly cause: string;
  readonly resolvedAt?: unknown;
}

/** Groups open questions by cause: one answer helps all. The first of each group stands for the others. */
export function groupByCause<One extends Question>(
  questions: readonly One[],
): readonly (readonly [One, ...One[]])[] {
  const groups = new Map<string, [One, ...One[]]>();
  for (const one of questions) {
    const key = one.cause === "" || one.resolvedAt ? one.escalationId : `cause ${one.cause}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}
