import { exportVerifier } from "@baton/kernel/audit";
import type { Command } from "commander";
import { exportTools } from "../../audit/export-tools.ts";
import { LineCutter } from "../../audit/line-cutter.ts";
import { readKept } from "../../audit/pins.ts";
import { exportVerdict } from "../../audit/verdict.ts";
import { NewFile } from "../../audit/write-new.ts";
import { CliError } from "../../errors/cli-error.ts";
import { exitCode } from "../../exit-code.ts";
import { type Session, withHub } from "../../session.ts";
import { renderVerdict } from "../../views/audit/audit-verdict.ts";
import { withExamples } from "../options/examples.ts";
import { addRunOption, type RunOption, runOf } from "../options/run-option.ts";

interface ExportOptions extends RunOption {
  readonly all?: boolean;
  readonly checkpoint?: string;
  readonly out: string;
}

export function addExport(audit: Command): void {
  const command = audit
    .command("export")
    .summary("export the record to a file")
    .description(
      "Exports the whole record, or the entries of one run, to a file that can be verified without the hub.",
    )
    .option("--all", "the whole record");
  addRunOption(command, "only this run; each entry has its proof")
    .option("--checkpoint <file>", "with --run: prove the entries against this earlier checkpoint")
    .requiredOption("--out <file>", "the file to write; it must not exist")
    .action((options: ExportOptions, of: Command) => withHub(of, (session) => exportTo(session, options)));
  withExamples(command, [
    ["baton audit export --all --out record.jsonl", "everything"],
    ["baton audit export --run p-3s43k65n --out p-3s43k65n.jsonl", "the entries of one run"],
  ]);
}

async function exportTo(
  session: Session,
  { all, checkpoint, out, ...options }: ExportOptions,
): Promise<number> {
  const run = runOf(options);
  if ((all === true) === (run !== undefined)) {
    throw new CliError("BATON-CLI-001", "--all or --run is required", {
      fix: "give --all for the whole record, or --run ID for one run",
    });
  }
  const since = checkpoint === undefined ? undefined : readKept(checkpoint);
  const request = { pipelineId: run ?? "", ...(since && { since }) };
  const file = new NewFile(out);
  // Verified while it is received: a damaged export is noticed now and not in a year.
  const verifier = exportVerifier(exportTools, since ? { kept: since } : {});
  const cutter = new LineCutter((line) => verifier.push(line));
  try {
    for await (const { piece } of session.hub.audit.exportAudit(request, { signal: session.signal })) {
      file.add(piece);
      cutter.add(piece);
    }
    cutter.end();
    file.finish();
  } catch (error) {
    file.abandon();
    throw error;
  }
  const verdict = verifier.end();
  if (verdict === undefined) {
    throw new CliError("BATON-CLI-011", "the hub wrote no export", {
      at: out,
      fix: "see the hub's log",
    });
  }
  const result = exportVerdict(out, verdict);
  if (session.output === "text") {
    await session.write(renderVerdict(session.terminal, { ...result, keysAreTrusted: true }));
    session.printNote(`written to ${out}`);
  } else {
    await session.writeJson(JSON.stringify(result));
  }
  return result.valid ? exitCode.ok : exitCode.recordBad;
}
