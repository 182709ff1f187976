/**
 * The process that runs the model agents of a hub. It gets its configuration, keys included, as lines of JSON on standard
 * input, and ends with the hub: then its standard input ends.
 */
import { createInterface } from "node:readline";
import { Host } from "./host.ts";
import type { HostConfig } from "./host-config.ts";

// Ctrl-C reaches the whole process group; the hub decides when its agents end.
process.on("SIGINT", () => {});

const host = new Host((report) => process.stdout.write(`${JSON.stringify(report)}\n`));
for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
  host.apply(JSON.parse(line) as HostConfig);
}
await Promise.race([host.close(), new Promise((resolve) => setTimeout(resolve, 2_000))]);
process.exit(0);
