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
    "leave out a stage that is not required",
    "Leaves out a stage that has failed, waits or is at work. It must not be required, and no required stage may depend " +
      "on it. Stages that depend on it are left out too.",
    ({ hub, signal }, request) => hub.orchestrator.skipStage(request, { signal }),
  );
  steer(
    "cancel",
    "cancel the attempt of a stage",
    "Cancels the attempt of a stage. The stage fails, and the failure strategy of the run decides: the run pauses, " +
      "fails, or goes on without the stage. To end the whole run, use baton runs abort.",
    ({ hub, signal }, request) => hub.orchestrator.cancelStage(request, { signal }),
  );
}

export function stageCommand(runs: Command, name: string, summary: string, description: string): Command {
  return runs
    .command(name)
    .summary(summary)
    .description(description)
    .argument("<id>", "the run, or the beginning of its id")
    .argument("<stage>", "the stage, as baton runs show names it")
    .requiredOption("--reason <text>", "why (required); it goes into the record with your name");
}
