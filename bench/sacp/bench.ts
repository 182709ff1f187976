import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportBounds } from "../measure.ts";
import { benchClean } from "./clean.ts";
import { benchGrowth } from "./growth.ts";
import { benchModelCalls } from "./model-calls.ts";
import { benchScore } from "./score.ts";
import { benchThroughput } from "./throughput.ts";

/** How well and how fast answers of language models are read, and what a model call costs through the hub. */
await benchScore();
console.log();
benchClean();
console.log();
benchGrowth();
const directory = mkdtempSync(join(tmpdir(), "baton-bench-sacp-"));
try {
  await benchModelCalls(directory);
  await benchThroughput(directory);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
reportBounds();
