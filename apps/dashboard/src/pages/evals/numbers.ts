/** Rounded down, so that 100 % are all. */
export function percentText(rate: number | undefined): string {
  return rate === undefined ? "–" : `${Math.floor(rate * 1_000) / 10} %`;
}

/** The difference of two pass rates in percentage points. */
export function changeText(before: number | undefined, now: number | undefined): string {
  if (before === undefined || now === undefined) return "";
  const points = Math.round((now - before) * 1_000) / 10;
  if (points === 0) return "passes as often";
  return `passes ${Math.abs(points)} points ${points > 0 ? "more" : "less"}`;
}

export function timeText(ms: number): string {
  if (ms === 0) return "–";
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1_000;
  return seconds < 60
    ? `${seconds.toFixed(1)} s`
    : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
