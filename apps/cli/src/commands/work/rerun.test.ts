import { PipelineOriginSchema, type RerunPipelineRequest } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { startHub } from "../../../testing/hub-double.ts";
import { runBaton } from "../../../testing/run-baton.ts";
import { aPipeline, otherId, pipelineId } from "../../../testing/sample.ts";

const origin = create(PipelineOriginSchema, {
  ...{ pipelineId, stageId: "review", revision: 42n, reason: "try it large" },
  takenStages: ["implement"],
});

async function hubThatRunsAgain() {
  const requests: Omit<RerunPipelineRequest, "$typeName" | "$unknown">[] = [];
  const hub = await startHub({
    orchestrator: {
      getPipeline: ({ pipelineId: id }) => ({
        pipeline: id === otherId ? aPipeline({ pipelineId: otherId, origin }) : aPipeline(),
      }),
      listEscalations: () => ({}),
      rerunPipeline: ({ $typeName: _, ...request }) => {
        requests.push(request);
        return { pipeline: aPipeline({ pipelineId: otherId, origin }) };
      },
    },
    audit: { listAuditEntries: () => ({}) },
  });
  return { hub, requests };
}

const asked = ["rerun", pipelineId, "--from", "review", "--reason", "try it large"];

describe("baton rerun", () => {
  it("[TUR-08] changes single inputs, instructs the agent, and prints the new run", async () => {
    const { hub, requests } = await hubThatRunsAgain();
    await using _ = hub;
    const more = [
      "--set",
      "size=large",
      "--set",
      "count:=3",
      "--instruct",
      "use the small logo",
      "--key",
      "k1",
    ];
    const run = await runBaton([...asked, ...more], { hub: hub.url });
    expect([run.code, run.stdout, run.stderr]).toEqual([0, `${otherId}\n`, "taken over: implement\n"]);
    expect(requests).toEqual([
      {
        ...{ pipelineId, stageId: "review", reason: "try it large", idempotencyKey: "k1" },
        inputs: { size: "large", count: 3 },
        mergeInputs: true,
        instructions: ["use the small logo"],
      },
    ]);
  });

  it("[TUR-08] takes all inputs from a file, and speaks JSON to programs", async () => {
    const { hub, requests } = await hubThatRunsAgain();
    await using _ = hub;
    const circumstances = { hub: hub.url, stdin: "size: large\ntags: [a]\n" };
    const run = await runBaton([...asked, "--input", "-", "-o", "json"], circumstances);
    expect(JSON.parse(run.stdout)).toMatchObject({ pipeline: { origin: { pipelineId, revision: "42" } } });
    expect(requests).toMatchObject([{ inputs: { size: "large", tags: ["a"] }, mergeInputs: false }]);
  });

  it.each([
    [["--input", "-", "--set", "a=b"], "cannot be used together"],
    [["--input", "-"], "holds no fields"],
    [["--set", "size"], "name=text"],
  ])("[TUR-08] says what is wrong with %j, and does nothing", async (more, problem) => {
    const { hub, requests } = await hubThatRunsAgain();
    await using _ = hub;
    const run = await runBaton([...asked, ...more], { hub: hub.url, stdin: "just words" });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(problem);
    expect(requests).toEqual([]);
  });

  it("[TUR-08] baton runs show prints the origin of a run", async () => {
    const { hub } = await hubThatRunsAgain();
    await using _ = hub;
    const run = await runBaton(["runs", "show", otherId], { hub: hub.url });
    expect(run.stdout).toContain(`${pipelineId} at revision 42, from review: try it large`);
  });
});
