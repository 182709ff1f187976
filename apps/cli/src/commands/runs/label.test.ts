import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder, startRealHub } from "../../../testing/real-hub.ts";
import { runBaton } from "../../../testing/run-baton.ts";

it("[CON-05] labels of a run are changed after its end, found by filters, and kept by the store", async () => {
  const data = join(scratchFolder(), "data");
  const first = await startRealHub(data);
  const at = { hub: first.address };
  const task = ["run", "--task-type", "nope", "--title", "A task", "--accept", "it works"];
  const id = (await runBaton([...task, "--label", "team=core"], at)).stdout.trim();
  await runBaton([...task, "--label", "team=core"], at);
  const list = async (hub: string, label: string) => {
    const { stdout } = await runBaton(["runs", "list", "--label", label, "--output", "jsonl"], { hub });
    return stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).pipelineId]));
  };
  const changed = await runBaton(["runs", "label", id, "team=", "eval-result=passed", "-o", "json"], at);
  expect(JSON.parse(changed.stdout).pipeline.labels).toEqual([{ name: "eval-result", value: "passed" }]);
  expect(await list(first.address, "eval-result=passed")).toEqual([id]);
  expect((await list(first.address, "team=core")).length).toBe(1);
  await first.stop();
  const second = await startRealHub(data);
  expect(await list(second.address, "eval-result=passed")).toEqual([id]);
  const wrong = await runBaton(["runs", "label", id, "no value"], { hub: second.address });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("name=value")]);
  const long = await runBaton(["runs", "label", id, "note=\u202eturned"], { hub: second.address });
  expect(long.stderr).toContain("BATON-SUBMIT-003");
});
