import { compareVersions, parseVersion, type Version } from "../semver.ts";

interface Bound {
  readonly isLower: boolean;
  readonly isStrict: boolean;
  readonly version: Version;
}

/**
 * Why a text is no range of versions, or one that no version lies in; undefined for a good one. Such a range would match
 * nothing, and its pack would get no task without anybody being told.
 */
export function whyNoRange(range: string): string | undefined {
  const parts = range
    .trim()
    .replace(/(\^|~|>=|<=|>|<|=)\s+/g, "$1")
    .split(/\s+/);
  const bounds: Bound[] = [];
  for (const part of parts) {
    if (/^(?:[*x]|\d{1,9}(?:\.\d{1,9})?(?:\.[x*])*)$/.test(part)) continue;
    const [, operator = "", text = ""] = /^(\^|~|>=|<=|>|<|=)?(.*)$/.exec(part) ?? [];
    const version = parseVersion(text);
    if (!version) return `"${range}" is not a range of versions`;
    if (operator !== "<" && operator !== "<=")
      bounds.push({ isLower: true, isStrict: operator === ">", version });
    if (operator === "<" || operator === "<=" || operator === "=")
      bounds.push({ isLower: false, isStrict: operator === "<", version });
  }
  const isEmpty = bounds.some(
    (low) => low.isLower && bounds.some((high) => !high.isLower && excludes(low, high)),
  );
  return isEmpty ? `no version lies in the range "${range}"` : undefined;
}

function excludes(low: Bound, high: Bound): boolean {
  const order = compareVersions(low.version, high.version);
  return order > 0 || (order === 0 && (low.isStrict || high.isStrict));
}
