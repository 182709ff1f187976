/**
 * `npm run chaos [-- --kills N] [--seed N]`: a real hub with real agents under load, killed at every point of its loop and
 * disturbed in other ways. Ends with 1 when something happened that must never happen.
 */
import { constants } from "node:os";
import { describeRun, runChaos } from "@baton/chaos";
import { refuse, takeArguments } from "./arguments.ts";

const defaultKills = "300";

const { values } = takeArguments({
  command: "npm run chaos",
  purpose: "kills a real hub with real agents under load, and looks whether anything got lost",
  options: {
    kills: { value: "N", purpose: `how often the hub is killed, by default ${defaultKills}` },
    seed: { value: "N", purpose: "makes the choices, by default 1" },
  },
  notes: ["Real processes take their own time: the same seed makes the same choices, not the same run."],
});
// Whatever was started ends with this process, and so does its folder.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => process.exit(128 + constants.signals[signal]));
const run = await runChaos({
  kills: readNumber("kills", values.kills ?? defaultKills),
  seed: readNumber("seed", values.seed ?? "1"),
  onProgress: (line) => console.error(line),
});
console.log(describeRun(run));
process.exitCode = run.violations.length === 0 ? 0 : 1;

function readNumber(name: string, given: string): number {
  if (!/^[1-9]\d{0,8}$/.test(given))
    refuse(`--${name} wants a number above zero, not "${given}"; as in --${name} 42`);
  return Number(given);
}
