import { corpus } from "@baton/protocols/testing";

export const sentence = "The weather in London is fine, with 15 degrees and light wind from the west today. ";

export interface LongText {
  readonly category: string;
  /** About so many characters. */
  of(length: number): string;
}

/** Of each category of the corpus, its answers with a long thought, one after another. */
export const longTexts: readonly LongText[] = [...Map.groupBy(corpus, ({ category }) => category)].map(
  ([category, cases]) => ({
    category,
    of: (length) => {
      const together = cases.map(({ text }) => text).join("\n\n");
      return `${together}\n\n`.repeat(Math.ceil(length / together.length)).slice(0, length);
    },
  }),
);

const pieces = ["{", '{"a":', '{"a": "x" ', "{/*", "<think>", '{"thought": "', "\\", '{"a": "x\n', "{{"];

/** What no model writes, and somebody may. */
export const hostileTexts: readonly LongText[] = pieces.map((piece) => ({
  category: `only ${JSON.stringify(piece)}`,
  of: (length) => piece.repeat(Math.ceil(length / piece.length)),
}));
