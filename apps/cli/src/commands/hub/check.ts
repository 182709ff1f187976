import { existsSync, statSync } from "node:fs";
import type { Command } from "commander";
import { CliError } from "../../errors/cli-error.ts";
import { checkEvaluations } from "../../evaluation/check-evaluations.ts";
import { exitCode } from "../../exit-code.ts";
import { type Printer, withoutHub } from "../../output.ts";
import { queryServer } from "../../server/run-server.ts";
import { type FileProblem, renderProblems } from "../../views/problem-list.ts";
import { withExamples } from "../options/examples.ts";

interface CheckOptions {
  readonly config?: string;
  readonly strict?: boolean;
}

interface Checked {
  readonly files: readonly string[];
  readonly problems: readonly FileProblem[];
}

/** Works on the files alone, without a hub. */
export function addCheck(program: Command): void {
  const check = program
    .command("check")
    .description(
      "Validates config/, packs/, workflows/ and evals/ of a folder and their references to each other. Needs no hub.",
    )
    .argument("[folder]", "the project folder", ".")
    .option("--config <file>", "also validate this configuration file of a hub and the files that it names")
    .option("--strict", "treat warnings as errors")
    .action((folder: string, options: CheckOptions, command: Command) =>
      withoutHub(command, (printer) => checkProject(printer, folder, options)),
    );
  withExamples(check, [
    ["baton check", "the project in this folder"],
    ["baton check ./hub --strict --output json", "as JSON, failing on warnings"],
  ]);
}

async function checkProject(printer: Printer, folder: string, options: CheckOptions): Promise<number> {
  requireFolder(folder);
  const { config, strict = false } = options;
  const named = config === undefined ? [] : ["--config", config];
  const { answer, code } = await queryServer(["project", "check", ...named, "--", folder]);
  if (answer === undefined) return code;
  const checked = answer as Checked;
  const evaluations = checkEvaluations(folder);
  const files = [...checked.files, ...evaluations.files];
  const problems = [...checked.problems, ...evaluations.problems];
  if (files.length === 0 && problems.length === 0) {
    const fix = `baton init${folder === "." ? "" : ` ${folder}`} writes a starting set`;
    throw new CliError("BATON-CLI-004", "no config/, packs/ or workflows/ folder found", { fix, at: folder });
  }
  const { length: errors } = problems.filter(({ severity }) => severity === "error");
  const warnings = problems.length - errors;
  if (printer.output === "json") await printer.writeJson(JSON.stringify({ files, problems }));
  else if (printer.output === "jsonl")
    for (const problem of problems) await printer.writeJson(JSON.stringify(problem));
  else {
    await printer.write(renderProblems(printer.terminal, problems));
    printer.printNote(summary(files.length, errors, warnings));
  }
  return errors > 0 || (strict && warnings > 0) ? exitCode.usage : exitCode.ok;
}

function summary(files: number, errors: number, warnings: number): string {
  const looked = files === 1 ? "1 file" : `${files} files`;
  if (errors === 0 && warnings === 0) return `${looked}: no problems found`;
  const counts = [
    ...(errors > 0 ? [errors === 1 ? "1 error" : `${errors} errors`] : []),
    ...(warnings > 0 ? [warnings === 1 ? "1 warning" : `${warnings} warnings`] : []),
  ];
  return `${looked}: ${counts.join(", ")}`;
}

function requireFolder(folder: string): void {
  if (existsSync(folder) && statSync(folder).isDirectory()) return;
  const fix = "give the folder that contains config/, packs/ or workflows/";
  throw new CliError("BATON-CLI-002", `"${folder}" is not a folder`, { fix });
}
