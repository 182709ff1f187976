import { reportBounds } from "../measure.ts";
import { benchClean } from "./clean.ts";
import { benchGrowth } from "./growth.ts";
import { benchScore } from "./score.ts";

/** How well and how fast answers of language models are read. */
await benchScore();
console.log();
benchClean();
console.log();
benchGrowth();
reportBounds();
