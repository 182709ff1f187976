/** An agent that does nothing, in a process of its own. */
import { startAgent } from "@baton/agent";

await startAgent({
  ...{ pack: "idle", version: "1.0.0", taskTypes: ["nothing"], capacity: 256 },
  run: (task) => task.success("done"),
});
process.send?.("attached");
process.once("disconnect", () => process.exit());
