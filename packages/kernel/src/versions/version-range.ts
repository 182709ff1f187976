import { type Comparator, readRange } from "./read-version-range.ts";
import { compareVersions, type Version } from "./semver.ts";

/**
 * Whether a version is in a range: `1.x`, `^1.2`, `~1.2.0`, `>= 1.0.0 < 3`, `1.0 - 1.4`, `^1.0.0 || ^2.0.0`, `=1.2.0`, `*`.
 * A bare version matches the same major version, because a newer minor version only adds (A §2.15).
 */
export function satisfies(version: Version, range: string): boolean {
  return alternativesOf(range).some((all) => all.every((one) => holds(version, one)));
}

/** Why a range is invalid or empty; undefined for a valid one. */
export function rangeFault(range: string): string | undefined {
  const alternatives = alternativesOf(range);
  if (alternatives.length === 0) return `"${range}" is not a range of versions`;
  return alternatives.every(isEmpty) ? `no version lies in the range "${range}"` : undefined;
}

type Alternatives = readonly (readonly Comparator[])[];

/** Parsed ranges: manifests have few, and every task needs them. */
const known = new Map<string, Alternatives>();
const maxCached = 256;
const maxCachedLength = 256;

/** Empty for an invalid range. */
function alternativesOf(range: string): Alternatives {
  const before = known.get(range);
  if (before) return before;
  const alternatives = readRange(range) ?? [];
  if (known.size >= maxCached) known.clear();
  if (range.length <= maxCachedLength) known.set(range, alternatives);
  return alternatives;
}

function holds(version: Version, { operator, bound }: Comparator): boolean {
  const order = compareVersions(version, bound);
  switch (operator) {
    case ">=":
      return order >= 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case "<":
      return order < 0;
  }
}

function isEmpty(comparators: readonly Comparator[]): boolean {
  const lower = comparators.filter(({ operator }) => operator.startsWith(">"));
  const upper = comparators.filter(({ operator }) => operator.startsWith("<"));
  return lower.some((low) => upper.some((high) => excludes(low, high)));
}

function excludes(low: Comparator, high: Comparator): boolean {
  const order = compareVersions(low.bound, high.bound);
  return order > 0 || (order === 0 && (low.operator === ">" || high.operator === "<"));
}
