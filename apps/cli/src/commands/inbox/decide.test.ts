import { EscalationKind } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { startHub } from "../../../testing/hub-double.ts";
import { runBaton } from "../../../testing/run-baton.ts";
import { aPipeline, aQuestion, pipelineId } from "../../../testing/sample.ts";

const question = aQuestion({
  escalationId: `${pipelineId}/e2`,
  kind: EscalationKind.CLARIFICATION,
  stageId: "implement",
  snapshot: { problem: "Which logo?", options: ["answer", "abort"] },
});

/** A hub with a review and a question, and the requests that it received about them. */
async function askingHub() {
  const requests: unknown[] = [];
  const hub = await startHub({
    orchestrator: {
      listEscalations: () => ({ escalations: [aQuestion(), question] }),
      getPipeline: () => ({ pipeline: aPipeline() }),
      reviewStage: ({ $typeName: _, ...request }) => {
        requests.push(request);
        return { pipeline: aPipeline() };
      },
      resolveEscalation: ({ $typeName: _, ...request }) => {
        requests.push(request);
        return { escalation: question };
      },
    },
  });
  return { hub, requests };
}

describe("deciding what waits for a person", () => {
  it("[PIP-06] approves the review of a pipeline, for the attempt that was looked at", async () => {
    const { hub, requests } = await askingHub();
    await using _ = hub;
    const run = await runBaton(["approve", pipelineId, "--reason", "tried it"], { hub: hub.url });
    expect(run.code).toBe(0);
    expect(run.stderr).toBe(
      "d-2 is approved\nThe work of review is accepted, and nothing else waits for it.\n",
    );
    expect(requests).toMatchObject([
      { pipelineId, dispatchId: "d-2", reason: "tried it", verdict: { case: "approval" } },
    ]);
  });

  it("[PIP-08] sends work back to an earlier stage, with instructions", async () => {
    const { hub, requests } = await askingHub();
    await using _ = hub;
    const run = await runBaton(
      ["reject", `${pipelineId}/e1`, "--reason", "no tests", "--to", "implement"].concat(
        ["--instruct", "cover the empty title"],
        ["--instruct", "and the long one"],
      ),
      { hub: hub.url },
    );
    expect(run.stderr).toBe(
      "d-2 is sent back\nimplement is tried again, with what failed and your instructions.\n",
    );
    expect(requests).toMatchObject([
      {
        verdict: {
          case: "rejection",
          value: {
            rewindTargetStage: "implement",
            instructions: ["cover the empty title", "and the long one"],
            unfixable: false,
          },
        },
      },
    ]);
  });

  it("[SAC-07] answers the question of an agent in one's own words", async () => {
    const { hub, requests } = await askingHub();
    await using _ = hub;
    const run = await runBaton(["answer", `${pipelineId}/implement`, "the", "small one"], { hub: hub.url });
    expect(run.code).toBe(0);
    expect(requests).toMatchObject([{ escalationId: `${pipelineId}/e2`, resolution: "the small one" }]);
  });

  it.each([
    [["approve", `${pipelineId}/e2`, "--reason", "x"], "is a question, not a review", "baton answer"],
    [["answer", `${pipelineId}/e1`, "yes"], "is a review", "baton approve"],
    [["approve", "p-nothing", "--reason", "x"], "nothing of", "baton inbox"],
    [["approve", pipelineId], "--reason", "--reason"],
  ])("names the right command after %j, and does nothing", async (args, problem, fix) => {
    const { hub, requests } = await askingHub();
    await using _ = hub;
    const run = await runBaton(args, { hub: hub.url });
    expect(run.code).not.toBe(0);
    expect(run.stderr).toContain(problem);
    expect(run.stderr).toContain(fix);
    expect(requests).toEqual([]);
  });
});
