import { encodeJson, GetTransitionsResponseSchema, TransitionSchema } from "@baton/contract/forms";
import type { Command } from "commander";
import { exitCode } from "../../exit-code.ts";
import { findPipeline } from "../../queries/find-pipeline.ts";
import { withHub } from "../../session.ts";
import { renderTransitions } from "../../views/runs/transition-list.ts";
import { withExamples } from "../options/examples.ts";

export function addTransitions(pipeline: Command): void {
  const transitions = pipeline
    .command("transitions")
    .summary("list the transitions of a run")
    .description(
      "Lists the transitions of a run, oldest first, with status, commit and reason. Each has a revision, which " +
        "baton rewind takes. Abandoned transitions are included.",
    )
    .argument("<id>", "the run; the beginning of its id is enough")
    .option("--stage <id>", "only transitions of this stage")
    .action((id: string, { stage = "" }: { readonly stage?: string }, command: Command) =>
      withHub(command, async (session) => {
        const { hub, signal, output } = session;
        const { pipelineId } = await findPipeline(hub, id, signal);
        const response = await hub.inspection.getTransitions({ pipelineId, stageId: stage }, { signal });
        if (output === "json") await session.writeJson(encodeJson(GetTransitionsResponseSchema, response));
        else if (output === "jsonl")
          for (const one of response.transitions) await session.writeJson(encodeJson(TransitionSchema, one));
        else await session.write(renderTransitions(session.terminal, response.transitions, Date.now()));
        return exitCode.ok;
      }),
    );
  withExamples(transitions, [
    ["baton runs transitions p-3s43k65n", "all transitions and their revisions"],
    ["baton runs transitions p-3s43k65n --stage implement", "only one stage"],
  ]);
}
