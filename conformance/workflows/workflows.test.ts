import { AuditEventType, EdgeKind, PipelineStatus, ResponseStatus } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { stageOf, statuses, WorkflowHub } from "./workflow-hub.ts";

const rated = `workflow:
  name: rated
  start: rate
  nodes:
    - id: rate
      task_type: rating
      data_schema: { properties: { score: { type: number }, names: { type: array } } }
    - { id: publish, task_type: publishing, inputs: { names: "{{rate.data.names}}", text: "for {{rate.data.names}}" } }
    - { id: polish, task_type: polishing }
    - { id: repair, task_type: repairing }
  edges:
    - { from: rate, to: publish, condition: response.data.score > 0.8 }
    - { from: rate, to: polish, condition: response.data.score <= 0.8 }
    - { from: rate, to: repair, kind: error }
`;
const negotiated = `workflow:
  name: negotiated
  start: draft
  nodes:
    - { id: draft, task_type: drafting }
    - { id: check, task_type: checking }
    - { id: publish, task_type: publishing }
    - { id: give-up, task_type: repairing }
  edges:
    - { from: draft, to: check }
    - { from: check, to: publish }
    - { from: check, to: draft, kind: back, max_times: 2 }
    - { from: check, to: give-up, kind: error }
`;

describe("a workflow of agents at a hub", () => {
  it("[SAC-05] takes the edge whose condition holds, and reports what each edge read", async () => {
    const hub = await WorkflowHub.with({ rated });
    await hub.agent("rating", (task) =>
      task.success("rated", { data: { score: 0.9, names: ["Ada", "Bob"] } }),
    );
    await hub.agent("publishing", (task) => task.success("published", { data: { inputs: task.inputs } }));
    const run = await hub.reaches(await hub.submit("rated"), PipelineStatus.COMPLETED);
    expect(statuses(run)).toBe("rate:COMPLETED publish:COMPLETED polish:SKIPPED repair:SKIPPED");
    const edge = (id: string) => stageOf(run, id).edges[0];
    const values = { response: { data: { score: 0.9 } } };
    expect(edge("publish")).toMatchObject({ fromStageId: "rate", taken: true, values });
    expect(edge("polish")).toMatchObject({ taken: false, reason: "its condition is false", values });
    expect(edge("repair")).toMatchObject({
      kind: EdgeKind.ERROR,
      taken: false,
      reason: '"rate" did not fail',
    });
  });

  it("[SAC-06] passes data on with its type; within a text it is JSON", async () => {
    const hub = await WorkflowHub.with({ rated });
    await hub.agent("rating", (task) =>
      task.success("rated", { data: { score: 0.9, names: ["Ada", "Bob"] } }),
    );
    await hub.agent("publishing", (task) => task.success("published", { data: { inputs: task.inputs } }));
    const run = await hub.reaches(await hub.submit("rated"), PipelineStatus.COMPLETED);
    expect(stageOf(run, "publish").result?.response?.data).toEqual({
      inputs: { names: ["Ada", "Bob"], text: 'for ["Ada","Bob"]' },
    });
  });

  it("[SAC-05] [SAC-06] leaves a node out with the reason when its condition or its inputs lack data, and notifies a person", async () => {
    const hub = await WorkflowHub.with({ rated });
    await hub.agent("rating", (task) => task.success("rated", { data: task.inputs }));
    const noScore = await hub.reaches(await hub.submit("rated", { names: [] }), PipelineStatus.COMPLETED);
    expect(stageOf(noScore, "publish").waitingFor).toMatch(
      /^the edge from "rate" is not taken: its condition cannot be evaluated: .*score/,
    );
    const noNames = await hub.reaches(await hub.submit("rated", { score: 0.9 }), PipelineStatus.COMPLETED);
    expect(stageOf(noNames, "publish").waitingFor).toMatch(
      /^its input "names" cannot be filled: {{rate.data.names}}: rate.data has no "names"/,
    );
    const { escalations } = await hub.orchestrator.listEscalations({});
    expect(escalations.map(({ snapshot }) => snapshot?.problem)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^stage "publish" is left out: the edge from "rate"/),
        expect.stringMatching(/^stage "publish" is left out: its input "names"/),
      ]),
    );
  });

  it("[SAC-07] leads failure along the error edge, or stops where there is none", async () => {
    const hub = await WorkflowHub.with({ rated });
    await hub.agent("rating", (task) =>
      task.inputs.fails ? task.failure("no such person") : task.success("rated", { data: { score: 0.1 } }),
    );
    await hub.agent("repairing", (task) => task.success("repaired"));
    await hub.agent("polishing", (task) => task.failure("nothing to polish"));
    const repaired = await hub.reaches(await hub.submit("rated", { fails: true }), PipelineStatus.COMPLETED);
    expect(statuses(repaired)).toBe("rate:SKIPPED publish:SKIPPED polish:SKIPPED repair:COMPLETED");
    const stopped = await hub.reaches(await hub.submit("rated"), PipelineStatus.PAUSED);
    expect(statuses(stopped)).toBe("rate:COMPLETED publish:SKIPPED polish:FAILED repair:SKIPPED");
    expect(stopped.statusReason).toBe('stage "polish" failed: nothing to polish');
  });

  it("[SAC-07] pauses for clarification_needed, asks, and resumes the node with the answer", async () => {
    const hub = await WorkflowHub.with({ rated });
    await hub.agent("rating", (task) =>
      task.answers.length === 0
        ? task.ask("Which Acme?")
        : task.success("rated", { data: { score: 0.9, names: task.answers.map(({ answer }) => answer) } }),
    );
    await hub.agent("publishing", (task) => task.success("published", { data: { inputs: task.inputs } }));
    const pipelineId = await hub.submit("rated");
    const asked = async () => (await hub.openQuestions()).map(({ problem }) => problem);
    await expect.poll(asked).toEqual(["Which Acme?"]);
    expect(statuses(await hub.pipeline(pipelineId))).toMatch(/^rate:DISPATCHED publish:PENDING/);
    const [question] = await hub.openQuestions();
    await hub.orchestrator.resolveEscalation({
      ...{ escalationId: question?.id ?? "", resolution: "the one in Paris" },
    });
    const run = await hub.reaches(pipelineId, PipelineStatus.COMPLETED);
    expect(stageOf(run, "publish").result?.response?.data).toMatchObject({
      inputs: { names: ["the one in Paris"] },
    });
    expect(run.summary?.totalRetries).toBe(0);
  });

  it("[SAC-11] negotiates along its own edge within its bound, without a rejection", async () => {
    const hub = await WorkflowHub.with({ negotiated });
    await hub.agent("drafting", (task) =>
      task.success("drafted", { data: { heeds: task.feedback?.instructions ?? [] } }),
    );
    let checks = 0;
    await hub.agent("checking", (task) => {
      checks++;
      return checks === 1 ? task.retryWithInstruction("name the date") : task.success("fine");
    });
    await hub.agent("publishing", (task) => task.success("published"));
    const run = await hub.reaches(await hub.submit("negotiated"), PipelineStatus.COMPLETED);
    expect(stageOf(run, "draft").result?.response?.data).toEqual({ heeds: ["name the date"] });
    expect(run.summary?.totalRejections).toBe(0);
    const rounds = stageOf(run, "check").edges.filter(({ kind }) => kind === EdgeKind.BACK);
    expect(rounds).toMatchObject([
      { toStageId: "draft", taken: true, reason: "name the date", timesTaken: 1, maxTimes: 2 },
      { toStageId: "draft", taken: false, timesTaken: 1, maxTimes: 2 },
    ]);
  });

  it("[SAC-11] [SAC-07] takes the error edge when the bound of a negotiation is reached", async () => {
    const hub = await WorkflowHub.with({ negotiated });
    await hub.agent("drafting", (task) => task.success("drafted"));
    await hub.agent("checking", (task) => task.retryWithInstruction("again"));
    await hub.agent("repairing", (task) => task.success("gave up"));
    const run = await hub.reaches(await hub.submit("negotiated"), PipelineStatus.COMPLETED);
    expect(statuses(run)).toBe("draft:COMPLETED check:SKIPPED publish:SKIPPED give-up:COMPLETED");
    expect([stageOf(run, "draft").attemptNumber, stageOf(run, "check").attemptNumber]).toEqual([3, 3]);
    expect(stageOf(run, "check").waitingFor).toBe(
      'it asks for another try, and its edge back to "draft" was taken 2 times, which is its bound: again',
    );
  });

  it("[SAC-01] ends where a node answers completed", async () => {
    const hub = await WorkflowHub.with({ negotiated });
    await hub.agent("drafting", (task) => task.completed("nothing to do"));
    const run = await hub.reaches(await hub.submit("negotiated"), PipelineStatus.COMPLETED);
    expect(statuses(run)).toBe("draft:COMPLETED check:SKIPPED publish:SKIPPED give-up:SKIPPED");
  });

  it("[SAC-10] records every answer with its thought, without its secrets", async () => {
    const hub = await WorkflowHub.with({ rated });
    const token = `gh${"p_"}${"aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6"}`;
    await hub.agent("rating", (task) =>
      task.success("rated", {
        thought: `I ask with ${token}.`,
        data: { score: 0.9, names: [], password: "swordfish" },
      }),
    );
    await hub.agent("publishing", (task) => task.success("published"));
    const run = await hub.reaches(await hub.submit("rated"), PipelineStatus.COMPLETED);
    const { entries } = await hub.audit.listAuditEntries({ filter: `pipeline_id = "${run.pipelineId}"` });
    const received = entries.find(
      ({ eventType, stageId }) => eventType === AuditEventType.RESULT_RECEIVED && stageId === "rate",
    );
    expect(received?.snapshot?.snapshotPayload.value).toMatchObject({
      response: {
        ...{
          status: ResponseStatus.SUCCESS,
          message: "rated",
          thought: "I ask with [redacted:github-token].",
        },
        dataJson: '{"score":0.9,"names":[],"password":"[redacted:field]"}',
      },
    });
  });
});
