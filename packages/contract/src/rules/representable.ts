import type { Duration, Timestamp } from "@bufbuild/protobuf/wkt";

/** Whether a time lies in the years 1 to 9999, as a JSON text of it has to. */
export function isRepresentableTime({ seconds, nanos }: Timestamp): boolean {
  return seconds >= -62_135_596_800n && seconds <= 253_402_300_799n && nanos >= 0 && nanos <= 999_999_999;
}

/** Whether a duration lies within 10000 years, and its two parts have one sign. */
export function isRepresentableDuration({ seconds, nanos }: Duration): boolean {
  const inRange =
    seconds >= -315_576_000_000n && seconds <= 315_576_000_000n && Math.abs(nanos) <= 999_999_999;
  return inRange && (seconds === 0n || nanos === 0 || seconds > 0n === nanos > 0);
}

/** Whether structured data has only values that JSON has: no number that is none, and nothing but data. */
export function isRepresentableData(json: unknown): boolean {
  if (typeof json === "number") return Number.isFinite(json);
  if (json === null || typeof json === "string" || typeof json === "boolean") return true;
  if (typeof json !== "object") return false;
  for (const item of Array.isArray(json) ? json : Object.values(json))
    if (!isRepresentableData(item)) return false;
  return true;
}
