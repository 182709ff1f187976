import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { AgentTransport, decodeJson, PipelineStatus, RiskTier, TaskEnvelopeSchema } from "@baton/contract";
import type { CanaryAgent } from "./agent.ts";
import { besideTheTask, inputsAlone } from "./agent.ts";
import type { Scene } from "./scene.ts";
import { commandPacks } from "./story-files.ts";

const { COMPLETED, FAILED, ABORTED, PAUSED } = PipelineStatus;
const ended = [COMPLETED, FAILED, ABORTED];

export interface StoryFiles {
  /** A folder under git in which a command prints canaries, and which has one in the name of a file. */
  readonly workspace: string;
  /** Digests of the files of git in it, as the user made them. */
  readonly own: ReadonlyMap<string, string>;
  /** The command that prints them and succeeds, and the one that fails. */
  readonly printing: string;
  readonly failing: string;
}

/** Everything that can happen to a task, with canaries wherever somebody may write something. */
export async function runStory(scene: Scene, place: StoryFiles): Promise<void> {
  const watching = watch(scene);
  const agent = scene.agent("dev");
  await succeeds(scene, place);
  await fails(scene, place);
  await isDoneInPlaces(scene, place);
  await isTakenBack(scene, place);
  await isReviewed(scene);
  await isAsked(scene);
  await isSteered(scene);
  await isLost(scene, agent);
  await isPushed(scene);
  await isCommanded(scene);
  await isRefused(scene);
  await isListed(scene);
  watching.abort();
}

/** Something of everything, in a moment. */
export async function runShortStory(scene: Scene, { workspace, printing }: StoryFiles): Promise<void> {
  const watching = watch(scene);
  const agent = scene.agent("dev");
  const checked = scene.staged("succeed", ["first", "second"]);
  const contract = { ...checked.contract, tests: scene.tests(), environment: { testCommand: printing } };
  const work = { repository: workspace, path: workspace };
  const ids = [
    await scene.submit({ ...checked, contract, workspace: work } as never),
    await scene.submit(scene.staged("fail", ["only"])),
    await scene.submit(scene.staged("succeed", [scene.planter.name("a stage")])),
  ];
  for (const id of ids) await scene.reaches(id, ...ended, PAUSED);
  const template = scene.planter.word("a template");
  await scene.provoke(
    scene.orchestrator.submitTask(
      scene.task("x", { plan: { case: "templateId", value: template } }) as never,
    ),
  );
  const body = `{"${scene.planter.word("a field")}": 1}`;
  const headers = { "content-type": "application/json" };
  const path = "/vasini.agent.v1.OrchestratorService/SubmitTask";
  await scene.fetch("error http", path, { method: "POST", headers, body });
  await scene.audit.listAuditEntries({ pageSize: 500 });
  await scene.orchestrator.listEscalations({});
  agent.leave();
  await agent.ended;
  watching.abort();
}

/** Follows all events, over gRPC and as server-sent events. */
function watch(scene: Scene): AbortController {
  const stop = new AbortController();
  const { signal } = stop;
  void (async () => {
    for await (const _ of scene.orchestrator.watchEvents({ afterSequence: 0n }, { signal }));
  })().catch(() => undefined);
  void (async () => {
    const response = await fetch(`${scene.where.http}/v1/events?after=0`, { signal });
    for await (const chunk of response.body ?? []) scene.capture.add("event sse", chunk);
  })().catch(() => undefined);
  return stop;
}

async function succeeds(scene: Scene, { workspace, printing }: StoryFiles): Promise<void> {
  const checked = scene.staged("succeed", ["first", "second"]);
  const contract = { ...checked.contract, environment: { testCommand: printing } };
  const work = { repository: workspace, path: workspace };
  const ids = [
    await scene.submit(scene.task("succeed")),
    await scene.submit({ ...checked, contract, workspace: work } as never),
    await scene.submit(scene.staged("succeed", [scene.planter.name("a stage")])),
    await scene.submit(scene.staged("retry", ["only"])),
  ];
  await scene.orchestrator.submitTask(scene.task("succeed", { validateOnly: true }));
  for (const id of ids) await scene.reaches(id, ...ended, PAUSED);
}

async function fails(scene: Scene, { workspace, failing }: StoryFiles): Promise<void> {
  for (const behaviour of ["fail", "block", "lie"]) {
    const id = await scene.submit(scene.staged(behaviour, ["only"]));
    await scene.reaches(id, ...ended, PAUSED);
  }
  const disproved = scene.staged("succeed", ["only"]);
  const environment = { testCommand: failing, lintCommand: failing };
  const contract = { ...disproved.contract, tests: scene.tests(), environment };
  const work = { repository: workspace, path: workspace };
  const id = await scene.submit({ ...disproved, contract, workspace: work } as never);
  await scene.reaches(id, ...ended, PAUSED);
}

/** In a place of its own for every attempt: one passes its gate, one does not, and a stage builds on the first. */
async function isDoneInPlaces(scene: Scene, { workspace, printing, failing }: StoryFiles): Promise<void> {
  const stage = scene.planter.name("a stage in a place");
  for (const testCommand of [printing, failing]) {
    const task = scene.staged("work", [stage, "second"]);
    const tests = testCommand === failing ? scene.tests() : undefined;
    const contract = { ...task.contract, tests, environment: { testCommand } };
    const id = await scene.submit({ ...task, contract, workspace: { repository: workspace } } as never);
    const pipeline = await scene.reaches(id, ...ended, PAUSED);
    if (testCommand === printing && pipeline?.status !== COMPLETED)
      throw new Error("what was done in a place of its own did not pass its gate");
  }
}

/** Taken back to an earlier transition and done again from there, and then run again with other inputs. */
async function isTakenBack(scene: Scene, { workspace, printing }: StoryFiles): Promise<void> {
  const { orchestrator, inspection, planter } = scene;
  const stageId = planter.name("a stage that is taken back");
  const task = scene.staged("work", [stageId, "second"]);
  const contract = { ...task.contract, environment: { testCommand: printing } };
  const pipelineId = await scene.submit({
    ...task,
    contract,
    workspace: { repository: workspace },
  } as never);
  await scene.reaches(pipelineId, ...ended, PAUSED);
  const { transitions } = await inspection.getTransitions({ pipelineId });
  const toRevision = transitions.find((one) => one.stageId === "second")?.revision ?? 0n;
  await orchestrator.previewRewind({ pipelineId, toRevision });
  await orchestrator.rewindPipeline({
    pipelineId,
    toRevision,
    reason: planter.text("a reason"),
    discard: true,
  });
  const again = await scene.reaches(pipelineId, ...ended, PAUSED);
  if (again?.status !== COMPLETED) throw new Error("what was taken back was not done again");
  await inspection.getTransitions({ pipelineId });
  const { pipeline } = await orchestrator.rerunPipeline({
    ...{ pipelineId, stageId, idempotencyKey: planter.word("a key"), reason: planter.text("a reason") },
    ...{ inputs: planter.json("other inputs"), mergeInputs: true },
    instructions: [planter.text("instructions")],
  });
  const rerun = await scene.reaches(pipeline?.pipelineId ?? "", ...ended, PAUSED);
  if (rerun?.status !== COMPLETED) throw new Error("what was run again did not pass its gate");
}

/** A person rejects, the work is done again with the reason, and is approved. */
async function isReviewed(scene: Scene): Promise<void> {
  const id = await scene.submit(scene.staged("succeed", ["only"], { riskTier: RiskTier.CRITICAL }));
  for (const verdict of ["rejection", "approval"] as const) {
    const { stageId, dispatchId } = await scene.asked(id);
    const instructions = [scene.planter.text("instructions")];
    await scene.orchestrator.reviewStage({
      ...{ pipelineId: id, stageId, dispatchId, reason: scene.planter.text("a review") },
      verdict:
        verdict === "approval" ? { case: verdict, value: {} } : { case: verdict, value: { instructions } },
    });
  }
  await scene.reaches(id, ...ended);
}

/** An agent asks a person for an answer, and for the approval of a tool's call. */
async function isAsked(scene: Scene): Promise<void> {
  const answers = { ask: scene.planter.text("an answer"), propose: "refuse" };
  for (const [behaviour, resolution] of Object.entries(answers)) {
    const id = await scene.submit(scene.staged(behaviour, ["only"]));
    const { escalationId } = await scene.asked(id);
    const reason = scene.planter.text("a reason");
    await scene.orchestrator.resolveEscalation({ escalationId, resolution, reason });
    await scene.reaches(id, ...ended, PAUSED);
  }
}

async function isSteered(scene: Scene): Promise<void> {
  const pipelineId = await scene.submit(scene.staged("hang", ["only"]));
  const reason = () => scene.planter.text("a reason");
  await scene.orchestrator.pausePipeline({ pipelineId, reason: reason() });
  await scene.orchestrator.resumePipeline({ pipelineId, reason: reason() });
  await scene.orchestrator.abortPipeline({ pipelineId, reason: reason() });
  await scene.reaches(pipelineId, ABORTED);
  const late = await scene.submit(
    scene.staged("hang", ["only"], { timeout: { seconds: 0n, nanos: 50_000_000 } }),
  );
  await scene.reaches(late, ...ended, PAUSED);
}

/** An agent that goes away, and one that is shut out and let in again. */
async function isLost(scene: Scene, agent: CanaryAgent): Promise<void> {
  const id = await scene.submit(scene.staged("hang", ["only"]));
  agent.say({ case: "event", value: {} as never }, scene.planter.word("an attempt of nobody"));
  agent.say({ case: "heartbeat", value: scene.identity("other").heartbeat });
  await scene.leaves(agent);
  await scene.orchestrator.abortPipeline({ pipelineId: id, reason: scene.planter.text("a reason") });
  const liar = scene.agent("liar");
  for (let count = 0; count < 3; count++) {
    const lie = await scene.submit(scene.staged("lie", ["only"]));
    await scene.reaches(lie, ...ended, PAUSED);
  }
  const { agents } = await scene.registry.listAgents({ recentAttempts: 20 });
  for (const { heartbeat } of agents) {
    const { packId = "", instanceId = "" } = heartbeat ?? {};
    const restored = scene.registry.restoreAgent({
      packId,
      instanceId,
      reason: scene.planter.text("a reason"),
    });
    await restored.catch(() => undefined);
  }
  await scene.leaves(liar);
}

/** Agents that listen, whose answers cannot be read. */
async function isPushed(scene: Scene): Promise<void> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    scene.capture.add("agent headers", JSON.stringify(request.headers));
    if (request.url !== "/cancel") {
      const envelope = decodeJson(TaskEnvelopeSchema, body);
      scene.capture.message("agent dispatch", TaskEnvelopeSchema, besideTheTask(envelope));
      scene.capture.message("agent inputs", TaskEnvelopeSchema, inputsAlone(envelope));
    } else scene.capture.add("agent cancel", body);
    response.setHeader("content-type", "application/json");
    response.end(`{"status": "${scene.planter.word("an answer")}", ${scene.planter.word("an answer")}}`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const endpoint = { uri: `http://127.0.0.1:${port}`, transport: AgentTransport.HTTP_JSON };
  const { manifest, heartbeat } = scene.identity("push", endpoint);
  await scene.registry.registerAgent({ manifest });
  await scene.registry.sendHeartbeat({ heartbeat });
  const id = await scene.submit(scene.staged("succeed", ["only"]));
  await scene.reaches(id, ...ended, PAUSED);
  server.closeAllConnections();
  server.close();
  const word = scene.planter.word("an address");
  for (const uri of [`http://${word}/`, `ftp://x/${word}`, `http://10.0.0.1/${word}`]) {
    const wrong = scene.identity("wrong", { uri, transport: AgentTransport.HTTP_JSON });
    await scene.registry.registerAgent({ manifest: wrong.manifest });
    await scene.registry.sendHeartbeat({ heartbeat: wrong.heartbeat }).catch(() => undefined);
  }
}

/** Agents that are commands: one answers, the other only talks. */
async function isCommanded(scene: Scene): Promise<void> {
  for (const name of commandPacks) {
    const id = await scene.submit(scene.task(name, { plan: { case: "taskType", value: name } }));
    await scene.reaches(id, ...ended, PAUSED);
  }
}

/** Every error of a request is reported, and quotes nothing. */
async function isRefused(scene: Scene): Promise<void> {
  const { orchestrator, registry, audit, planter } = scene;
  const word = (at: string) => planter.word(at);
  const again = scene.task("succeed");
  await orchestrator.submitTask(again);
  const refusals: readonly (() => Promise<unknown>)[] = [
    () => orchestrator.submitTask({ ...again, priority: 3, contract: scene.task("other").contract as never }),
    () =>
      orchestrator.submitTask(
        scene.task("x", { plan: { case: "templateId", value: word("a template") } }) as never,
      ),
    () => orchestrator.submitTask(scene.staged("x", ["same", "same"])),
    () => orchestrator.submitTask(scene.staged("x", ["a"], { dependsOnStages: [word("a stage before")] })),
    () => orchestrator.submitTask(scene.staged("x", ["a"], { condition: `${word("a condition")} ===` })),
    () => orchestrator.getPipeline({ pipelineId: word("a pipeline") }),
    () => orchestrator.pausePipeline({ pipelineId: word("a pipeline"), reason: planter.text("a reason") }),
    () => orchestrator.previewRewind({ pipelineId: word("a pipeline"), toRevision: 1n }),
    () =>
      orchestrator.rewindPipeline({
        ...{ pipelineId: word("a pipeline"), toRevision: 1n, reason: planter.text("a reason") },
      }),
    () =>
      orchestrator.rerunPipeline({
        ...{ pipelineId: word("a pipeline"), stageId: word("a stage"), idempotencyKey: word("a key") },
        ...{ reason: planter.text("a reason"), inputs: planter.json("inputs") },
      }),
    () => orchestrator.explainDispatch({ dispatchId: `${word("a dispatch")}/a/1` }),
    () =>
      orchestrator.resolveEscalation({
        escalationId: word("an escalation"),
        resolution: planter.text("an answer"),
      }),
    () => orchestrator.listPipelines({ filter: `status = ${word("a filter")}` }),
    () => orchestrator.listPipelines({ orderBy: word("an order") }),
    () => orchestrator.listPipelines({ pageToken: word("a token") }),
    () => orchestrator.listEscalations({ filter: planter.text("a filter").slice(0, 4_000) }),
    () => audit.listAuditEntries({ filter: `audit_id > ${word("a filter")}` }),
    () => registry.restoreAgent({ packId: word("a pack"), instanceId: word("an instance"), reason: "so" }),
    () => registry.listAgents({ filter: word("a filter") }),
  ];
  for (const refusal of refusals) await scene.provoke(refusal());
  const rpc = "/vasini.agent.v1.OrchestratorService/SubmitTask";
  const post = (body: string, headers: Record<string, string> = {}) =>
    scene.fetch("error http", rpc, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body,
    });
  await post(`{"${word("a field")}": 1}`);
  await post(`{"contract": "${word("a contract")}"}`);
  await post(`{"priority": "${word("an enum")}"}`);
  await post(`{"deadline": "${word("a time")}"}`);
  await post(`${word("no JSON")}`);
  await post("{}", { "connect-timeout-ms": word("a timeout") });
  await post("{}", { "content-encoding": word("an encoding") });
  await post("{}", { authorization: `Bearer ${word("a key")}`, cookie: `sid=${word("a cookie")}` });
  await post("{}", { traceparent: word("a trace"), "x-anything": word("a header") });
  await post("{}", { origin: `http://${word("an origin")}.example` });
  await scene.fetch("error http", `/${encodeURIComponent(word("a path"))}`);
  await scene.fetch("error http", `/v1/events?${encodeURIComponent(word("a parameter"))}=1`);
  await scene.fetch("error http", `/v1/events?filter=${encodeURIComponent(word("a filter"))}`);
  await scene.fetch("error http", "/readyz");
}

async function isListed(scene: Scene): Promise<void> {
  const { orchestrator, registry, audit, inspection } = scene;
  const orders = ["created_at", "pipeline_name", "template_id desc"];
  for (const orderBy of orders) {
    for (let pageToken = ""; ; ) {
      const page = await orchestrator.listPipelines({ pageSize: 3, pageToken, orderBy });
      pageToken = page.nextPageToken;
      if (pageToken === "") break;
    }
  }
  for (let pageToken = ""; ; ) {
    const page = await orchestrator.listEscalations({ pageSize: 2, pageToken, orderBy: "stage_id" });
    pageToken = page.nextPageToken;
    if (pageToken === "") break;
  }
  for (let pageToken = ""; ; ) {
    const page = await registry.listAgents({ pageSize: 1, pageToken, recentAttempts: 20 });
    pageToken = page.nextPageToken;
    if (pageToken === "") break;
  }
  const dispatches: string[] = [];
  for (let pageToken = ""; ; ) {
    const page = await audit.listAuditEntries({ pageSize: 50, pageToken });
    for (const { dispatchId } of page.entries) if (dispatchId) dispatches.push(dispatchId);
    pageToken = page.nextPageToken;
    if (pageToken === "") break;
  }
  for (const dispatchId of new Set(dispatches)) {
    await scene.provoke(orchestrator.explainDispatch({ dispatchId }));
    await scene.provoke(inspection.getAttempt({ dispatchId }));
    await scene.provoke(inspection.getAttemptChanges({ dispatchId }));
    await scene.provoke(inspection.getPipelineChanges({ dispatchId }));
  }
  const { pipelines } = await orchestrator.listPipelines({ pageSize: 100 });
  for (const { pipelineId } of pipelines) await inspection.getAttempts({ pipelineId });
  for (const { pipelineId } of pipelines) {
    await inspection.getTurns({ pipelineId });
    await inspection.getTransitions({ pipelineId });
  }
  await inspection.getTemplates({});
  await inspection.getSpend({ byDay: true, byModel: true, byPack: true, byTemplate: true });
  await inspection.getRoutingPolicy({});
  const route = { taskType: scene.taskType, allowedPackIds: [scene.planter.word("a pack of another route")] };
  await scene.provoke(inspection.compareRouting({ route }));
  const { entries } = await audit.listAuditEntries({ pageSize: 5 });
  for (const { auditId } of entries) await audit.getAuditProof({ auditId });
  await audit.verifyAudit({});
  const pieces: Uint8Array[] = [];
  for await (const { piece } of audit.exportAudit({})) pieces.push(piece);
  scene.capture.add("file export", Buffer.concat(pieces));
}
