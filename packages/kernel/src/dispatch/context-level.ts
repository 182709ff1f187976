import { type ContextIn, ContextLevel, type SubmitTaskRequest } from "@baton/contract";

/** The context of a task, and its level. */
type RequestedContext = Pick<SubmitTaskRequest, "contextLevel" | "context">;

/**
 * The level of a dispatch (A §3.2 step 4). The task overrides the stage. By default the task's own context decides, so that
 * none of it is dropped.
 */
export function contextLevelFor(
  { contextLevel: asked, context }: RequestedContext,
  ofStage: ContextLevel | undefined,
): ContextLevel {
  if (asked) return asked;
  if (ofStage) return ofStage;
  return richParts(context).length > 0 ? ContextLevel.RICH : ContextLevel.LAYERED;
}

/** Parts of the task's context that a level omits, by their field names. */
export function partsLeftOut(level: ContextLevel, context: ContextIn | undefined): readonly string[] {
  if (level === ContextLevel.RICH) return [];
  return level === ContextLevel.LAYERED
    ? richParts(context)
    : [...layeredParts(context), ...richParts(context)];
}

function layeredParts(context: ContextIn | undefined): readonly string[] {
  if (!context) return [];
  return [
    ...(context.decisionMemo?.decisions.length ? ["decision_memo"] : []),
    ...(context.criticalSnippets.length > 0 ? ["critical_snippets"] : []),
  ];
}

function richParts(context: ContextIn | undefined): readonly string[] {
  if (!context) return [];
  return [
    ...(context.sharedContext === "" ? [] : ["shared_context"]),
    ...(context.taskDelta === "" ? [] : ["task_delta"]),
    ...(context.unresolvedAssumptions.length > 0 ? ["unresolved_assumptions"] : []),
  ];
}
