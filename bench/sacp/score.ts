/** How many answers of the corpus each reader gets right, by category. */
import { isDeepStrictEqual } from "node:util";
import { readResponse, SacpResponseSchema } from "@baton/protocols/sacp";
import { type CorpusCase, corpus } from "@baton/protocols/testing";
import { parseJsonMarkdown } from "@langchain/core/output_parsers";
import { parsePartialJson } from "ai";
import { jsonrepair } from "jsonrepair";
import { printTable } from "../measure.ts";

type Read = (one: CorpusCase) => unknown;

/** What each gives for an answer, or undefined for what it refuses. */
const readers: Readonly<Record<string, Read>> = {
  ours: ({ text, options }) => {
    const { how, response } = readResponse(text, options);
    return how === "fallback" ? undefined : response;
  },
  jsonrepair: ({ text }) => JSON.parse(jsonrepair(text)),
  "AI SDK": async ({ text }) => (await parsePartialJson(text)).value,
  LangChain: ({ text }) => parseJsonMarkdown(text),
};

export interface Score {
  readonly category: string;
  readonly cases: number;
  readonly right: Readonly<Record<string, number>>;
}

/** An object that is no response of SACP counts as refused: a program would check it before it uses it. */
export async function scoreReaders(): Promise<readonly Score[]> {
  const categories = [...Map.groupBy(corpus, ({ category }) => category)];
  return Promise.all(
    categories.map(async ([category, cases]) => {
      const counts = Object.entries(readers).map(async ([name, read]) => {
        const results = await Promise.all(cases.map((one) => isRight(read, one)));
        return [name, results.filter(Boolean).length] as const;
      });
      return { category, cases: cases.length, right: Object.fromEntries(await Promise.all(counts)) };
    }),
  );
}

async function isRight(read: Read, one: CorpusCase): Promise<boolean> {
  const value = await attempt(read, one);
  const response = SacpResponseSchema.safeParse(value);
  const isNegotiated = isDeepStrictEqual(value, one.expected);
  return isDeepStrictEqual(response.success ? value : undefined, one.expected) || isNegotiated;
}

async function attempt(read: Read, one: CorpusCase): Promise<unknown> {
  try {
    return await read(one);
  } catch {
    return undefined;
  }
}

export async function benchScore(): Promise<void> {
  const scores = await scoreReaders();
  console.log("answers of the corpus that are read right\n");
  const names = Object.keys(readers);
  const total = { category: "all", cases: corpus.length, right: sumOf(scores, names) };
  printTable(
    [...scores, total].map(({ category, cases, right }) => ({
      category,
      cases,
      ...Object.fromEntries(
        names.map((name) => [name, `${Math.round((100 * (right[name] ?? 0)) / cases)} %`]),
      ),
    })),
  );
  const others = names.filter((name) => name !== "ours");
  const behind = scores.filter(({ right }) => others.some((name) => (right[name] ?? 0) >= (right.ours ?? 0)));
  console.log(
    `\n  categories in which another is as good: ${behind.map(({ category }) => category).join(", ") || "none"}`,
  );
  if (behind.length > 0) process.exitCode = 1;
}

function sumOf(scores: readonly Score[], names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    names.map((name) => [name, scores.reduce((sum, { right }) => sum + (right[name] ?? 0), 0)]),
  );
}
