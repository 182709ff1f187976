import { EscalationKind } from "@baton/contract";
import { type PipelineState, sentOf, waitOf } from "../../kernel.ts";
import { invariant } from "../../violation.ts";
import type { Step } from "./step.ts";

/** Every wait for a person has an open escalation, and every blocking escalation has a wait. */
export function checkQuestions(after: PipelineState): void {
  if (after.life.status !== "RUNNING" && after.life.status !== "PAUSED") return;
  const asked = [...after.escalations.values()].filter(({ snapshot }) => snapshot.blocking);
  const subjects = new Set(asked.map(({ kind, stage }) => `${kind} ${stage}`));
  invariant(
    subjects.size === asked.length,
    "no question is asked twice",
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
    invariant(
      id === undefined || after.escalations.has(id),
      "every wait for a person has an open escalation",
      () => `stage ${place} waits for ${id}, which is closed`,
    );
    if (id !== undefined) awaited.add(id);
  }
  const idle = asked.find(({ id, kind }) => ofStages.has(kind) && !awaited.has(id));
  invariant(
    idle === undefined,
    "an escalation is open only while a stage waits for it",
    () => `nobody waits for ${idle?.id} (${EscalationKind[idle?.kind ?? 0]})`,
  );
}

/** Escalations that block a single stage. */
const ofStages = new Set([
  EscalationKind.ADMISSION,
  EscalationKind.ROUTING,
  EscalationKind.FRESHNESS,
  EscalationKind.REVIEW,
  EscalationKind.CLARIFICATION,
]);

/** No agent reviews its own work or that of another instance of its pack. */
export function checkReviewer({ input, before, records }: Step): void {
  if (input.type !== "review" || records.length === 0) return;
  const stage = before?.stages[before.plan.indexOf.get(input.stageId) ?? -1];
  const author = stage && sentOf(stage)?.choice;
  const { kind, id, packId } = input.by;
  invariant(
    id !== author?.instanceId && (kind !== "agent" || (packId !== undefined && packId !== author?.packId)),
    "nobody reviews their own work",
    () => `${id} of ${packId} reviewed the work of ${author?.instanceId}`,
  );
}
