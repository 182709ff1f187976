import {
  encodeJson,
  PreviewRewindResponseSchema,
  RewindPipelineResponseSchema,
  RiskKind,
} from "@baton/contract/forms";
import type { Command } from "commander";
import { CliError } from "../../errors/cli-error.ts";
import { exitCode } from "../../exit-code.ts";
import { findPipeline } from "../../queries/find-pipeline.ts";
import { type Session, withHub } from "../../session.ts";
import { readRevision } from "../../task/values.ts";
import { askYesOrNo } from "../../terminal/ask-yes-or-no.ts";
import { renderRewind } from "../../views/runs/rewind-preview.ts";
import { renderHeading } from "../../views/runs/run-view.ts";
import { withExamples } from "../options/examples.ts";

interface RewindOptions {
  readonly to: bigint;
  readonly reason?: string;
  readonly discard?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

export function addRewind(program: Command): void {
  const rewind = program
    .command("rewind")
    .description(
      "Takes a run, and the branches that the hub made for it, to where they stood at a transition, and lets it run " +
        "on from there. Shows first what changes. What is abandoned stays: a rewind to one of its revisions returns to it.",
    )
    .argument("<id>", "the run, or the beginning of its id")
    .requiredOption(
      "--to <revision>",
      "the transition (required); baton runs transitions lists them",
      readRevision,
    )
    .option("--reason <text>", "why (required, but for --dry-run); it goes into the record with your name")
    .option("--discard", "also discard uncommitted work, and commits that the hub did not make")
    .option("--yes", "skip the confirmation; required without a terminal")
    .option("--dry-run", "only show what would change")
    .action((id: string, options: RewindOptions, command: Command) =>
      withHub(command, (session) => rewindPipeline(session, id, options)),
    );
  withExamples(rewind, [
    ["baton rewind p-3s43k65n --to 17 --dry-run", "what would change"],
    ['baton rewind p-3s43k65n --to 17 --reason "the plan was wrong"', "shows it, asks, and does it"],
  ]);
}

async function rewindPipeline(session: Session, id: string, options: RewindOptions): Promise<number> {
  const { hub, signal, output, terminal } = session;
  const { reason = "", discard = false, to: toRevision } = options;
  refuseUnready(options, output === "text" && process.stdin.isTTY === true);
  const { pipelineId } = await findPipeline(hub, id, signal);
  const previewed = await hub.orchestrator.previewRewind({ pipelineId, toRevision }, { signal });
  if (output === "text" && previewed.preview) await session.write(renderRewind(terminal, previewed.preview));
  if (options.dryRun) {
    if (output !== "text") await session.writeJson(encodeJson(PreviewRewindResponseSchema, previewed));
    return exitCode.ok;
  }
  // The hub refuses to rewind what is at risk, with the reason; then no confirmation is needed.
  const { atRisk = [], fromRevision = 0n } = previewed.preview ?? {};
  const isStuck = atRisk.some(({ kind }) => kind === RiskKind.CHECKED_OUT);
  const isRefused = isStuck || (!discard && atRisk.length > 0);
  if (isStuck) session.printNote("a branch that is checked out is never moved, also not with --discard");
  else if (isRefused)
    session.printNote("--discard goes on all the same; it is kept beside what is abandoned");
  if (!options.yes && !isRefused) {
    const agreed = await askYesOrNo("Rewind to there?", signal);
    if (!agreed) {
      session.printNote("nothing was changed");
      return exitCode.declined;
    }
  }
  const request = { pipelineId, toRevision, fromRevision, reason, discard };
  const done = await hub.orchestrator.rewindPipeline(request, { signal });
  if (output !== "text") await session.writeJson(encodeJson(RewindPipelineResponseSchema, done));
  else if (done.pipeline) await session.write(["", renderHeading(terminal, done.pipeline, Date.now())]);
  if (done.branchProblem !== "") session.printNote(`branches are not as they were: ${done.branchProblem}`);
  return exitCode.ok;
}

function refuseUnready({ dryRun, reason = "", yes }: RewindOptions, canAsk: boolean): void {
  if (dryRun) return;
  if (reason === "")
    throw new CliError("BATON-CLI-001", "a rewind needs --reason", {
      fix: 'say why: --reason "…"; or look first with --dry-run',
    });
  if (yes || canAsk) return;
  throw new CliError("BATON-CLI-001", "nobody can be asked here whether to rewind", {
    fix: "look with --dry-run, then say --yes",
  });
}
