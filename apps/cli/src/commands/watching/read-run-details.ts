import { readChangedFiles } from "../../queries/changed-files.ts";
import { failedChecks } from "../../queries/failed-checks.ts";
import { quarantinedAgentsFor } from "../../queries/quarantined-agents.ts";
import { readSteps } from "../../queries/read-steps.ts";
import type { RunState } from "../../queries/run-state.ts";
import { readSetbacks } from "../../queries/setbacks.ts";
import { uncheckedStages } from "../../queries/unchecked-stages.ts";
import type { Session } from "../../session.ts";
import { concernsAgents } from "../../views/inbox/answer-commands.ts";
import type { RunDetails } from "../../views/runs/run-view.ts";

/** Queries what the view of a run needs besides the run. */
export async function readRunDetails(
  { hub, signal }: Pick<Session, "hub" | "signal">,
  state: RunState,
): Promise<RunDetails> {
  const { pipeline, questions } = state;
  const asked = new Set(questions.filter(concernsAgents).map(({ stageId }) => stageId));
  const quarantined = new Map<string, readonly string[]>();
  for (const stage of pipeline.stages)
    if (asked.has(stage.stageId))
      quarantined.set(stage.stageId, await quarantinedAgentsFor(hub, stage, signal));
  return {
    ...{ ...state, quarantined },
    unchecked: await uncheckedStages(hub, pipeline, signal),
    ...(await readChangedFiles(hub, pipeline, signal)),
    failed: await failedChecks(hub, pipeline, signal),
    ...(await readSetbacks(hub, pipeline, signal)),
    ...(await readSteps(hub, pipeline, signal)),
  };
}
