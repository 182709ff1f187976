/** Answers of language models as people report them, each with what it has to be read as. */
import type { CorpusCase } from "./case.ts";
import * as meaning from "./meaning.ts";
import * as surroundings from "./surroundings.ts";
import * as syntax from "./syntax.ts";

export type { CorpusCase } from "./case.ts";

export const corpus: readonly CorpusCase[] = [
  ...Object.values(surroundings).flat(),
  ...Object.values(syntax).flat(),
  ...Object.values(meaning).flat(),
];
