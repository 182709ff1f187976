import { AuditEventType } from "@baton/contract";
import type { Problem } from "../../problem.ts";
import type { Draft } from "../decision/draft.ts";
import type { PipelineInput } from "../decision/input.ts";
import { refusal } from "../decision/refusal.ts";
import { labelsOf } from "../state/labels.ts";
import type { RunLabel } from "../state/state.ts";

/** As many as a task may have. */
const mostLabels = 16;

/** Changes the labels of a run, also of one that has ended (A §4.2). They decide nothing. */
export function labelRun(
  draft: Draft,
  { labels: given, by }: Extract<PipelineInput, { type: "label" }>,
): Problem | undefined {
  const before = labelsOf(draft.state);
  const now = new Map(before.map(({ name, value }) => [name, value]));
  for (const { name, value } of given) {
    if (value === "") now.delete(name);
    else now.set(name, value);
  }
  const labels = [...now].map(([name, value]): RunLabel => ({ name, value }));
  if (labels.length > mostLabels) {
    const message = `a run has at most ${mostLabels} labels, and these would be ${labels.length}`;
    return {
      ...refusal("BATON-PIPELINE-010", message, "remove labels: an empty value removes one"),
      at: "labels",
    };
  }
  if (isSame(before, labels)) return undefined;
  draft.record({ type: "labels-changed", labels, by: by.id, atMs: draft.nowMs });
  const changes = given.map(({ name, value }) => (value === "" ? `${name} removed` : `${name}=${value}`));
  draft.note(AuditEventType.LABELS_CHANGED, "changed the labels", {
    actor: by,
    rationale: changes.join(", "),
  });
  return undefined;
}

function isSame(before: readonly RunLabel[], after: readonly RunLabel[]): boolean {
  return (
    before.length === after.length &&
    after.every(({ name, value }, index) => before[index]?.name === name && before[index]?.value === value)
  );
}
