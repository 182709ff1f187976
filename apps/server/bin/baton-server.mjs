#!/usr/bin/env node
import { runOnNewNode } from "../../run-on-new-node.mjs";

await runOnNewNode({
  name: "baton-server",
  url: import.meta.url,
  start: async (args) => {
    const { main } = await import("../src/main.ts");
    await main(args);
  },
});
