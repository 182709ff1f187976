import type { Command } from "commander";
import { exitCode } from "../../exit-code.ts";
import { findPipeline } from "../../queries/find-pipeline.ts";
import { type Session, withHub } from "../../session.ts";
import { withExamples } from "../options/examples.ts";
import { type Changed, showChanged } from "./show-changed.ts";

interface StageRequest {
  readonly pipelineId: string;
  readonly stageId: string;
  readonly reason: string;
}

/** The commands that end a stage. All take a run, a stage and a reason, and print the run. */
export function addSteeringOfStages(runs: Command): void {
  const steer = (
    name: string,
    summary: string,
    description: string,
    call: (session: Session, request: StageRequest) => Promise<Changed>,
  ) => {
    const command = stageCommand(runs, name, summary, description).action(
      (id: string, stageId: string, { reason }: { readonly reason: string }, at: Command) =>
        withHub(at, async (session) => {
          const { pipelineId } = await findPipeline(session.hub, id, session.signal);
          await showChanged(session, await call(session, { pipelineId, stageId, reason }));
          return exitCode.ok;
        }),
    );
    withExamples(command, [[`baton runs ${name} p-3s43k65n review --reason "..."`, summary]]);
  };
  steer(
    "skip",
    "skip an optional stage",
    "Skips a stage that is ready, dispatched or failed, and the stages that depend on it. Neither it nor a stage that " +
      "depends on it may be required.",
    ({ hub, signal }, request) => hub.orchestrator.skipStage(request, { signal }),
  );
  steer(
    "cancel",
    "cancel the attempt of a stage",
    "Cancels the attempt of a stage. The stage fails, and the failure strategy of the run applies: the run pauses, " +
      "fails, or continues without the stage. To end the run, use baton runs abort.",
    ({ hub, signal }, request) => hub.orchestrator.cancelStage(request, { signal }),
  );
}

export function stageCommand(runs: Command, name: string, summary: string, description: string): Command {
  return runs
    .command(name)
    .summary(summary)
    .description(description)
    .argument("<id>", "the run; the beginning of its id is enough")
    .argument("<stage>", "the stage id; baton runs show lists them")
    .requiredOption("--reason <text>", "the reason (required); audited with your name");
}
