/** `npm run bench [-- name ...]`: runs bench/<name>/bench.ts one after another, each in a process of its own. */
import { basename, dirname } from "node:path";
import { refuse, takeArguments } from "./arguments.ts";
import { endTogether, show } from "./command.ts";
import { findFiles } from "./tree.ts";

const all = new Map(findFiles("bench/*/bench.ts").map((path) => [basename(dirname(path)), path]));
const known = [...all.keys()].join(", ") || "none yet";

const { operands } = takeArguments({
  command: "npm run bench",
  purpose: "measures what things cost, beside the plainest way to do the same",
  operands: { name: "name", purpose: `only these, of: ${known}` },
});
const unknown = operands.filter((name) => !all.has(name));
if (unknown.length > 0) refuse(`no benchmark ${unknown.join(", ")}; the known ones: ${known}`);
endTogether();
process.exitCode = await runBenches(operands);

async function runBenches(names: readonly string[]): Promise<number> {
  let worst = 0;
  for (const [name, path] of all) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.log(`\n${name} (${path})`);
    // A process each, with the collector at hand: one benchmark's garbage must not slow the next one down.
    worst = Math.max(worst, await show(process.execPath, ["--expose-gc", path]));
  }
  return worst;
}
