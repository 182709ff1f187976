import { ExplainDispatchResponseSchema, encodeJson } from "@baton/contract";
import type { Command } from "commander";
import { exitCode } from "../exit-code.ts";
import { explain } from "../hub/explain.ts";
import { withHub } from "../session.ts";
import { escapeLines } from "../terminal/escape.ts";
import { withExamples } from "./examples.ts";

export function addWhy(program: Command): void {
  const why = program
    .command("why")
    .summary("why a task went where it went, or nowhere")
    .description(
      "Tells why a stage went where it went: each candidate, why it was taken or not, and what would change it. " +
        "Of a stage that nobody has yet it tells why.",
    )
    .argument("<what>", "PIPELINE/STAGE, the pipeline alone when it has one stage, or a dispatch's id")
    .action((given: string, _: object, command: Command) =>
      withHub(command, async (session) => {
        const explained = await explain(session.hub, given, session.signal);
        if (session.output === "text") await session.write(escapeLines(explained.explanation.trimEnd()));
        else await session.writeJson(encodeJson(ExplainDispatchResponseSchema, explained));
        return exitCode.ok;
      }),
    );
  withExamples(why, [
    ["baton why p-3s43k65n/review", "the last attempt of the stage review, or why there is none"],
    ["baton why p-3s43k65nd1rkwt66zn8m/review/1", "its first attempt; baton pipeline show lists the ids"],
  ]);
}
