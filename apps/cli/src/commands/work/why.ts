import { ExplainDispatchResponseSchema, encodeJson } from "@baton/contract/forms";
import { describeEdge } from "@baton/kernel/deciding";
import type { Command } from "commander";
import { exitCode } from "../../exit-code.ts";
import { withInvocation } from "../../invocation.ts";
import { explain } from "../../queries/explain.ts";
import { type FailedCheck, failedChecks } from "../../queries/failed-checks.ts";
import { findPipeline } from "../../queries/find-pipeline.ts";
import { type Session, withHub } from "../../session.ts";
import { escapeLines } from "../../terminal/escape.ts";
import { wrapIndented } from "../../terminal/width.ts";
import { renderFailedChecks } from "../../views/runs/failed-checks.ts";
import { withExamples } from "../options/examples.ts";

export function addWhy(program: Command): void {
  const why = program
    .command("why")
    .description(
      "Explains the routing of a stage: each candidate, the reason why it was selected or not, and how to change that. " +
        "Also explains why a stage has no agent.",
    )
    .argument("<what>", "RUN/STAGE, a run with one stage, or a dispatch id")
    .action((given: string, _: object, command: Command) =>
      withHub(command, async (session) => {
        const explained = await explain(session.hub, given, session.signal);
        if (session.output === "text") {
          const failed = await failedOf(session, given);
          const lines = renderFailedChecks(session.terminal, failed, "    ");
          const seen = lines.length === 0 ? [] : ["  failed checks:", ...lines];
          const edges = await edgesOf(session, given);
          const explanation = [explained.explanation.trimEnd(), ...edges].join("\n");
          await session.write([
            ...escapeLines(withInvocation(explanation, session.invocation)).flatMap((line) =>
              wrapIndented(line, session.terminal.columns),
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

/** The last decisions about the edges of a stage. An earlier attempt may have had others. */
async function edgesOf({ hub, signal }: Session, given: string): Promise<readonly string[]> {
  const [id = "", stageId, attempt] = given.split("/");
  const run = await findPipeline(hub, id, signal).catch(() => undefined);
  const stage = run?.stages.find((one) => one.stageId === stageId || run.stages.length === 1);
  const isLast = attempt === undefined || attempt === String(stage?.attemptNumber);
  return isLast ? (stage?.edges ?? []).map((edge) => `  ${describeEdge(edge)}`) : [];
}

/** The failed checks of the last attempt, which often explain where a stage is. */
async function failedOf({ hub, signal }: Session, given: string): Promise<readonly FailedCheck[]> {
  const [id = "", stageId] = given.split("/");
  const pipeline = await findPipeline(hub, id, signal).catch(() => undefined); // A dispatch id need not begin with a run.
  if (pipeline === undefined) return [];
  const failed = await failedChecks(hub, pipeline, signal);
  return failed.filter((one) => stageId === undefined || one.stageId === stageId);
}
