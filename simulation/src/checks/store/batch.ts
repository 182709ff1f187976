import type { AuditRow, Batch, Transition } from "@baton/runtime";
import { ContentFinder, readCommand, readRecords, storedKinds } from "@baton/runtime/parts";
import type { Command, PipelineRecord } from "../../kernel.ts";
import { demand } from "../../violation.ts";
import type { Step } from "../decision/step.ts";
import { difference } from "../difference.ts";

/** What is stored is what was decided: the same records in the same order, with their audit entries, and nothing else. */
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
  demand(left === undefined, "what is decided is stored", () => `nothing of ${left} is in the batch`);
  const entries = audit.filter(({ pipelineId }) => pipelineId !== "").map(({ auditId }) => auditId);
  const decided = steps.flatMap((step) =>
    step.records.length > 0 ? step.audit.map(({ auditId }) => auditId) : [],
  );
  demand(
    entries.join("\n") === decided.join("\n"),
    "a decision and its audit entries are stored together",
    () => `${entries.length} entries in the batch, and ${decided.length} were decided`,
  );
}

function checkTransition({ transition, records, commands }: ReadTransition, steps: readonly Step[]): void {
  const { pipelineId, expectedVersion } = transition;
  const before = steps[0]?.before?.version ?? 0;
  demand(
    expectedVersion === before,
    "one writer",
    () => `${pipelineId} is expected at ${expectedVersion}, and was decided about at ${before}`,
  );
  demand(
    transition.records.count === records.length,
    "what is decided is stored",
    () => `${pipelineId} has ${records.length} records, not ${transition.records.count}`,
  );
  const leaving = steps.flatMap((step) => step.commands.filter(({ type }) => kept.has(type)));
  const found =
    difference(
      records,
      steps.flatMap((step) => step.records),
    ) ?? difference(commands, leaving);
  demand(found === undefined, "what is decided is stored", () => `${pipelineId} differs at ${found}`);
}

/** Commands that are kept until they are carried out. The others are rows of their own, or show in lists. */
const kept: ReadonlySet<Command["type"]> = new Set(storedKinds);

/** A transition as it would come out of the store again. */
export interface ReadTransition {
  readonly transition: Transition;
  readonly records: readonly PipelineRecord[];
  readonly commands: readonly Command[];
}

/** Reads from the texts and bytes of a batch alone what was stored. */
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
