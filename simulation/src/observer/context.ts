import { ContextLevel, ContextPropagationMode, type StageConfig } from "@baton/contract";
import { invariant } from "../violation.ts";
import type { Attempt } from "./attempt.ts";

/** An envelope carries exactly the decisions of the stages that its propagation names (A §4.3 step 3). */
export function checkContext(attempt: Attempt, config: StageConfig | undefined): void {
  const { envelope, completed, dispatchId } = attempt;
  if (!envelope || !config) return;
  const carried = envelope.contextIn?.decisionMemo?.decisions.map(({ decisionId }) => decisionId) ?? [];
  const expected = expectedFrom(config, attempt.stageId, completed);
  invariant(
    carried.length === expected.size && carried.every((id) => expected.has(id)),
    "an envelope carries the context of its stage's propagation",
    () => `${dispatchId} carries [${carried.join(" ")}], not [${[...expected].join(" ")}]`,
  );
}

function expectedFrom(
  { contextPropagation, handoffPolicy, dependsOnStages }: StageConfig,
  own: string,
  completed: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const isCarried =
    contextPropagation?.carryDecisions && handoffPolicy?.contextLevel !== ContextLevel.MINIMAL;
  const mode = isCarried ? contextPropagation.mode : ContextPropagationMode.NONE;
  const isNamed = (stageId: string) =>
    mode === ContextPropagationMode.CUMULATIVE ||
    (mode === ContextPropagationMode.PREVIOUS && dependsOnStages.includes(stageId));
  return new Set(
    [...completed].flatMap(([stageId, dispatchId]) =>
      stageId !== own && isNamed(stageId) ? [dispatchId] : [],
    ),
  );
}
