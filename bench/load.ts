/** Runs something many times, so many at once, and measures how fast. */
export interface LoadFigures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly cpuMsEach: number;
  readonly residentMb: number;
}

export async function runLoad(
  inFlight: number,
  count: number,
  one: (number: number) => Promise<void>,
): Promise<LoadFigures> {
  const took: number[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const number = next++;
      const start = performance.now();
      await one(number);
      took.push(performance.now() - start);
    }
  };
  const cpu = process.cpuUsage();
  const start = performance.now();
  await Promise.all(Array.from({ length: inFlight }, work));
  const seconds = (performance.now() - start) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  took.sort((a, b) => a - b);
  const at = (share: number) =>
    took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN;
  return {
    perSecond: count / seconds,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
    cpuMsEach: (user + system) / 1_000 / count,
    residentMb: process.memoryUsage().rss / 1e6,
  };
}

/** Questions and answers between the bench and the program it measures, a line of JSON each. */
export interface Ask {
  readonly inFlight: number;
  readonly count: number;
}

export interface LoadReport extends LoadFigures {
  readonly bytesEach: number;
}
