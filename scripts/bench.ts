/** `npm run bench [-- name ...]`: runs bench/<name>/bench.ts one after another, each in a process of its own. */
import { basename, dirname } from "node:path";
import { endTogether, show } from "./command.ts";
import { findFiles } from "./tree.ts";

endTogether();
process.exitCode = await runBenches(process.argv.slice(2));

async function runBenches(names: readonly string[]): Promise<number> {
  const all = new Map(findFiles("bench/*/bench.ts").map((path) => [basename(dirname(path)), path]));
  const known = [...all.keys()].join(", ") || "none yet";
  const unknown = names.filter((name) => !all.has(name));
  if (unknown.length > 0 || all.size === 0) {
    console.error(`no benchmark ${unknown.join(", ") || "in bench/*/bench.ts"}; the known ones: ${known}`);
    return 1;
  }
  let worst = 0;
  for (const [name, path] of all) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.log(`\n${name} (${path})`);
    // A process each, with the collector at hand: one benchmark's garbage must not slow the next one down.
    worst = Math.max(worst, await show(process.execPath, ["--expose-gc", path]));
  }
  return worst;
}
