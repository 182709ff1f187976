const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Such as 500ms, 30s, 5m, 2h or 1d. The digits per unit limit it to ten thousand years. */
export const durationPattern =
  /^(?=\d{1,6}d|\d{1,7}h|\d{1,9}m|\d{1,11}s|\d{1,14}ms|\d{1,6}\.)(\d{1,14}(?:\.\d{1,3})?)(ms|s|m|h|d)$/;

/** The same, at least a millisecond, because fractions are rounded. */
export const positivePattern = new RegExp(
  durationPattern.source.replace(
    "^",
    "^(?=\\d*[1-9]\\d*(?:\\.\\d+)?[a-z]|\\d+\\.\\d*[1-9]\\d*(?:s|m(?!s)|h|d))",
  ),
);

/** Undefined for an invalid duration. */
export function parseDurationMs(text: string): number | undefined {
  const [, count, unit] = durationPattern.exec(text) ?? [];
  return count === undefined ? undefined : Math.round(Number(count) * unitMs[unit as keyof typeof unitMs]);
}
