/** The last look: the tests once more, and nothing touched that was not to be touched. */
import { startAgent } from "@baton/agent";

await startAgent({
  pack: "qa-engineer",
  version: "1.0.0",
  description: "Runs the tests of a change and looks at what was touched",
  role: "reviewer",
  taskTypes: ["verification"],
  tools: ["node", "git"],
  async run(task) {
    const tests = await task.check("tests");
    const touched = await task.exec("git", ["show", "--name-only", "--format=%s"], { evidence: "other" });
    task.turn({ confidence: 0.95, action: "ran the tests", observation: touched.output.trim() });
    return tests?.ok ? task.success("all tests pass, one file changed") : task.failure("the tests fail");
  },
});
