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
      .argument("<id>", "the run; the beginning of its id is enough")
      .requiredOption("--reason <text>", "the reason (required); audited with your name")
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
    "pause a run",
    "Stops dispatching stages of a run. Running attempts continue.",
    ({ hub, signal }, request) => hub.orchestrator.pausePipeline(request, { signal }),
  );
  steer("resume", "resume a paused run", "Resumes a paused run.", ({ hub, signal }, request) =>
    hub.orchestrator.resumePipeline(request, { signal }),
  );
  steer(
    "abort",
    "abort a run",
    "Aborts a run and cancels its attempts. An aborted run cannot be resumed.",
    ({ hub, signal }, request) => hub.orchestrator.abortPipeline(request, { signal }),
  );
}
