/** Agents that do nothing: they answer at once that all is well. */
import { startAgent } from "@baton/agent";

await startAgent({
  pack: "bench",
  version: "1.0.0",
  taskTypes: ["one", "two", "three"],
  capacity: 500,
  run: (task) => task.success("done", { noEvidence: "nothing was done" }),
});
process.send?.({ ready: true });
process.on("disconnect", () => process.exit());
