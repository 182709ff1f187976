import type { Command } from "commander";
import { exitCode } from "../../exit-code.ts";
import { findPipeline } from "../../hub/find-pipeline.ts";
import { type Session, withHub } from "../../session.ts";
import { withExamples } from "../examples.ts";
import { type Changed, showChanged } from "./show-changed.ts";

/** The three calls that change a pipeline are alike: an id, a reason for the record, and the pipeline afterwards. */
export function addSteering(pipeline: Command): void {
  const steer = (
    name: string,
    summary: string,
    description: string,
    call: (session: Session, request: { pipelineId: string; reason: string }) => Promise<Changed>,
  ) => {
    const command = pipeline
      .command(name)
      .summary(summary)
      .description(description)
      .argument("<id>", "the run, or the beginning of its id")
      .requiredOption("--reason <text>", "why (required); it goes into the record with your name")
      .action((id: string, { reason }: { readonly reason: string }, at: Command) =>
        withHub(at, async (session) => {
          const { pipelineId } = await findPipeline(session.hub, id, session.signal);
          await showChanged(session, await call(session, { pipelineId, reason }));
          return exitCode.ok;
        }),
      );
    withExamples(command, [[`baton runs ${name} p-3s43k65n --reason "..."`, summary]]);
  };
  steer(
    "pause",
    "stop handing out its work",
    "Stops handing out work of a run. What agents do already goes on.",
    ({ hub, signal }, request) => hub.orchestrator.pausePipeline(request, { signal }),
  );
  steer("resume", "let a paused run go on", "Lets a paused run go on.", ({ hub, signal }, request) =>
    hub.orchestrator.resumePipeline(request, { signal }),
  );
  steer(
    "abort",
    "end it for good",
    "Ends a run for good and stops what its agents do.",
    ({ hub, signal }, request) => hub.orchestrator.abortPipeline(request, { signal }),
  );
}
