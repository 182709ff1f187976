#!/usr/bin/env node
import { runOnNewNode } from "../../run-on-new-node.mjs";

await runOnNewNode({
  name: "baton-page",
  url: import.meta.url,
  start: async () => {
    const { buildPage } = await import("../build/build-page.ts");
    const { built, files, compressedBytes } = await buildPage();
    if (built) process.stdout.write(`built ${files} files, ${compressedBytes} bytes compressed\n`);
  },
});
