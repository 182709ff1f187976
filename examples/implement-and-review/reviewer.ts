/** Tries what the author did not think of, and sends the work back with what it saw. */
import { startAgent } from "@baton/agent";

const trial = `
  import { slugify } from "./slug.js";
  const cases = { "Hello World": "hello-world", "Crème Brûlée": "creme-brulee", "  tea & jam ": "tea-jam" };
  for (const [title, wanted] of Object.entries(cases)) {
    const seen = slugify(title);
    console.log(seen === wanted ? "ok    " : "WRONG ", JSON.stringify(title), "→", seen);
    if (seen !== wanted) process.exitCode = 1;
  }`;

await startAgent({
  pack: "code-reviewer",
  version: "1.0.0",
  description: "Reviews work by trying it",
  role: "reviewer",
  taskTypes: ["code-review"],
  tools: ["node"],
  async run(task) {
    const tried = await task.exec("node", ["--input-type=module", "--eval", trial], { evidence: "other" });
    task.think(`Three titles that the author may not have thought of:\n${tried.output}`);
    task.turn({ confidence: 0.9, action: "tried three titles", observation: tried.output.trim() });
    if (tried.ok) return task.success("three titles tried, all as they should be");
    const wrong = tried.output.split("\n").find((line) => line.startsWith("WRONG")) ?? "";
    return task.retryWithInstruction(
      `accented letters get lost: ${wrong.slice(6).trim()}, and it should be creme-brulee`,
    );
  },
});
