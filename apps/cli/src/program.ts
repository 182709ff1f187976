import { readFileSync } from "node:fs";
import { schemaVersion } from "@baton/contract/schema-version";
import { Command, Help, Option } from "commander";
import { withExamples } from "./commands/options/examples.ts";
import { refuseEmpty, refuseTwice, suggestOptions } from "./commands/options/option-rules.ts";
import { defaultHub } from "./hub/address.ts";
import { defaultInvocation, withInvocation } from "./invocation.ts";
import { addCommands, usageOf } from "./load-commands.ts";
import { errorTerminal, type OutputFormat, outputFormats, outputTerminal } from "./output.ts";
import { paint, piece } from "./terminal/paint.ts";
import { widthOf } from "./terminal/width.ts";

/** Wider lines are hard to read. */
const widestHelp = 100;

const plain = new Help();

const belowTerm = " ".repeat(6);

/** The program with the command that a command line names; with all of them where there is no command line. */
export async function createProgram(args?: readonly string[]): Promise<Command> {
  const program = new Command(defaultInvocation());
  program
    .description("The command line of the Baton hub for AI agents.")
    .version(describeVersion(), "-V, --version", "print the version of baton and of its contract")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .exitOverride()
    .configureOutput({
      // The error is reported once, by main.
      outputError: () => {},
      // A program gets the missing command as a JSON error instead of the help.
      writeErr: (text) => {
        if (program.opts<{ readonly output: OutputFormat }>().output === "text") process.stderr.write(text);
      },
      getOutHelpWidth: () => Math.min(widestHelp, outputTerminal().columns),
      getErrHelpWidth: () => Math.min(widestHelp, errorTerminal().columns),
      getOutHasColors: () => outputTerminal().colours,
      getErrHasColors: () => errorTerminal().colours,
    })
    .configureHelp({
      showGlobalOptions: true,
      minWidthToWrap: 20,
      displayWidth: widthOf,
      formatItem,
      subcommandTerm: (command) =>
        (command.parent === program ? usageOf(command) : undefined) ?? plain.subcommandTerm(command),
      optionDescription: (option) => withInvocation(plain.optionDescription(option)),
      argumentDescription: (argument) => withInvocation(plain.argumentDescription(argument)),
      styleTitle: (title) => paint({ ...outputTerminal(), colours: true }, piece(title, "strong")),
    })
    .addOption(new Option("--hub <url>", "the hub's gRPC address").env("BATON_HUB").default(defaultHub))
    .option("--api-key-file <path>", "a file with your API key (or set BATON_API_KEY)")
    .addOption(new Option("-o, --output <form>", "the output format").choices(outputFormats).default("text"));
  await addCommands(program, args === undefined ? "all" : commandName(program, args));
  refuseTwice(program);
  refuseEmpty(program);
  suggestOptions(program);
  return withExamples(program, [
    ["baton up", "starts a hub on this machine"],
    [
      'baton run implement-and-review --title "Add a login page" --accept "npm test passes"',
      "submits a task",
    ],
    ["baton runs list", "lists runs"],
  ]);
}

/** Puts each description below its term where the terminal is too narrow for both. */
function formatItem(term: string, termWidth: number, description: string, helper: Help): string {
  const width = helper.helpWidth ?? widestHelp;
  const isWide = width - termWidth - 4 >= helper.minWidthToWrap;
  if (isWide || description === "")
    return plain.formatItem.call(helper, term, termWidth, description, helper);
  const lines = helper.boxWrap(description, width - belowTerm.length).split("\n");
  return [`  ${term}`, ...lines.map((line) => belowTerm + line)].join("\n");
}

/** The first word that is neither an option of the program nor the value of one, without `help` before it. */
function commandName({ options }: Command, args: readonly string[]): string | undefined {
  const takeValues = options.filter(({ required }) => required).map(({ short, long }) => [short, long]);
  const isValue = (at: number) => at > 0 && takeValues.some((names) => names.includes(args[at - 1]));
  return args.find((arg, at) => arg !== "help" && !arg.startsWith("-") && !isValue(at));
}

/** The output format of a command line with an error: as parsed, or as written in the arguments. */
export function outputOf(program: Command, args: readonly string[]): OutputFormat {
  if (program.getOptionValueSource("output") === "cli")
    return program.opts<{ readonly output: OutputFormat }>().output;
  const index = args.findIndex((arg) => /^(-o|--output)/.test(arg));
  const value = /^(?:-o|--output=)(.+)$/.exec(args[index] ?? "")?.[1] ?? args[index + 1];
  return outputFormats.find((output) => output === value) ?? "text";
}

function describeVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const version = typeof manifest === "object" && manifest !== null ? Reflect.get(manifest, "version") : "";
  return `baton ${version}, contract ${schemaVersion}`;
}
