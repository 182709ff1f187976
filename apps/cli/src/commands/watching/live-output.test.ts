import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectOf } from "../../../testing/project.ts";
import { startRealHub } from "../../../testing/real-hub.ts";
import { runBaton, startBaton } from "../../../testing/run-baton.ts";

it("[TUR-06] publishes each line of a command when it is printed, while the command goes on", async () => {
  // It prints the next line only once the one before was seen. Its sandbox shows it the folder of its pack.
  const lines = ["step 1", "HTTP 200", "call (415)", "at 12:30", "port 80 - 443", "done 3 of 3"];
  const slow = `
    import { existsSync } from "node:fs";
    import { setTimeout as wait } from "node:timers/promises";
    for (const [place, line] of ${JSON.stringify(lines)}.entries()) {
      console.log(line);
      while (!existsSync(import.meta.dirname + "/seen-" + place)) await wait(10);
    }
    console.log(JSON.stringify({ status: "success", summary: "all of it was seen" }));`;
  const folder = projectOf({ slow });
  const hub = await startRealHub(join(folder, "data"), ["--project", folder]);
  const { stdout } = await runBaton(["run", "--task-type", "slow", "--title", "x", "--accept", "y"], {
    hub: hub.address,
  });
  const eventOptions = startBaton(["runs", "watch", stdout.trim(), "--verbose"], { hub: hub.address });
  for (const [place, line] of lines.entries()) {
    await eventOptions.printed(`prints    ${line}\n`);
    writeFileSync(join(folder, "packs", "slow", `seen-${place}`), "");
  }
  expect(await eventOptions.ended).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("all of it was seen"),
  });
});
