import { EscalationKind } from "@baton/contract";
import { type PipelineState, sentOf, waitOf } from "../../kernel.ts";
import { demand } from "../../violation.ts";
import type { Step } from "./step.ts";

/** Whoever waits for a person: a person was asked, and the question is still open. */
export function checkQuestions(after: PipelineState): void {
  if (after.life.status !== "RUNNING" && after.life.status !== "PAUSED") return;
  const asked = [...after.escalations.values()].filter(({ snapshot }) => snapshot.blocking);
  const subjects = new Set(asked.map(({ kind, stage }) => `${kind} ${stage}`));
  demand(
    subjects.size === asked.length,
    "nothing is asked twice",
    () =>
      `open are ${asked.map(({ id, kind, stage }) => `${id} (${EscalationKind[kind]} of stage ${stage})`).join(", ")}`,
  );
  const awaited = new Set<string>();
  for (const [place, stage] of after.stages.entries()) {
    const wait = waitOf(stage);
    const phase = stage.status === "DISPATCHED" ? stage.phase : undefined;
    const id =
      wait && "escalationId" in wait
        ? wait.escalationId
        : phase?.kind === "asking" || phase?.kind === "reviewing"
          ? phase.escalationId
          : undefined;
    demand(
      id === undefined || after.escalations.has(id),
      "whoever waits for a person has an open question",
      () => `stage ${place} waits for the answer to ${id}, which is closed`,
    );
    if (id !== undefined) awaited.add(id);
  }
  const idle = asked.find(({ id, kind }) => ofStages.has(kind) && !awaited.has(id));
  demand(
    idle === undefined,
    "a question is open only while somebody waits for its answer",
    () => `nobody waits for ${idle?.id} (${EscalationKind[idle?.kind ?? 0]})`,
  );
}

/** Questions that hold up one stage. */
const ofStages = new Set([
  EscalationKind.ADMISSION,
  EscalationKind.ROUTING,
  EscalationKind.FRESHNESS,
  EscalationKind.REVIEW,
  EscalationKind.CLARIFICATION,
]);

/** Nobody judges their own work, nor that of another instance of the same pack. */
export function checkReviewer({ input, before, records }: Step): void {
  if (input.type !== "review" || records.length === 0) return;
  const stage = before?.stages[before.plan.indexOf.get(input.stageId) ?? -1];
  const author = stage && sentOf(stage)?.choice;
  const { kind, id, packId } = input.by;
  demand(
    id !== author?.instanceId && (kind !== "agent" || (packId !== undefined && packId !== author?.packId)),
    "nobody reviews their own work",
    () => `${id} of ${packId} reviewed the work of ${author?.instanceId}`,
  );
}
