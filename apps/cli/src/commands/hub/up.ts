import { type Command, Option } from "commander";
import { CliError } from "../../errors/cli-error.ts";
import { readOperatorToken } from "../../hub/local-hub.ts";
import { pageAddress } from "../../hub/page-address.ts";
import { type CommonOptions, errorTerminal, outputTerminal, withoutHub } from "../../output.ts";
import { findServer } from "../../server/find-server.ts";
import { describeLogLine } from "../../server/log-line.ts";
import { preparePage } from "../../server/prepare-page.ts";
import { describeMode, type Ready, readReady } from "../../server/ready-line.ts";
import { runServer } from "../../server/run-server.ts";
import { paint, piece } from "../../terminal/paint.ts";
import { renderFacts } from "../../terminal/table.ts";
import { withExamples } from "../options/examples.ts";

interface UpOptions {
  readonly data?: string;
  readonly config?: string;
  readonly project?: string;
  readonly grpc?: string;
  readonly http?: string;
  readonly auditFolder?: string;
  readonly storeKey?: string;
  readonly keys?: string;
  readonly mode?: string;
  readonly demo?: boolean;
  readonly once?: boolean;
  readonly story?: "review" | "workflow";
}

/** Any free port on loopback. */
const anyPort = "127.0.0.1:0";

export function addUp(program: Command): void {
  const up = program
    .command("up")
    .description("Starts a hub on this machine in the foreground. Ctrl-C stops it gracefully.")
    .option("--data <dir>", "the data folder")
    .option("--config <file>", "the configuration file; see docs/reference/server.md")
    .option("--project <dir>", "the folder with config/, packs/ and workflows/ (default: the working folder)")
    .option("--grpc <host:port>", "the gRPC address, for agents and clients")
    .option("--http <host:port>", "the HTTP address, for browsers and scripts")
    .option("--keys <file>", "the key file; required to listen beyond loopback")
    .addOption(
      new Option(
        "--mode <mode>",
        "dev: one stage at a time, deadlines only warn, no circuit breaker for command agents",
      ).choices(["dev", "production"]),
    )
    .option("--store-key <file>", "the key of the store (default: in the data folder)")
    .option("--audit-folder <dir>", "also write the audit record to this folder, one file per run")
    .option(
      "--demo",
      "run a demonstration in a temporary folder: three agents, a rejected task and a question for you",
    )
    .addOption(
      new Option("--story <name>", "with --demo: its story (default: review)").choices([
        "review",
        "workflow",
      ]),
    )
    .option("--once", "with --demo: exit at its end (default in a pipe)")
    .action((options: UpOptions, command: Command) =>
      withoutHub(command, async (_, common) =>
        options.demo ? demonstrate(options, common) : start(options, common),
      ),
    );
  withExamples(up, [
    ["baton up", "a hub on loopback, at the default addresses"],
    ["baton up --data ./hub --config hub.yaml", "with its own folder and configuration"],
    ["baton up --demo", "a demonstration in a temporary folder"],
  ]);
}

async function demonstrate(
  { grpc = anyPort, http = anyPort, once = false, story, demo: _, ...others }: UpOptions,
  common: CommonOptions,
): Promise<number> {
  const given = Object.keys(others).map((name) => optionOf(name));
  if (common.output !== "text") given.push("--output");
  if (given.length > 0) {
    throw new CliError("BATON-CLI-001", "--demo has its own folder and configuration", {
      fix: `leave out ${given.join(", ")}, or leave out --demo`,
    });
  }
  const at = { grpc, http, once: once || !outputTerminal().isTerminal };
  // Loaded here, so that a hub without the demonstration starts faster.
  if (story === "workflow")
    return (await import("../../demo/workflow-story.ts")).runWorkflowStory(at, common);
  return (await import("../../demo/run-demo.ts")).runDemo(at, common);
}

function optionOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** On a terminal the log and the start are text; in a pipe both are JSON, as the server writes them. */
function start(
  { data, config, project, grpc, http, keys, mode, auditFolder, storeKey, once, story }: UpOptions,
  { output }: CommonOptions,
): Promise<number> {
  for (const [name, given] of Object.entries({ once, story }))
    if (given)
      throw new CliError("BATON-CLI-001", `--${name} requires --demo`, {
        fix: `remove --${name}, or add --demo`,
      });
  const args = [
    ...(data === undefined ? [] : ["--data", data]),
    ...(config === undefined ? [] : ["--config", config]),
    ...(project === undefined ? [] : ["--project", project]),
    ...(grpc === undefined ? [] : ["--grpc", grpc]),
    ...(http === undefined ? [] : ["--http", http]),
    ...(keys === undefined ? [] : ["--keys", keys]),
    ...(mode === undefined ? [] : ["--mode", mode]),
    ...(storeKey === undefined ? [] : ["--store-key", storeKey]),
    ...(auditFolder === undefined ? [] : ["--audit-folder", auditFolder]),
  ];
  preparePage();
  const [terminal, errors] = [outputTerminal(), errorTerminal()];
  const forPerson = output === "text" && terminal.isTerminal;
  return runServer({
    program: findServer(),
    args,
    ...(forPerson ? { onOutput: (line: string) => void writeOutput(line, data) } : {}),
    ...(output === "text" && errors.isTerminal
      ? { onLog: (line: string) => process.stderr.write(asLine(describeLogLine(line, errors))) }
      : {}),
  });
}

async function writeOutput(line: string, data: string | undefined): Promise<void> {
  const ready = readReady(line);
  if (ready === undefined) process.stdout.write(asLine(describeLogLine(line, outputTerminal())));
  else process.stdout.write(describeStart({ ...ready, http: await signedInPage(ready) }, data));
}

/** With a sign-in code, for the person at the terminal. Output of a pipe ends up in logs, so it has none. */
async function signedInPage({ http, operatorTokenFile }: Ready): Promise<string> {
  try {
    const token = readOperatorToken(operatorTokenFile);
    return token === undefined ? http : await pageAddress(http, token);
  } catch {
    return http; // The page works without it; `baton open` says what is wrong.
  }
}

function describeStart(ready: Ready, data: string | undefined): string {
  const terminal = outputTerminal();
  const facts = renderFacts(
    terminal,
    [
      ["gRPC", piece(ready.grpc, "busy")],
      ["page", piece(ready.http, "busy")],
      ["mode", piece(describeMode(ready.mode))],
      ["data", piece(data ?? "")],
      ["stop", piece("Ctrl-C")],
    ],
    "  ",
  );
  return `\n${paint(terminal, piece("Baton is up", "strong"))}\n${facts.join("\n")}\n\n`;
}

function asLine(text: string | undefined): string {
  return text === undefined ? "" : `${text}\n`;
}
