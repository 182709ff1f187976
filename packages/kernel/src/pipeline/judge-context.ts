import type { SubmitTaskRequest } from "@baton/contract";
import { contextLevelFor, partsBeyond } from "../dispatch/context-level.ts";
import type { Problem } from "../problem.ts";
import type { PipelinePlan } from "./plan.ts";

/** Context that no stage would receive is refused: whoever gives it expects an agent to read it (DIS-10). */
export function judgeContext(task: SubmitTaskRequest, { stages }: PipelinePlan): readonly Problem[] {
  const dropped = stages.map(({ contextLevel }) =>
    partsBeyond(contextLevelFor(task, contextLevel), task.context),
  );
  const [first = [], ...others] = dropped;
  const lost = first.filter((part) => others.every((parts) => parts.includes(part)));
  return lost.map((part) => ({
    code: "BATON-PIPELINE-001",
    at: `context.${part}`,
    message: `no stage receives it: the context level of ${stages.length === 1 ? "the stage" : "every stage"} leaves it out`,
    fix: "set context_level to RICH (baton run --context-level rich), or leave it out of the task",
  }));
}
