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
      "Takes a run and its branches back to a transition and continues from there. Previews the changes first. " +
        "Abandoned work is kept: rewind to one of its revisions to return.",
    )
    .argument("<id>", "the run; the beginning of its id is enough")
    .requiredOption(
      "--to <revision>",
      "the revision (required); baton runs transitions lists them",
      readRevision,
    )
    .option("--reason <text>", "the reason (required without --dry-run); audited with your name")
    .option("--discard", "also abandon uncommitted changes and commits that the hub did not make")
    .option("--yes", "skip the confirmation; required without a terminal")
    .option("--dry-run", "only print the preview")
    .action((id: string, options: RewindOptions, command: Command) =>
      withHub(command, (session) => rewindPipeline(session, id, options)),
    );
  withExamples(rewind, [
    ["baton rewind p-3s43k65n --to 17 --dry-run", "previews the rewind"],
    ['baton rewind p-3s43k65n --to 17 --reason "the plan was wrong"', "previews, asks and rewinds"],
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
  if (isStuck) session.printNote("a checked-out branch is never moved, not even with --discard");
  else if (isRefused) session.printNote("use --discard to continue; a copy is kept with the abandoned work");
  if (!options.yes && !isRefused) {
    const agreed = await askYesOrNo("Rewind the run?", signal);
    if (!agreed) {
      session.printNote("nothing changed");
      return exitCode.declined;
    }
  }
  const request = { pipelineId, toRevision, fromRevision, reason, discard };
  const done = await hub.orchestrator.rewindPipeline(request, { signal });
  if (output !== "text") await session.writeJson(encodeJson(RewindPipelineResponseSchema, done));
  else if (done.pipeline) await session.write(["", renderHeading(terminal, done.pipeline, Date.now())]);
  if (done.branchProblem !== "") session.printNote(`not every branch was restored: ${done.branchProblem}`);
  return exitCode.ok;
}

function refuseUnready({ dryRun, reason = "", yes }: RewindOptions, canAsk: boolean): void {
  if (dryRun) return;
  if (reason === "")
    throw new CliError("BATON-CLI-001", "a rewind needs --reason", {
      fix: 'add --reason "…", or preview with --dry-run',
    });
  if (yes || canAsk) return;
  throw new CliError("BATON-CLI-001", "a rewind without a terminal needs --yes", {
    fix: "preview with --dry-run, then add --yes",
  });
}
