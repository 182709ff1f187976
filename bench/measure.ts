/** How long one call takes, beside the plainest way to do the same work. */
export interface Comparison {
  readonly ns: number;
  readonly floorNs: number;
  readonly ratio: number;
}

/**
 * Runs the work and its floor by turns and takes the median of each, so that a machine that is slow for a while is slow
 * for both.
 */
export function compare(work: () => unknown, floor: () => unknown, rounds = 60): Comparison {
  const [workCalls, floorCalls] = [callsPerRound(work), callsPerRound(floor)];
  const samples = Array.from(
    { length: rounds },
    () => [time(work, workCalls), time(floor, floorCalls)] as const,
  );
  const ns = median(samples.map(([a]) => a));
  const floorNs = median(samples.map(([, b]) => b));
  return { ns, floorNs, ratio: ns / floorNs };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Nanoseconds per call. */
export function time(work: () => unknown, calls: number): number {
  const start = process.hrtime.bigint();
  for (let call = 0; call < calls; call++) sink = work();
  return Number(process.hrtime.bigint() - start) / calls;
}

/** Keeps results alive, so that the compiler cannot leave out the work. */
export let sink: unknown;

/** Enough calls for about ten milliseconds, after enough to be compiled. */
function callsPerRound(work: () => unknown): number {
  time(work, 2000);
  return Math.max(1, Math.round(10_000_000 / time(work, 200)));
}

/** Prints rows under their headings, numbers to the right. */
export function printTable(rows: readonly Record<string, string | number>[]): void {
  const headings = Object.keys(rows[0] ?? {});
  const cells = [headings, ...rows.map((row) => headings.map((heading) => String(row[heading])))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  for (const row of cells) {
    const padded = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(`  ${padded.join("  ")}`);
  }
}

const broken: string[] = [];

/** A bound for the figures; violations are reported at the end, and the run fails. */
export function bound(what: string, figure: number, most: number): void {
  if (!(figure <= most)) broken.push(`${what}: ${figure.toFixed(2)} is more than ${most}`);
}

export function reportBounds(): void {
  if (broken.length === 0) return console.log("\nall bounds are kept");
  console.log(`\nbounds that are not kept:\n${broken.map((line) => `  ${line}`).join("\n")}`);
  process.exitCode = 1;
}
