import type { Command } from "commander";
import { exitCode } from "../../exit-code.ts";
import { findPipeline } from "../../queries/find-pipeline.ts";
import { type Session, withHub } from "../../session.ts";
import { withExamples } from "../options/examples.ts";
import { type Changed, showChanged } from "./show-changed.ts";

/** The commands that steer a run. All take an id and a reason, and print the run. */
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
    "stop dispatching its work",
    "Stops dispatching work of a run. Attempts that are under way go on.",
    ({ hub, signal }, request) => hub.orchestrator.pausePipeline(request, { signal }),
  );
  steer("resume", "resume a paused run", "Resumes a paused run.", ({ hub, signal }, request) =>
    hub.orchestrator.resumePipeline(request, { signal }),
  );
  steer(
    "abort",
    "abort a run",
    "Aborts a run and cancels its attempts. It cannot be resumed.",
    ({ hub, signal }, request) => hub.orchestrator.abortPipeline(request, { signal }),
  );
}
