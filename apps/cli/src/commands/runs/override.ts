import type { JsonObject } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { CliError } from "../../errors/cli-error.ts";
import { exitCode } from "../../exit-code.ts";
import { findPipeline } from "../../queries/find-pipeline.ts";
import { type Session, withHub } from "../../session.ts";
import { gather, readInput } from "../../task/values.ts";
import { withExamples } from "../options/examples.ts";
import { showChanged } from "./show-changed.ts";
import { stageCommand } from "./steer-stage.ts";

interface OverrideOptions {
  readonly accept?: boolean;
  readonly summary?: string;
  readonly commit?: string;
  readonly decision?: readonly string[];
  readonly data?: JsonObject;
  readonly reason: string;
}

export function addOverride(runs: Command): void {
  const override = stageCommand(
    runs,
    "override",
    "complete a failed stage with a result",
    "Completes a failed stage, with what its last attempt returned (--accept) or with what you did yourself (--summary). " +
      "No check runs: you answer for the result, and your name is in the record.",
  )
    .option("--accept", "take what the last attempt returned, as it is")
    .option("--summary <text>", "what you did in place of an agent")
    .option("--commit <sha>", "with --summary: the commit that later stages build on")
    .option("--decision <text>", "with --summary: what later stages have to know; may be repeated", gather)
    .option(
      "--data <name=value>",
      "with --summary: data for conditions and mappings; may be repeated",
      readInput,
    )
    .action((id: string, stageId: string, options: OverrideOptions, at: Command) =>
      withHub(at, (session) => overrideStage(session, id, stageId, options)),
    );
  withExamples(override, [
    ['baton runs override p-3s43k65n review --accept --reason "I looked at it"', "takes the work as it is"],
    [
      'baton runs override p-3s43k65n implement --summary "fixed by hand" --commit 1f2e3d --reason "urgent"',
      "goes on from your own commit",
    ],
  ]);
}

async function overrideStage(
  session: Session,
  id: string,
  stageId: string,
  options: OverrideOptions,
): Promise<number> {
  const result = resultOf(options);
  const { hub, signal } = session;
  const { pipelineId } = await findPipeline(hub, id, signal);
  const request = { pipelineId, stageId, reason: options.reason, result };
  await showChanged(session, await hub.orchestrator.overrideStage(request, { signal }));
  return exitCode.ok;
}

function resultOf({ accept = false, summary, commit, decision, data }: OverrideOptions) {
  if (accept === (summary !== undefined)) {
    throw new CliError("BATON-CLI-001", "a failed stage is completed with one result", {
      fix: "give --accept to take what the last attempt returned, or --summary to say what you did",
    });
  }
  if (summary === undefined) {
    if (commit === undefined && decision === undefined && data === undefined)
      return { case: "accepted", value: {} } as const;
    throw new CliError("BATON-CLI-001", "--commit, --decision and --data go with --summary", {
      fix: "leave them out, or say what you did with --summary",
    });
  }
  const decisionsMade = decision?.map((description, at) => ({
    decisionId: `override-${at + 1}`,
    description,
  }));
  const value = {
    ...{ summary, commitSha: commit ?? "" },
    ...(decisionsMade && { contextOut: { decisionsMade } }),
    ...(data && { data }),
  };
  return { case: "provided", value } as const;
}
