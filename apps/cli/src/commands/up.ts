import { type Command, Option } from "commander";
import { CliError } from "../errors/cli-error.ts";
import { readOperatorToken } from "../hub/local-hub.ts";
import { pageAddress } from "../hub/page-address.ts";
import { findServer } from "../server/find-server.ts";
import { describeLogLine } from "../server/log-line.ts";
import { preparePage } from "../server/prepare-page.ts";
import { describeMode, type Ready, readReady } from "../server/ready-line.ts";
import { runServer } from "../server/run-server.ts";
import { paint, piece } from "../terminal/ink.ts";
import { renderFacts } from "../terminal/table.ts";
import { type CommonOptions, lookOfErrors, lookOfOutput, reportError } from "../writing.ts";
import { withExamples } from "./examples.ts";

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
}

/** Any free port of this machine. */
const anyPort = "127.0.0.1:0";

export function addUp(program: Command): void {
  const up = program
    .command("up")
    .summary("start a hub here")
    .description("Starts a hub on this machine and stays with it. Ctrl-C stops it in good order.")
    .option("--data <dir>", "where the hub keeps what it knows")
    .option("--config <file>", "the configuration file; what it may say is in docs/reference/server.md")
    .option("--project <dir>", "where config/ and packs/ are; the working folder unless told")
    .option("--grpc <host:port>", "where agents and clients reach it")
    .option("--http <host:port>", "where browsers and scripts reach it")
    .option("--keys <file>", "the keys of those who may call; needed to listen beyond this machine")
    .addOption(
      new Option(
        "--mode <mode>",
        "how strict it is: in dev one stage at a time, deadlines that warn, no circuit breaker for commands",
      ).choices(["dev", "production"]),
    )
    .option("--store-key <file>", "the key that opens what the hub keeps; in its folder unless told")
    .option("--audit-folder <dir>", "also write the audit record to this folder, one file per run")
    .option(
      "--demo",
      "show it at work: three agents, a task that is sent back once, a question for you, nothing left behind",
    )
    .option("--once", "with --demo: end when the story has been told (what a pipe does by itself)")
    .action(async (options: UpOptions, command: Command) => {
      const common = command.optsWithGlobals<CommonOptions>();
      try {
        process.exitCode = await (options.demo ? demonstrate(options, common) : start(options, common));
      } catch (error) {
        await reportError(error, common);
      }
    });
  withExamples(up, [
    ["baton up", "a hub for this machine alone, at the usual addresses"],
    ["baton up --data ./hub --config hub.yaml", "with its own folder and configuration"],
    ["baton up --demo", "a hub, three agents and a task to watch, in a temporary folder"],
  ]);
}

async function demonstrate(
  { grpc = anyPort, http = anyPort, once = false, demo: _, ...others }: UpOptions,
  common: CommonOptions,
): Promise<number> {
  const given = Object.keys(others).map((name) => optionOf(name));
  if (common.output !== "text") given.push("--output");
  if (given.length > 0) {
    throw new CliError("BATON-CLI-001", "the demonstration has its own folder and configuration", {
      fix: `leave out ${given.join(", ")}, or leave out --demo`,
    });
  }
  const { runDemo } = await import("../demo/run-demo.ts"); // A hub without a story is there earlier.
  return runDemo({ grpc, http, once: once || !lookOfOutput().isTerminal }, common);
}

function optionOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** To a person the log is lines and the start a notice; to a program both are JSON, as the server wrote them. */
function start(
  { data, config, project, grpc, http, keys, mode, auditFolder, storeKey, once }: UpOptions,
  { output }: CommonOptions,
): Promise<number> {
  if (once) {
    throw new CliError("BATON-CLI-001", "--once is for --demo alone", { fix: "leave it out, or add --demo" });
  }
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
  const [look, errors] = [lookOfOutput(), lookOfErrors()];
  const forPerson = output === "text" && look.isTerminal;
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
  if (ready === undefined) process.stdout.write(asLine(describeLogLine(line, lookOfOutput())));
  else process.stdout.write(describeStart({ ...ready, http: await signedInPage(ready) }, data));
}

/** With a code for the person who sits here. What a pipe gets ends up in logs, and has none. */
async function signedInPage({ http, operatorTokenFile }: Ready): Promise<string> {
  try {
    const token = readOperatorToken(operatorTokenFile);
    return token === undefined ? http : await pageAddress(http, token);
  } catch {
    return http; // It can be watched; `baton open` says what is wrong.
  }
}

function describeStart(ready: Ready, data: string | undefined): string {
  const look = lookOfOutput();
  const facts = renderFacts(
    look,
    [
      ["gRPC", piece(ready.grpc, "busy")],
      ["page", piece(ready.http, "busy")],
      ["mode", piece(describeMode(ready.mode))],
      ["data", piece(data ?? "")],
      ["stop", piece("Ctrl-C")],
    ],
    "  ",
  );
  return `\n${paint(look, piece("Baton is up", "strong"))}\n${facts.join("\n")}\n\n`;
}

function asLine(text: string | undefined): string {
  return text === undefined ? "" : `${text}\n`;
}
