/** A version by semver.org. Build metadata does not affect the order and is dropped. */
export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** Dot-separated parts after the hyphen; empty for a release. */
  readonly preRelease: readonly string[];
}

/** Bounded digits and lengths: every number is exact, and a hostile version costs little. */
const pattern =
  /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})(?:-([0-9A-Za-z.-]{1,64}))?(?:\+[0-9A-Za-z.-]{1,64})?$/;
/** A number without leading zeros, or an identifier with a non-digit. */
const preReleasePart = /^(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)$/;

/** Parsed versions, since a hub and its agents use the same few in every task. Bounded, because agents may send any. */
const known = new Map<string, Version>();
const maxCached = 256;

/** Undefined for an invalid version. */
export function parseVersion(text: string): Version | undefined {
  const before = known.get(text);
  if (before) return before;
  const version = readVersion(text);
  if (!version) return undefined;
  if (known.size >= maxCached) known.clear();
  known.set(text, version);
  return version;
}

function readVersion(text: string): Version | undefined {
  const [, major, minor, patch, suffix] = pattern.exec(text) ?? [];
  if (major === undefined) return undefined;
  const preRelease = suffix?.split(".") ?? [];
  if (!preRelease.every((part) => preReleasePart.test(part))) return undefined;
  return { major: Number(major), minor: Number(minor), patch: Number(patch), preRelease };
}

/** Negative when `a` comes before `b`, zero when neither does. */
export function compareVersions(a: Version, b: Version): number {
  return (
    a.major - b.major ||
    a.minor - b.minor ||
    a.patch - b.patch ||
    comparePreReleases(a.preRelease, b.preRelease)
  );
}

/** Before 1.0 a minor version may break like a major one. */
export function sameMajor(a: Version, b: Version): boolean {
  return a.major === b.major && (a.major > 0 || a.minor === b.minor);
}

/** A release comes after its pre-releases; of two with a common prefix, the longer comes after. */
function comparePreReleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (const [index, part] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareParts(part, other);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareParts(a: string, b: string): number {
  const [aIsNumber, bIsNumber] = [isNumber(a), isNumber(b)];
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1;
  // Without leading zeros, the longer number is larger.
  if (aIsNumber && a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}

function isNumber(part: string): boolean {
  return /^\d+$/.test(part);
}
