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
    "Completes a failed stage with the result of its last attempt (--accept) or with your own (--summary). " +
      "No check runs. Your name and reason are audited.",
  )
    .option("--accept", "accept the result of the last attempt")
    .option("--summary <text>", "your own result: what you did")
    .option("--commit <sha>", "with --summary: the commit that later stages build on")
    .option("--decision <text>", "with --summary: a decision for later stages; may be repeated", gather)
    .option(
      "--data <name=value>",
      "with --summary: data for conditions and mappings; may be repeated",
      readInput,
    )
    .action((id: string, stageId: string, options: OverrideOptions, at: Command) =>
      withHub(at, (session) => overrideStage(session, id, stageId, options)),
    );
  withExamples(override, [
    ['baton runs override p-3s43k65n review --accept --reason "I looked at it"', "accepts the last result"],
    [
      'baton runs override p-3s43k65n implement --summary "fixed by hand" --commit 1f2e3d --reason "urgent"',
      "continues from your own commit",
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
    throw new CliError("BATON-CLI-001", "--accept or --summary is required", {
      fix: "give --accept to accept the last result, or --summary to describe your own",
    });
  }
  if (summary === undefined) {
    if (commit === undefined && decision === undefined && data === undefined)
      return { case: "accepted", value: {} } as const;
    throw new CliError("BATON-CLI-001", "--commit, --decision and --data require --summary", {
      fix: "remove them, or add --summary",
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
