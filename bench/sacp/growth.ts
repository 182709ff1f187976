/** What a character of an answer costs to read, in a long text and in a short one. */
import { readResponse } from "@baton/protocols/sacp";
import { bound, median, printTable, time } from "../measure.ts";
import { hostileTexts, type LongText, longTexts } from "./texts.ts";

/** A character costs the same in a long text, but for the noise of the machine. */
export const allowedGrowth = 1.5;

/** Of texts that are made to be slow, whose readings are cut off: still bounded. */
const mostNsOfHostile = 5_000;

const short = 4 * 1024;
const long = 1024 * 1024;

export interface Growth {
  readonly category: string;
  readonly shortNs: number;
  readonly longNs: number;
  readonly ratio: number;
}

/** Nanoseconds a character. */
export function measureGrowth({ category, of }: LongText, rounds: number): Growth {
  const [small, large] = [of(short), of(long)];
  const work = [() => readResponse(small), () => readResponse(large)] as const;
  time(work[0], 200);
  // By turns, so that a machine that is slow for a while is slow for both.
  const samples = Array.from({ length: rounds }, () => [time(work[0], 64), time(work[1], 1)] as const);
  const shortNs = median(samples.map(([ns]) => ns)) / small.length;
  const longNs = median(samples.map(([, ns]) => ns)) / large.length;
  return { category, shortNs, longNs, ratio: longNs / shortNs };
}

export function benchGrowth(): void {
  console.log(`reading by category, 1 MiB beside 4 KiB; at most ${allowedGrowth} times for a character\n`);
  const grown = longTexts.map((text) => measureGrowth(text, 9));
  printTable(grown.map(rowOf));
  for (const { category, ratio } of grown)
    bound(`${category}: a character at 1 MiB beside 4 KiB`, ratio, allowedGrowth);
  console.log("\ntexts that are made to be slow; the search gives up after 16 looks at a character\n");
  const hostile = hostileTexts.map((text) => measureGrowth(text, 5));
  printTable(hostile.map(rowOf));
  for (const { category, longNs } of hostile) bound(`${category}: ns a character`, longNs, mostNsOfHostile);
}

function rowOf({ category, shortNs, longNs, ratio }: Growth): Record<string, string> {
  return {
    category,
    "ns a character, 4 KiB": shortNs.toFixed(1),
    "1 MiB": longNs.toFixed(1),
    times: ratio.toFixed(2),
  };
}
