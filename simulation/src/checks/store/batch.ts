import type { AuditRow, Batch, Transition } from "@baton/runtime";
import { ContentFinder, readCommand, readRecords, storedKinds } from "@baton/runtime/parts";
import type { Command, PipelineRecord } from "../../kernel.ts";
import { invariant } from "../../violation.ts";
import type { Step } from "../decision/step.ts";
import { difference } from "../difference.ts";

/** A batch holds exactly what was decided: the same records in the same order, with their audit entries. */
export function checkBatch(
  transitions: readonly ReadTransition[],
  audit: readonly AuditRow[],
  steps: readonly Step[],
): void {
  const moves = Map.groupBy(
    steps.filter(({ records }) => records.length > 0),
    ({ pipelineId }) => pipelineId,
  );
  for (const stored of transitions) {
    const { pipelineId } = stored.transition;
    checkTransition(stored, moves.get(pipelineId) ?? []);
    moves.delete(pipelineId);
  }
  const [left] = moves.keys();
  invariant(left === undefined, "every decision is stored", () => `the batch has nothing of ${left}`);
  const entries = audit.filter(({ pipelineId }) => pipelineId !== "").map(({ auditId }) => auditId);
  const decided = steps.flatMap((step) =>
    step.records.length > 0 ? step.audit.map(({ auditId }) => auditId) : [],
  );
  invariant(
    entries.join("\n") === decided.join("\n"),
    "a decision and its audit entries are stored together",
    () => `the batch has ${entries.length} entries, ${decided.length} were decided`,
  );
}

function checkTransition({ transition, records, commands }: ReadTransition, steps: readonly Step[]): void {
  const { pipelineId, expectedVersion } = transition;
  const before = steps[0]?.before?.version ?? 0;
  invariant(
    expectedVersion === before,
    "one writer",
    () => `${pipelineId}: version ${expectedVersion} expected, decided at ${before}`,
  );
  invariant(
    transition.records.count === records.length,
    "every decision is stored",
    () => `${pipelineId} has ${records.length} records, not ${transition.records.count}`,
  );
  const leaving = steps.flatMap((step) => step.commands.filter(({ type }) => kept.has(type)));
  const found =
    difference(
      records,
      steps.flatMap((step) => step.records),
    ) ?? difference(commands, leaving);
  invariant(found === undefined, "every decision is stored", () => `${pipelineId} differs at ${found}`);
}

/** Commands in the outbox. The others are rows of their own, or visible in lists. */
const kept: ReadonlySet<Command["type"]> = new Set(storedKinds);

/** A transition as the store returns it. */
export interface ReadTransition {
  readonly transition: Transition;
  readonly records: readonly PipelineRecord[];
  readonly commands: readonly Command[];
}

/** Decodes the texts and bytes of a batch. */
export function readTransitions({ transitions }: Batch): readonly ReadTransition[] {
  return transitions.map((transition) => {
    const { records, commands, contents } = transition;
    const finder = new ContentFinder(new Map(contents.map(({ digest, bytes }) => [digest, bytes])));
    return {
      transition,
      records: readRecords(records.text, finder),
      commands: commands.map(({ text }) => readCommand(text, finder)),
    };
  });
}
