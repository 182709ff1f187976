import { compareVersions, parseVersion, sameMajor, type Version } from "../semver.ts";

/**
 * Whether a version lies in a range: `1.x`, `^1.2.0`, `~1.2.0`, `>=1.0.0 <3.0.0`, `=1.2.0`, `*`. A bare version means
 * everything of the same major version, because a newer minor version only adds (A §2.15).
 */
export function satisfies(version: Version, range: string): boolean {
  for (const holds of conditionsOf(range)) if (!holds(version)) return false;
  return true;
}

type Condition = (version: Version) => boolean;

/** What was read before: a manifest names few ranges, and they are asked about for every task. The text says it all. */
const known = new Map<string, readonly Condition[]>();
const mostKnown = 256;
const longestKnown = 256;

function conditionsOf(range: string): readonly Condition[] {
  const before = known.get(range);
  if (before) return before;
  const conditions = range.trim().split(/\s+/).map(readCondition);
  if (known.size >= mostKnown) known.clear();
  if (range.length <= longestKnown) known.set(range, conditions);
  return conditions;
}

function readCondition(part: string): Condition {
  if (part === "*" || part === "x") return () => true;
  const wildcard =
    /^(\d{1,9})(?:\.(\d{1,9}))?(?:\.[x*])+$/.exec(part) ?? /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(part);
  if (wildcard) {
    const [, major, minor] = wildcard;
    return (version) =>
      version.major === Number(major) && (minor === undefined || version.minor === Number(minor));
  }
  const [, operator = "", text = ""] = /^(\^|~|>=|<=|>|<|=)?(.*)$/.exec(part) ?? [];
  const bound = parseVersion(text);
  if (!bound) return () => false;
  const compare = operators[operator as Operator];
  return (version) => compare(version, bound);
}

type Operator = "" | "^" | "~" | "=" | ">=" | "<=" | ">" | "<";

const operators: Record<Operator, (version: Version, bound: Version) => boolean> = {
  "": sameMajor,
  "^": (version, bound) => sameMajor(version, bound) && compareVersions(version, bound) >= 0,
  "~": (version, bound) =>
    sameMajor(version, bound) && version.minor === bound.minor && compareVersions(version, bound) >= 0,
  "=": (version, bound) => compareVersions(version, bound) === 0,
  ">=": (version, bound) => compareVersions(version, bound) >= 0,
  "<=": (version, bound) => compareVersions(version, bound) <= 0,
  ">": (version, bound) => compareVersions(version, bound) > 0,
  "<": (version, bound) => compareVersions(version, bound) < 0,
};
