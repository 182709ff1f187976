import { ExplainDispatchResponseSchema, encodeJson } from "@baton/contract/forms";
import type { Command } from "commander";
import { asCalled } from "../called-as.ts";
import { exitCode } from "../exit-code.ts";
import { explain } from "../hub/explain.ts";
import { type FailedCheck, failedChecks } from "../hub/failed-checks.ts";
import { findPipeline } from "../hub/find-pipeline.ts";
import { type Session, withHub } from "../session.ts";
import { escapeLines } from "../terminal/escape.ts";
import { wrapIndented } from "../terminal/width.ts";
import { renderFailedChecks } from "../views/failed-checks.ts";
import { withExamples } from "./examples.ts";

export function addWhy(program: Command): void {
  const why = program
    .command("why")
    .summary("why a task went where it went, or nowhere")
    .description(
      "Tells why a stage went where it went: each candidate, why it was taken or not, and what would change it. " +
        "Of a stage that nobody has yet it tells why.",
    )
    .argument("<what>", "RUN/STAGE, the run alone when it has one stage, or a dispatch's id")
    .action((given: string, _: object, command: Command) =>
      withHub(command, async (session) => {
        const explained = await explain(session.hub, given, session.signal);
        if (session.output === "text") {
          const failed = await failedOf(session, given);
          const lines = renderFailedChecks(session.look, failed, "    ");
          const seen = lines.length === 0 ? [] : ["  what did not pass there:", ...lines];
          await session.write([
            ...escapeLines(asCalled(explained.explanation.trimEnd(), session.way)).flatMap((line) =>
              wrapIndented(line, session.look.columns),
            ),
            ...seen,
          ]);
        } else await session.writeJson(encodeJson(ExplainDispatchResponseSchema, explained));
        return exitCode.ok;
      }),
    );
  withExamples(why, [
    ["baton why p-3s43k65n/review", "the last attempt of the stage review, or why there is none"],
    ["baton why p-3s43k65nd1rkwt66zn8m/review/1", "its first attempt; baton runs show lists the ids"],
  ]);
}

/** Why it is where it is, is often what its last attempt did not pass. */
async function failedOf({ hub, signal }: Session, given: string): Promise<readonly FailedCheck[]> {
  const [id = "", stageId] = given.split("/");
  const pipeline = await findPipeline(hub, id, signal).catch(() => undefined); // It may be named by a dispatch alone.
  if (pipeline === undefined) return [];
  const failed = await failedChecks(hub, pipeline, signal);
  return failed.filter((one) => stageId === undefined || one.stageId === stageId);
}
