/** An agent of `@baton/agent` that knows the suite's types of task. `node sdk-agent.ts attached|grpc|http-json` */
import { setTimeout as pause } from "node:timers/promises";
import { type AgentDefinition, serveAgent, startAgent, type Task } from "@baton/agent";

let runs = 0;

const definition: AgentDefinition = {
  pack: "conformance-sdk",
  version: "1.0.0",
  taskTypes: [
    "conformance.echo",
    "conformance.slow",
    "conformance.fail",
    "conformance.tool",
    "conformance.step",
  ],
  tools: ["conformance-tool"],
  capacity: 2,
  async run(task) {
    const run = ++runs;
    const type = task.envelope.routing?.taskType;
    if (type === "conformance.fail") return task.failure("as it was asked to", { retryable: true });
    if (type === "conformance.slow") await pause(Number(task.inputs.ms), undefined, { signal: task.signal });
    if (type === "conformance.tool") await useTool(task);
    if (type === "conformance.step") {
      const value = await task.once("conformance", task.inputs, () => ({ run }));
      return task.success("done", { data: { inputs: task.inputs, run, value } });
    }
    task.think("nothing to think about");
    task.turn({ confidence: 1, action: "answer" });
    return task.success("done", { data: { inputs: task.inputs, run } });
  },
};

function useTool(task: Task): Promise<string> {
  return task.tool(String(task.inputs.tool), {}, () => "used");
}

const [transport] = process.argv.slice(2);
if (transport === "attached") await startAgent(definition);
else {
  const { BATON_AGENT_TOKEN: token } = process.env;
  const listen = { transport: transport === "grpc" ? "grpc" : "http-json", ...(token && { token }) } as const;
  await serveAgent({ ...definition, listen });
}
