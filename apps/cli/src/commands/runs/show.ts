import { EscalationSchema, encodeJson, PipelineSchema } from "@baton/contract/forms";
import type { Command } from "commander";
import { exitCode } from "../../exit-code.ts";
import { findPipeline } from "../../queries/find-pipeline.ts";
import { openQuestions } from "../../queries/list-escalations.ts";
import { withResults } from "../../queries/read-results.ts";
import { hasEnded } from "../../queries/run-state.ts";
import { withHub } from "../../session.ts";
import { renderPipeline } from "../../views/runs/run-view.ts";
import { withExamples } from "../options/examples.ts";
import { readRunDetails } from "../watching/read-run-details.ts";

export function addShow(pipeline: Command): void {
  const show = pipeline
    .command("show")
    .summary("show one run")
    .description("Shows one run: result, stages, attempts and open questions.")
    .argument("<id>", "the run; the beginning of its id is enough")
    .action((id: string, _: object, command: Command) =>
      withHub(command, async (session) => {
        const { hub, signal } = session;
        const found = await withResults(hub, await findPipeline(hub, id, signal), signal);
        const questions = hasEnded(found) ? [] : await openQuestions(hub, found, signal);
        if (session.output === "text") {
          await session.write(
            renderPipeline(
              session,
              await readRunDetails(session, { pipeline: found, questions }),
              Date.now(),
            ),
          );
        } else {
          const escalations = questions.map((question) => encodeJson(EscalationSchema, question));
          const json = encodeJson(PipelineSchema, found);
          await session.writeJson(`{"pipeline":${json},"escalations":[${escalations.join(",")}]}`);
        }
        return exitCode.ok;
      }),
    );
  withExamples(show, [
    ["baton runs show p-3s43k65n", "the state of a run"],
    ["baton runs show p-3s43k65n --output json | jq .pipeline.summary", "the result as JSON"],
  ]);
}
