import type { Command } from "commander";
import { exitCode } from "../../exit-code.ts";
import { findPipeline } from "../../queries/find-pipeline.ts";
import { type Session, withHub } from "../../session.ts";
import { readLabel } from "../../task/values.ts";
import { withExamples } from "../options/examples.ts";
import { showChanged } from "./show-changed.ts";

type Labels = Readonly<Record<string, string>>;

export function addLabel(runs: Command): void {
  const label = runs
    .command("label")
    .summary("change the labels")
    .description("Sets labels of a run, also after it has ended. A label without a value is removed.")
    .argument("<id>", "the run; the beginning of its id is enough")
    .argument(
      "<name=value...>",
      "labels, by which baton runs list --label and filters find the run",
      readLabel,
    )
    .action((id: string, labels: Labels, _options: object, at: Command) =>
      withHub(at, (session) => labelRun(session, id, labels)),
    );
  withExamples(label, [
    ["baton runs label p-3s43k65n quality=good", "sets one label"],
    ["baton runs label p-3s43k65n quality=", "removes it"],
  ]);
}

async function labelRun(session: Session, id: string, labels: Labels): Promise<number> {
  const { hub, signal } = session;
  const { pipelineId } = await findPipeline(hub, id, signal);
  const given = Object.entries(labels).map(([name, value]) => ({ name, value }));
  const changed = await hub.orchestrator.labelPipeline({ pipelineId, labels: given }, { signal });
  await showChanged(session, changed);
  return exitCode.ok;
}
