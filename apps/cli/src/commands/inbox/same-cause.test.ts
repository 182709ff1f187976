import { join } from "node:path";
import { expect, it } from "vitest";
import { leaveTasks, scratchFolder, startRealHub } from "../../../testing/real-hub.ts";
import { runBaton } from "../../../testing/run-baton.ts";

it("[DIS-06] asks one question where several runs wait for the same cause, and takes one answer for all", async () => {
  const hub = await startRealHub(join(scratchFolder(), "data"));
  const ids = await leaveTasks(hub.address, 4);
  const other = ["run", "--task-type", "dance", "--title", "Another", "--accept", "it works"];
  await runBaton(other, { hub: hub.address });
  const { stdout } = await runBaton(["inbox"], { hub: hub.address });
  expect(stdout.match(/^ {2}problem /gm)).toHaveLength(2);
  expect(stdout).toContain("3 more with the same cause");
  const [, command = ""] = /(answer p-\S+\/e1 abort --all)/.exec(stdout) ?? [];
  const answered = await runBaton(command.split(" "), { hub: hub.address });
  expect(answered.stderr).toContain("and 3 more with the same cause");
  const views = await Promise.all(
    ids.map((id) => runBaton(["runs", "show", id, "--output", "json"], { hub: hub.address })),
  );
  const states = views.map((one) => JSON.parse(one.stdout).pipeline.status);
  expect(states).toEqual(Array(4).fill("PIPELINE_STATUS_ABORTED"));
  const left = await runBaton(["inbox", "--output", "jsonl"], { hub: hub.address });
  expect(
    left.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).cause),
  ).toEqual([expect.stringContaining("dance")]);
});
