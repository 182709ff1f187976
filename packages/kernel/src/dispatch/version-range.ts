import { compareVersions, parseVersion, sameMajor, type Version } from "../semver.ts";

/**
 * Whether a version lies in a range: `1.x`, `^1.2.0`, `~1.2.0`, `>=1.0.0 <3.0.0`, `=1.2.0`, `*`. A bare version means
 * everything of the same major version, because a newer minor version only adds (A §2.15).
 */
export function satisfies(version: Version, range: string): boolean {
  const parts = range.trim().split(/\s+/);
  return parts.every((part) => satisfiesPart(version, part));
}

function satisfiesPart(version: Version, part: string): boolean {
  if (part === "*" || part === "x") return true;
  const wildcard =
    /^(\d{1,9})(?:\.(\d{1,9}))?(?:\.[x*])+$/.exec(part) ?? /^(\d{1,9})(?:\.(\d{1,9}))?$/.exec(part);
  if (wildcard) {
    const [, major, minor] = wildcard;
    return version.major === Number(major) && (minor === undefined || version.minor === Number(minor));
  }
  const [, operator = "", text = ""] = /^(\^|~|>=|<=|>|<|=)?(.*)$/.exec(part) ?? [];
  const bound = parseVersion(text);
  return bound !== undefined && operators[operator as Operator](version, bound);
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
