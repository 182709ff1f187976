/** Tasks of an ordinary agent on a hub that has models, beside the same on a hub without: models cost only who uses them. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { runLoad } from "../load.ts";
import { bound, median, printTable } from "../measure.ts";
import { projectFor } from "./model-calls.ts";
import { type RunningHub, startHub } from "./running-hub.ts";

const inFlight = 64;
const count = 2_000;
const turns = 7;
const allowedRatio = 1.1;

export async function benchThroughput(directory: string): Promise<void> {
  console.log(
    `\ntasks of an ordinary agent, ${inFlight} at once, on a hub with and without models; at most ${allowedRatio} times\n`,
  );
  // Nobody listens there: no model is called.
  const withModels = await start(join(directory, "with"), projectFor("http://127.0.0.1:9/v1"), 2);
  const without = await start(join(directory, "without"), {}, 1);
  const programs = [withModels, without];
  try {
    const perSecond = programs.map((): number[] => []);
    for (let turn = -2; turn < turns; turn++)
      for (const at of turn % 2 === 0 ? [0, 1] : [1, 0]) {
        const hub = programs[at]?.hub;
        if (!hub) continue;
        const figures = await runLoad(inFlight, count, () => hub.runTask("nothing"));
        // The first rounds compile.
        if (turn >= 0) perSecond[at]?.push(figures.perSecond);
      }
    const [models = [], plain = []] = perSecond;
    const ratio = median(plain.map((one, turn) => one / (models[turn] ?? Number.NaN)));
    printTable([
      { hub: "without models", "a second": median(plain).toFixed(0), times: "" },
      { hub: "with models", "a second": median(models).toFixed(0), times: ratio.toFixed(2) },
    ]);
    bound("tasks of a hub without models over those of one with models", ratio, allowedRatio);
  } finally {
    for (const { hub, agent } of programs) {
      agent.disconnect();
      await hub.end();
    }
  }
}

async function start(folder: string, files: Readonly<Record<string, string>>, agents: number) {
  const hub: RunningHub = await startHub(folder, files);
  const agent = fork(new URL("./agent-program.ts", import.meta.url), {
    env: { ...process.env, BATON_HUB: hub.grpc },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await once(agent, "message");
  await hub.attached(agents);
  return { hub, agent };
}
