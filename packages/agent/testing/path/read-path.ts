import {
  type AgentResult,
  AttemptEnding,
  AttemptPart,
  type Escalation,
  EscalationKind,
  type Event,
  Outcome,
  type Pipeline,
  PipelineStatus,
} from "@baton/contract";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Run } from "../run-agent.ts";
import { answerOf, edgeOf, nameOf, sumOf, toolsOf } from "./parts.ts";
import type { AskedQuestion, PathAnswer, PathEdge, RunPath } from "./path.ts";
import { quote, type TestClient, type TestHub, testClient } from "./test-client.ts";

/** Reads what happened in a run so far. */
export async function readPath({ run, ...hub }: TestHub & { readonly run: string }): Promise<RunPath> {
  const client = testClient(hub);
  const { pipeline } = await client.orchestrator.getPipeline({ pipelineId: run });
  if (pipeline === undefined) throw new Error(`the hub has no run ${run}`);
  return pathOfRun(client, pipeline);
}

export async function pathOfRun(client: TestClient, pipeline: Pipeline): Promise<RunPath> {
  const { pipelineId, status, waitsForPerson, summary } = pipeline;
  const [{ attempts }, events, questions, results] = await Promise.all([
    client.inspection.getAttempts({ pipelineId }),
    readEvents(client, pipelineId),
    readQuestions(client, pipelineId),
    readResults(client, pipeline),
  ]);
  return {
    runId: pipelineId,
    status: waitsForPerson ? "waiting" : nameOf(PipelineStatus, status),
    nodes: attempts.map(({ stageId }) => stageId),
    attempts: attempts.map(({ stageId, attemptNumber, packId, ending }) => ({
      ...{ node: stageId, attempt: attemptNumber, pack: packId },
      ending: ending === AttemptEnding.UNSPECIFIED ? "running" : nameOf(AttemptEnding, ending),
    })),
    edges: edgesOf(pipeline),
    tools: toolsOf(events),
    questions: questions.map(questionOf),
    usage: summary?.usage ?? sumOf([...results.values()].flatMap(({ usage }) => usage ?? [])),
    answers: Object.fromEntries([...results].map(([node, result]) => [node, answerOf(result)])),
  };
}

/** What one attempt of an agent did, from `runAgent`. */
export function pathOfAttempt({ result, events }: Run, node = "agent"): RunPath {
  const outcome = result?.status?.outcome ?? Outcome.UNSPECIFIED;
  const status = result === undefined ? "cancelled" : nameOf(Outcome, outcome);
  const answer: PathAnswer | undefined = result && answerOf(result);
  const isQuestion = answer?.status === "clarification_needed";
  return {
    ...{ runId: "", status, nodes: [node], edges: [] },
    attempts: [{ node, attempt: 1, pack: "", ending: status }],
    tools: toolsOf(events.map((event) => ({ node, event }))),
    questions: isQuestion ? [{ node, kind: "clarification", question: answer.message, isOpen: true }] : [],
    usage: sumOf(result?.usage ? [result.usage] : []),
    answers: answer ? { [node]: answer } : {},
  };
}

/** All stored events: the hub stores those of an attempt before its result. */
async function readEvents(
  { orchestrator }: TestClient,
  pipelineId: string,
): Promise<readonly { readonly node: string; readonly event: Event }[]> {
  const found: { node: string; event: Event }[] = [];
  const filter = `pipeline_id = ${quote(pipelineId)}`;
  for await (const { message } of orchestrator.watchEvents({ afterSequence: 0n, filter })) {
    if (message.case === "caughtUp") break;
    if (message.case === "dropped") throw new Error(`the events cannot be read: ${message.value.reason}`);
    const { event, dispatchId, stageId } = message.case === "record" ? message.value : {};
    if (event && dispatchId) found.push({ node: stageId ?? "", event });
  }
  return found;
}

async function readQuestions(
  { orchestrator }: TestClient,
  pipelineId: string,
): Promise<readonly Escalation[]> {
  const found: Escalation[] = [];
  let pageToken = "";
  do {
    const page = await orchestrator.listEscalations({
      ...{ pageToken, pageSize: 1_000, orderBy: "raised_at" },
      filter: `pipeline_id = ${quote(pipelineId)}`,
    });
    found.push(...page.escalations);
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
  return found;
}

/** By stage; results that do not fit into the run are read alone. */
async function readResults(
  { inspection }: TestClient,
  { stages }: Pipeline,
): Promise<ReadonlyMap<string, AgentResult>> {
  const results = new Map<string, AgentResult>();
  for (const { stageId, dispatchId, result, resultLeftOutBytes } of stages) {
    const found =
      resultLeftOutBytes > 0
        ? (await inspection.getAttempt({ dispatchId, part: AttemptPart.RESULT })).result
        : result;
    if (found) results.set(stageId, found);
  }
  return results;
}

function edgesOf({ stages }: Pipeline): readonly PathEdge[] {
  return stages
    .flatMap(({ edges }) => edges)
    .filter(({ at }) => at !== undefined)
    .sort((a, b) => (a.at ? timestampMs(a.at) : 0) - (b.at ? timestampMs(b.at) : 0))
    .map(edgeOf);
}

function questionOf({ stageId, kind, snapshot, resolvedAt }: Escalation): AskedQuestion {
  const isOpen = resolvedAt === undefined;
  return { node: stageId, kind: nameOf(EscalationKind, kind), question: snapshot?.problem ?? "", isOpen };
}
