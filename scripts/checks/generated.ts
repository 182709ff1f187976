/** The committed generated files are what the generators write today. */
import { compareGenerated, type Differences, generate } from "../generate.ts";
import { withScratch } from "../scratch.ts";
import { root } from "../tree.ts";
import { failed, type Outcome, passed } from "./step.ts";

export async function checkGenerated(): Promise<Outcome> {
  const lines = await withScratch(async (scratch) => {
    await generate(scratch);
    return describe(compareGenerated(scratch, root));
  });
  if (lines.length === 0) return passed;
  return failed([...lines, "fix: npm run generate, and commit what it writes"].join("\n"));
}

function describe({ changed, missing, extra }: Differences): string[] {
  return [
    ...changed.map((path) => `changed  ${path}: differs from what the generator writes`),
    ...missing.map((path) => `missing  ${path}: the generator writes it, the tree lacks it`),
    ...extra.map((path) => `extra    ${path}: no generator writes it any more`),
  ];
}
