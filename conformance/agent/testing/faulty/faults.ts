/** What a deliberately broken agent does wrong. One without a fault is a plain agent. */
const names = [
  "answers-twice",
  "wrong-attempt",
  "ignores-cancel",
  "answers-after-cancel",
  "runs-duplicates",
  "forgets-results",
  "sends-everything-again",
  "speaks-early",
  "ignores-the-interval",
  "ignores-the-timeout",
  "comes-back",
  "names-no-instance",
] as const;

export type Fault = (typeof names)[number];
export type Faults = ReadonlySet<Fault>;

export function faultsIn(given: readonly string[]): Faults {
  const isFault = (name: string): name is Fault => names.some((known) => known === name);
  const unknown = given.find((name) => !isFault(name));
  if (unknown !== undefined) throw new Error(`no such fault: ${unknown}; there are ${names.join(", ")}`);
  return new Set(given.filter(isFault));
}
