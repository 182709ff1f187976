import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leaveTasks, scratchFolder, startRealHub } from "../../../testing/real-hub.ts";
import { runBaton } from "../../../testing/run-baton.ts";

/** One hub with one run that no agent can take, so that a person is asked. */
describe("[PIP-10] a run that waits for a person", () => {
  const cleanups: (() => void | Promise<void>)[] = [];
  const atEnd = (work: () => void | Promise<void>) => void cleanups.unshift(work);
  let hub = "";
  let id = "";
  beforeAll(async () => {
    hub = (await startRealHub(scratchFolder(atEnd), [], atEnd)).address;
    [id = ""] = await leaveTasks(hub, 1);
  });
  afterAll(async () => {
    for (const work of cleanups) await work();
  });
  const baton = (...args: readonly string[]) => runBaton(args, { hub });

  it("is `waiting` in list, show, watch and run", async () => {
    expect((await baton("runs", "list")).stdout).toMatch(
      new RegExp(`^${id} +! waiting .* a person: no agent`, "m"),
    );
    expect((await baton("runs", "show", id)).stdout).toMatch(/^! waiting {2}Task 1/);
    expect((await baton("runs", "watch", id)).stdout).toMatch(/^! waiting {2}Task 1/m);
    const task = ["--task-type", "implement", "--title", "Task 2", "--accept", "it works"];
    const ran = await baton("run", ...task, "--wait", "--key", "second");
    expect(ran.stdout).toMatch(/^! waiting {2}Task 2/);
    expect(ran.code).toBe(8);
    await baton("runs", "abort", (await idsOf("waiting"))[0] ?? "", "--reason", "not needed");
  });

  const idsOf = async (status: string) => {
    const { stdout } = await baton("runs", "list", "--status", status, "--output", "jsonl");
    return stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).pipelineId]));
  };

  it("is found by --status waiting and by no other state", async () => {
    expect(await idsOf("waiting")).toEqual([id]);
    expect(await idsOf("running")).toEqual([]);
    expect(await idsOf("aborted")).toHaveLength(1);
  });

  it("stays `waiting` when its pipeline is paused, and says so to a program", async () => {
    const { stdout } = await baton("runs", "pause", id, "--reason", "later", "--output", "json");
    expect(JSON.parse(stdout).pipeline).toMatchObject({
      status: "PIPELINE_STATUS_PAUSED",
      waitsForPerson: true,
    });
    expect(await idsOf("waiting")).toEqual([id]);
    expect(await idsOf("paused")).toEqual([]);
  });

  it("is reached by the older name of the command and of the option", async () => {
    const [show, older] = await Promise.all([baton("runs", "show", id), baton("pipeline", "show", id)]);
    expect(older.stdout.replaceAll(/\d+s/g, "")).toBe(show.stdout.replaceAll(/\d+s/g, ""));
    const [run, pipeline, both] = await Promise.all([
      baton("audit", "list", "--run", id),
      baton("audit", "list", "--pipeline", id),
      baton("audit", "list", "--pipeline", id, "--run", id),
    ]);
    expect(run.stdout).toContain("run created");
    expect(pipeline.stdout).toBe(run.stdout);
    expect(both.code).toBe(2);
    expect((await baton("--help")).stdout).toMatch(/^ {2}runs\|pipeline +list, show and steer runs$/m);
  });

  it("is called a run wherever people read, and the glossary has the word of the contract", async () => {
    const [listed, inbox, entries, older, help] = await Promise.all([
      baton("runs", "show", id),
      baton("inbox", id),
      baton("audit", "list", "--run", id, "--type", "run-created"),
      baton("audit", "list", "--run", id, "--type", "pipeline-created"),
      baton("audit", "list", "--help"),
    ]);
    expect(entries.stdout).toMatch(/run created /);
    expect(older.stdout).toBe(entries.stdout);
    for (const { stdout } of [listed, inbox, entries, help]) {
      expect(stdout).not.toBe("");
      expect(stdout).not.toMatch(/pipeline/i);
    }
    const glossary = readFileSync(
      resolve(import.meta.dirname, "../../../../../docs/reference/glossary.md"),
      "utf8",
    );
    expect(glossary).toMatch(/^\| run \| .*\*pipeline\* in the contract/m);
  });
});
