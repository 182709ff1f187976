/** Versions and ranges of them, as agents declare what they speak (A §3.3). */
export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** Dot-separated parts after the hyphen; empty for a release. */
  readonly preRelease: readonly string[];
}

/** Digits are bounded so that every part is an exact number. */
const pattern =
  /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(?:-([0-9A-Za-z.-]{1,64}))?(?:\+[0-9A-Za-z.-]{1,64})?$/;

export function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch, preRelease] = pattern.exec(text) ?? [];
  if (major === undefined) return undefined;
  return {
    major: Number(major),
    minor: Number(minor),
    patch: Number(patch),
    preRelease: preRelease?.split(".") ?? [],
  };
}

/** Negative when `a` comes before `b`. A pre-release comes before its release. */
export function compareVersions(a: Version, b: Version): number {
  return (
    a.major - b.major ||
    a.minor - b.minor ||
    a.patch - b.patch ||
    comparePreReleases(a.preRelease, b.preRelease)
  );
}

function comparePreReleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (let part = 0; part < Math.min(a.length, b.length); part++) {
    const order = compareParts(a[part] ?? "", b[part] ?? "");
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareParts(a: string, b: string): number {
  const [aNumber, bNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (aNumber && bNumber) return Number(a) - Number(b);
  if (aNumber !== bNumber) return aNumber ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

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

/** Before 1.0 every minor version may break, as a major one does after. */
export function sameMajor(a: Version, b: Version): boolean {
  return a.major === b.major && (a.major > 0 || a.minor === b.minor);
}
