import { compareVersions, evaluatedRun } from "@baton/kernel/deciding";
import { type Command, InvalidArgumentError } from "commander";
import { CliError } from "../../errors/cli-error.ts";
import { readEvaluatedRuns } from "../../evaluation/evaluated-runs.ts";
import { readEvaluationFile } from "../../evaluation/read-evaluation-file.ts";
import type { JudgedRun } from "../../evaluation/run-case.ts";
import { runEvaluation } from "../../evaluation/run-evaluation.ts";
import { exitCode } from "../../exit-code.ts";
import { type Session, withHub } from "../../session.ts";
import {
  asDocument,
  asLine,
  renderEvaluation,
  renderJudged,
} from "../../views/evaluation/evaluation-view.ts";
import { withExamples } from "../options/examples.ts";
import { findTemplate } from "./find-template.ts";

interface EvalOptions {
  readonly as?: string;
  readonly compare?: string;
  readonly workflow?: string;
}

export function addEval(program: Command): void {
  const evaluate = program
    .command("eval")
    .description(
      "Runs a workflow over the cases of a file and judges each answer: by a JSON Schema, by conditions, by an agent that " +
        "grades. The runs and their verdicts stay on the hub, under a version, so that another version can be compared with it.",
    )
    .argument("<file>", 'the evaluation as YAML; "-" for standard input')
    .option("--as <version>", "the version that the runs are stored under (default: the time)", readVersion)
    .option("--compare <version>", "print the stored results of this version beside", readVersion)
    .option("--workflow <name>", "evaluate this workflow instead of the one that the file names")
    .action((file: string, options: EvalOptions, command: Command) =>
      withHub(command, (session) => evaluateFile(session, file, options)),
    );
  withExamples(evaluate, [
    ["baton eval evals/find-the-email.yaml", "runs all cases"],
    [
      "baton eval evals/find-the-email.yaml --as shorter-prompt --compare first",
      "compares two versions, case by case",
    ],
  ]);
}

function readVersion(text: string): string {
  if (/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/.test(text)) return text;
  throw new InvalidArgumentError("Give up to 63 letters, digits, hyphens, underscores and dots.");
}

async function evaluateFile(session: Session, file: string, options: EvalOptions): Promise<number> {
  const { hub, signal, output } = session;
  const { as: version = new Date().toISOString().slice(0, 19).replaceAll(":", "-"), compare } = options;
  const { evaluation: given, compileFor } = readEvaluationFile(file);
  const evaluation = { ...given, workflow: options.workflow ?? given.workflow };
  const template = await findTemplate(session, evaluation.workflow);
  const cases = compileFor(template);
  await refuseKnownVersion(session, evaluation.name, version);
  const before = await readCompared(session, evaluation.name, compare);
  const onJudged = async (judged: JudgedRun) => {
    if (output === "jsonl") await session.writeJson(asLine(judged));
    else if (output === "text") await session.write(renderJudged(session.terminal, judged));
  };
  const setting = { ...{ hub, evaluation, template, version, signal }, note: session.printNote };
  const judged = await runEvaluation(cases, setting, onJudged);
  const runs = [...before, ...judged.flatMap(({ run }) => evaluatedRun(run) ?? [])];
  const compared = compareVersions(runs, compare === undefined ? [version] : [compare, version]);
  const rate = compared.versions.at(-1)?.totals.passRate ?? 0;
  const result = { evaluation, version, compared, judged, rate };
  if (output === "text") await session.write(renderEvaluation(session.terminal, result));
  else if (output === "json") await session.writeJson(asDocument(result));
  return rate >= evaluation.passRate ? exitCode.ok : exitCode.evaluationFailed;
}

/** The runs of one version were made with the same prompts and checks, so nothing is added to it later. */
async function refuseKnownVersion({ hub, signal }: Session, name: string, version: string): Promise<void> {
  const [known] = await readEvaluatedRuns(hub, name, version, signal, 1);
  if (known === undefined) return;
  throw new CliError("BATON-CLI-001", `evaluation "${name}" has results of version "${version}" already`, {
    fix: "give another name with --as",
  });
}

async function readCompared({ hub, signal }: Session, name: string, version: string | undefined) {
  if (version === undefined) return [];
  const runs = await readEvaluatedRuns(hub, name, version, signal);
  if (runs.length > 0) return runs;
  throw new CliError("BATON-CLI-004", `evaluation "${name}" has no results of version "${version}"`, {
    fix: "give the name of an earlier version; the page lists them under Evals",
  });
}
