/** Writes the function that the task asks for. What a review says about the first try, the second one heeds. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startAgent } from "@baton/agent";

const plain = `export function slugify(title) {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
}
`;

const withAccents = plain.replace(
  "title\n",
  'title\n    .normalize("NFD")\n    .replace(/\\p{Diacritic}/gu, "")\n',
);

await startAgent({
  pack: "senior-ts-dev",
  version: "1.0.0",
  description: "Writes and changes code until its tests pass",
  taskTypes: ["feature-implementation"],
  tools: ["node", "git"],
  async run(task) {
    const told = task.feedback?.failedChecks.map(({ reason }) => reason).join(" ") ?? "";
    task.think(
      told
        ? `The review says ${told.split(":")[0]}. So the accents come off first.`
        : "Lower case, everything else becomes a dash.",
    );
    await writeFile(join(task.workspace ?? ".", "slug.js"), told ? withAccents : plain);
    await task.artifact("slug.js", "modified");
    const tests = await task.check("tests");
    task.turn({
      confidence: tests?.ok ? 0.9 : 0.4,
      action: "wrote slug.js",
      observation: tests?.ok ? "tests pass" : "tests fail",
    });
    if (!tests?.ok) return task.failure("the tests fail", { retryable: true });
    task.decision(told ? "take the accents off first" : "keep only letters and digits");
    return task.success(
      told ? "slugify keeps letters that have accents" : "slugify is there, and its tests pass",
    );
  },
});
