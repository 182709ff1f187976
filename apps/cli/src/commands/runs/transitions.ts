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
    .summary("list what a rewind can go to")
    .description(
      "Lists the transitions of a run, oldest first: what went from where to where, with its commit. " +
        "A rewind names one by its revision. Those that a rewind has abandoned are listed too.",
    )
    .argument("<id>", "the run, or the beginning of its id")
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
    ["baton runs transitions p-3s43k65n", "what happened, and what each revision is"],
    ["baton runs transitions p-3s43k65n --stage implement", "of one stage"],
  ]);
}
