import { readFileSync } from "node:fs";
import { schemaVersion } from "@baton/contract/schema-version";
import { Command, Help, Option } from "commander";
import { asCalled, calledAs } from "./called-as.ts";
import { withExamples } from "./commands/examples.ts";
import { loadCommands } from "./commands/load-commands.ts";
import { refuseTwice } from "./commands/refuse-twice.ts";
import { defaultHub } from "./hub/address.ts";
import { paint, piece } from "./terminal/ink.ts";
import { widthOf } from "./terminal/width.ts";
import { lookOfErrors, lookOfOutput, type Output, outputs } from "./writing.ts";

/** Help that nobody would read across a very wide terminal. */
const widestHelp = 100;

const plain = new Help();

/** The program with the command that a command line names; with all of them when it names none, or there are no words. */
export async function createProgram(args: readonly string[] = []): Promise<Command> {
  const program = new Command(calledAs());
  program
    .description("The hub between people and AI agents, on the command line.")
    .version(describeVersion(), "-V, --version", "the version of baton and of its contract")
    .helpOption("-h, --help", "this text")
    .helpCommand("help [command]", "the help of a command")
    .exitOverride()
    .configureOutput({
      // What is wrong is told once, in our own form.
      outputError: () => {},
      // Help that nobody asked for is words for people; a program is told in its own form that a command is missing.
      writeErr: (text) => {
        if (program.opts<{ readonly output: Output }>().output === "text") process.stderr.write(text);
      },
      getOutHelpWidth: () => Math.min(widestHelp, lookOfOutput().columns),
      getErrHelpWidth: () => Math.min(widestHelp, lookOfErrors().columns),
      getOutHasColors: () => lookOfOutput().colours,
      getErrHasColors: () => lookOfErrors().colours,
    })
    .configureHelp({
      showGlobalOptions: true,
      minWidthToWrap: 20,
      displayWidth: widthOf,
      optionDescription: (option) => asCalled(plain.optionDescription(option)),
      argumentDescription: (argument) => asCalled(plain.argumentDescription(argument)),
      styleTitle: (title) => paint({ ...lookOfOutput(), colours: true }, piece(title, "strong")),
    })
    .addOption(new Option("--hub <url>", "the hub's gRPC address").env("BATON_HUB").default(defaultHub))
    .option("--api-key-file <path>", "a file that holds your key (or put it into BATON_API_KEY)")
    .addOption(new Option("-o, --output <form>", "how data is written").choices(outputs).default("text"));
  for (const add of await loadCommands(firstWord(program, args))) add(program);
  refuseTwice(program);
  return withExamples(program, [
    ["baton up", "starts a hub on this machine"],
    [
      'baton run implement-and-review --title "Add a login page" --accept "npm test passes"',
      "gives it a task",
    ],
    ["baton runs list", "what it does and did"],
  ]);
}

/** The first word that is neither an option of the program nor the value of one. */
function firstWord({ options }: Command, args: readonly string[]): string | undefined {
  const takeValues = options.filter(({ required }) => required).map(({ short, long }) => [short, long]);
  const isValue = (at: number) => at > 0 && takeValues.some((names) => names.includes(args[at - 1]));
  return args.find((arg, at) => !arg.startsWith("-") && !isValue(at));
}

/** How data is to be written, of a command line that is wrong somewhere: as far as it was read, or as it stands there. */
export function outputOf(program: Command, args: readonly string[]): Output {
  if (program.getOptionValueSource("output") === "cli")
    return program.opts<{ readonly output: Output }>().output;
  const place = args.findIndex((arg) => /^(-o|--output)/.test(arg));
  const said = /^(?:-o|--output=)(.+)$/.exec(args[place] ?? "")?.[1] ?? args[place + 1];
  return outputs.find((output) => output === said) ?? "text";
}

function describeVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const version = typeof manifest === "object" && manifest !== null ? Reflect.get(manifest, "version") : "";
  return `baton ${version}, contract ${schemaVersion}`;
}
