import { readFileSync } from "node:fs";
import { type CorpusLine, fill } from "./values.ts";

/** Rules are tuned on one half; the other measures them on unseen lines. */
export type Half = "tuned" | "held-out";

const secretsOfPattern = 3;
const ordinaryOfPattern = 2;

/** Each line once: a pattern without placeholders makes one line. */
export function linesOf(half: Half): readonly CorpusLine[] {
  const lines = [
    ...made(`secrets.${half}.txt`, secretsOfPattern),
    ...made(`ordinary.${half}.txt`, ordinaryOfPattern),
  ];
  return [...new Map(lines.map((line) => [line.text, line])).values()];
}

function made(file: string, times: number): CorpusLine[] {
  const patterns = readFileSync(new URL(file, import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean);
  return patterns.flatMap((pattern, at) =>
    Array.from({ length: times }, (_, time) => fill(pattern, at * 31 + time * 7_919 + 1)),
  );
}

export interface Measured {
  readonly recall: number;
  readonly falsePositives: number;
  /** The patterns of the failures. */
  readonly missed: readonly string[];
  readonly masked: readonly string[];
}

export function measure(lines: readonly CorpusLine[], redact: (text: string) => string): Measured {
  const secrets = lines.filter(({ secret }) => secret !== undefined);
  const ordinary = lines.filter(({ secret }) => secret === undefined);
  const missed = secrets.filter((line) => isSeen(line, redact(line.text)));
  const masked = ordinary.filter(({ text }) => redact(text) !== text);
  return {
    recall: 1 - missed.length / secrets.length,
    falsePositives: masked.length / ordinary.length,
    missed: [...new Set(missed.map(({ pattern }) => pattern))],
    masked: [...new Set(masked.map(({ pattern }) => pattern))],
  };
}

/** Half of a secret is as bad as all of it. */
function isSeen({ secret = "" }: CorpusLine, output: string): boolean {
  const middle = Math.ceil(secret.length / 2);
  return output.includes(secret.slice(0, middle)) || output.includes(secret.slice(middle));
}
