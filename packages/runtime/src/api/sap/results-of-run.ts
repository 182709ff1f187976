import { EscalationSnapshotSchema, PipelineSchema } from "@baton/contract";
import { evolve, type OpenEscalation, type PipelineState, type Redactor } from "@baton/kernel";
import { type Result, resultFromPipeline } from "@baton/protocols/sap";
import { readRecords } from "../../journal/codec.ts";
import { ContentFinder } from "../../journal/contents.ts";
import { available } from "../../ports/available.ts";
import type { Store } from "../../ports/store.ts";
import { pipelineView } from "../../views/pipeline-view.ts";

/**
 * Every Result of a run: one for each change of its status, in order. They are made of the journal, which is only ever appended
 * to, so the same run has the same Results after a restart, and a Result has the same number for every reader.
 */
export async function resultsOfRun(
  store: Pick<Store, "journal">,
  pipelineId: string,
  redactor: Redactor,
): Promise<readonly Result[]> {
  const journal = await available(store.journal(pipelineId));
  const finder = new ContentFinder(journal?.contents ?? new Map());
  const results: Result[] = [];
  let state: PipelineState | undefined;
  let last = "";
  for (const text of journal?.texts ?? []) {
    // What was decided at once is one change.
    for (const record of readRecords(text, finder)) state = evolve(state, record);
    const progress = state && progressOf(state);
    if (!state || progress === undefined || progress === last) continue;
    results.push(resultOfState(state, redactor));
    last = progress;
  }
  return results;
}

export function resultOfState(state: PipelineState, redactor: Redactor): Result {
  const view = pipelineView(state, { withResults: true });
  const questions = questionsOf(state).map(({ id, stage, snapshot }) => {
    const { problem, recommended, options } = redactor.redactMessage(
      EscalationSnapshotSchema,
      snapshot,
    ).message;
    const stageId = stage === undefined ? "" : (state.plan.stages[stage]?.id ?? "");
    return { escalationId: id, stageId, problem, recommended, options };
  });
  const { message } = redactor.redactMessage(PipelineSchema, view);
  const pipeline = { ...message, waitsForPerson: message.waitsForPerson && questions.length > 0 };
  return resultFromPipeline(pipeline, { questions, failureCode: failureCodeOf(state) });
}

/** What a Result reports as progress. Two states with the same text have the same status and questions. */
function progressOf(state: PipelineState): string {
  const { life, firstSentAtMs } = state;
  return [
    ...[life.status, firstSentAtMs === undefined ? "" : "sent"],
    ...questionsOf(state).map(({ id }) => id),
  ].join(" ");
}

/** Questions about deliveries hold nothing up. */
function questionsOf({ escalations }: PipelineState): readonly OpenEscalation[] {
  return [...escalations.values()].filter(({ delivery }) => delivery === undefined);
}

function failureCodeOf({ life, stages }: PipelineState): string {
  if (life.status !== "FAILED") return "";
  const failed = stages.find((stage) => stage.status === "FAILED");
  // A run that fails before its first attempt states the code with its reason.
  return failed?.failure.code ?? /^([A-Z_]{3,64}): /.exec(life.reason)?.[1] ?? "";
}
