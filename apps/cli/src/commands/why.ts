import { ExplainDispatchResponseSchema, encodeJson } from "@baton/contract";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Command } from "commander";
import { CliError } from "../errors/cli-error.ts";
import { exitCode } from "../exit-code.ts";
import { findPipeline } from "../hub/find-pipeline.ts";
import { type Session, withHub } from "../session.ts";
import { escapeLines } from "../terminal/escape.ts";
import { withExamples } from "./examples.ts";

export function addWhy(program: Command): void {
  const why = program
    .command("why")
    .summary("why a task went where it went")
    .description(
      "Tells why a dispatch went where it went: each candidate, why it was taken or not, and what would change it.",
    )
    .argument("<dispatch>", "the dispatch's id, or PIPELINE/STAGE for the last one of a stage")
    .action((given: string, _: object, command: Command) =>
      withHub(command, async (session) => {
        const explained = await explain(session, given);
        if (session.output === "text") await session.write(escapeLines(explained.explanation.trimEnd()));
        else await session.writeJson(encodeJson(ExplainDispatchResponseSchema, explained));
        return exitCode.ok;
      }),
    );
  withExamples(why, [
    ["baton why 0197c5e2/review", "the last dispatch of the stage review"],
    ["baton why 0197c5e3-7d41-7000-8000-52b1c9a0f3aa", "by id; baton pipeline show lists them"],
  ]);
}

async function explain({ hub, signal }: Session, given: string) {
  try {
    return await hub.orchestrator.explainDispatch({ dispatchId: given }, { signal });
  } catch (error) {
    const at = given.lastIndexOf("/");
    const isUnknown = error instanceof ConnectError && error.code === Code.NotFound;
    if (!isUnknown || at <= 0) throw error;
    const [pipelineId, stageId] = [given.slice(0, at), given.slice(at + 1)];
    const { stages } = await findPipeline(hub, pipelineId, signal);
    const stage = stages.find((candidate) => candidate.stageId === stageId);
    if (!stage?.dispatchId) throw notDispatched(stageId, stage !== undefined, stages);
    return hub.orchestrator.explainDispatch({ dispatchId: stage.dispatchId }, { signal });
  }
}

function notDispatched(
  stageId: string,
  isThere: boolean,
  stages: readonly { readonly stageId: string; readonly dispatchId: string }[],
): CliError {
  const sent = stages.filter(({ dispatchId }) => dispatchId).map((stage) => stage.stageId);
  const problem = isThere
    ? `the stage "${stageId}" has not been sent to anyone`
    : `there is no stage "${stageId}"`;
  return new CliError("BATON-CLI-004", problem, {
    fix: sent.length > 0 ? `ask about one of: ${sent.join(", ")}` : "no stage has been sent yet",
  });
}
