#!/usr/bin/env -S node --max-semi-space-size=64 --no-allocation-site-pretenuring
// What a pipeline under way holds should not be copied by every small collection, nor be put where only the large ones
// look: a tenth more of them a second for the first, and with 0036 another tenth.
import { runOnNewNode } from "../../run-on-new-node.mjs";

await runOnNewNode({
  name: "baton-server",
  url: import.meta.url,
  nodeOptions: ["--max-semi-space-size=64", "--no-allocation-site-pretenuring"],
  start: async (args) => {
    // First: a thread has files open without O_CLOEXEC for a moment, and closing those corrupts it.
    const { closeInherited } = await import("../src/close-inherited.ts");
    closeInherited();
    const { main } = await import("../src/main.ts");
    await main(args);
  },
});
