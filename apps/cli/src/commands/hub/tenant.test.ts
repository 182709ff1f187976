import { join } from "node:path";
import { expect, it } from "vitest";
import { leaveTasks, scratchFolder, startRealHub } from "../../../testing/real-hub.ts";
import { runBaton } from "../../../testing/run-baton.ts";
import { exitCode } from "../../exit-code.ts";

it("[PIP-10] `baton tenant` stops all work with a reason, over a restart, and lets it go on; it takes a person's credential", async () => {
  const folder = scratchFolder();
  const data = join(folder, "data");
  const first = await startRealHub(data);
  const at = { hub: first.address };
  const [pipelineId = ""] = await leaveTasks(first.address, 1);
  const stop = ["tenant", "stop", "--reason", "an agent deletes things"];
  const stranger = await runBaton(stop, { ...at, env: { XDG_RUNTIME_DIR: folder } });
  expect([stranger.code, stranger.stderr]).toEqual([
    exitCode.denied,
    expect.stringContaining("BATON-SERVER-016"),
  ]);
  const stopped = await runBaton(stop, at);
  expect([stopped.code, stopped.stdout]).toEqual([
    exitCode.ok,
    expect.stringMatching(/^local is stopped since .* by operator: an agent deletes things\n$/),
  ]);
  expect((await runBaton(stop, at)).code).toBe(exitCode.refused);
  await first.stop();

  const next = await startRealHub(data);
  const again = { hub: next.address };
  const state = await runBaton(["tenant", "show", "-o", "json"], again);
  expect(JSON.parse(state.stdout)).toMatchObject({ stopped: true, stoppedBy: "operator" });
  const run = await runBaton(["runs", "show", pipelineId], again);
  expect(run.stdout).toContain("the tenant was stopped: an agent deletes things");
  const started = await runBaton(["tenant", "start", "--reason", "it is gone"], again);
  expect([started.code, started.stdout]).toEqual([exitCode.ok, "local is running\n"]);
  const after = await runBaton(["runs", "show", pipelineId], again);
  expect(after.stdout).not.toContain("the tenant was stopped");
  const { stdout: record } = await runBaton(["audit", "list", "--type", "tenant-stopped"], again);
  expect(record).toContain("an agent deletes things");
});
