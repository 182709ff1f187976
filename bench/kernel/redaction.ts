/** What redaction costs on ordinary logs, beside a loop that only reads every character of the same text. */
import { type Coverage, createRedactor, type Redactor } from "@baton/kernel";
import { bound, median, printTable, reportBounds, time } from "../measure.ts";
import { logText } from "./log-text.ts";

/** Redaction may take at most so many times as long as reading. */
export const allowedRatio = 20;

/** A megabyte costs the same in a short text and in a long one, but for the noise of the machine. */
export const allowedGrowth = 2;

const megabyte = 1 << 20;
const chunkLength = 4096;
const knownSecrets = ["correct horse battery staple", "Tr0ub4dor&3-and-more", "another/known+value=="];

export interface RedactionCost {
  readonly form: string;
  readonly megabytes: number;
  readonly megabytesPerSecond: number;
  /** How many times as long as reading. */
  readonly ratio: number;
}

export function measureRedaction(megabytes: number, rounds: number, coverage: Coverage): RedactionCost[] {
  const text = logText(megabytes * megabyte);
  const redactor = load();
  const forms: readonly (readonly [string, () => unknown])[] = [
    ["whole", () => redactor.redactText(text, coverage)],
    ["stream", () => streamThrough(redactor, text, coverage)],
  ];
  for (const [, work] of forms) time(work, Math.ceil(4 / megabytes));
  return forms.map(([form, work]) => {
    // By turns, so that a machine that is slow for a while is slow for both.
    const samples = Array.from(
      { length: rounds },
      () => [time(work, 1), time(() => readEvery(text), 1)] as const,
    );
    const seconds = median(samples.map(([ns]) => ns)) / 1e9;
    const ratio = median(samples.map(([ns, floorNs]) => ns / floorNs));
    return { form: `${form}, ${coverage}`, megabytes, megabytesPerSecond: megabytes / seconds, ratio };
  });
}

function load(): Redactor {
  const made = createRedactor({ knownSecrets });
  if (!made.ok) throw new Error(made.problems.map(({ message }) => message).join("\n"));
  return made.redactor;
}

function streamThrough(redactor: Redactor, text: string, coverage: Coverage): number {
  const stream = redactor.createStream(coverage);
  let length = 0;
  for (let at = 0; at < text.length; at += chunkLength) {
    length += stream.push(text.slice(at, at + chunkLength)).text.length;
  }
  return length + stream.end().text.length;
}

function readEvery(text: string): number {
  let sum = 0;
  for (let at = 0; at < text.length; at++) sum = (sum + text.charCodeAt(at)) | 0;
  return sum;
}

export function benchRedaction(): void {
  const coverages = ["secrets", "secrets-and-personal"] as const;
  const sizes = [
    [1, 61],
    [8, 15],
    [100, 3],
  ] as const;
  const costs = coverages.flatMap((coverage) =>
    sizes.flatMap(([megabytes, rounds]) => measureRedaction(megabytes, rounds, coverage)),
  );
  console.log(`redaction of ordinary logs, beside reading every character; at most ${allowedRatio} times\n`);
  printTable(
    costs.map(({ form, megabytes, megabytesPerSecond, ratio }) => ({
      form,
      MB: megabytes,
      "MB/s": megabytesPerSecond.toFixed(0),
      "ms per MB": (1000 / megabytesPerSecond).toFixed(2),
      "times reading": ratio.toFixed(1),
    })),
  );
  for (const { form, megabytes, ratio } of costs) {
    bound(`${form}: ${megabytes} MB, times reading`, ratio, allowedRatio);
    const smallest = costs.find((cost) => cost.form === form)?.ratio ?? Number.NaN;
    bound(`${form}: ${megabytes} MB, per MB beside 1 MB`, ratio / smallest, allowedGrowth);
  }
}

if (import.meta.main) {
  benchRedaction();
  reportBounds();
}
