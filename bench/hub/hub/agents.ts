/** Agents that do nothing: they answer at once that all is well. One talks before it does. */
import { startAgent } from "@baton/agent";
import { emit } from "../../emit.ts";

await startAgent({
  pack: "bench",
  version: "1.0.0",
  taskTypes: ["one", "two", "three", "talk"],
  capacity: 500,
  run: async (task) => {
    if (task.envelope.routing?.taskType === "talk")
      await emit(JSON.parse(task.contract.title), (text) => task.think(text));
    return task.success("done", { noEvidence: "nothing was done" });
  },
});
process.send?.({ ready: true });
process.on("disconnect", () => process.exit());
