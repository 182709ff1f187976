import type { Command } from "commander";
import { exitCode } from "../../exit-code.ts";
import { type Printer, withoutHub } from "../../output.ts";
import { queryServer } from "../../server/run-server.ts";
import { paint, piece } from "../../terminal/paint.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { withExamples } from "../options/examples.ts";

interface Written {
  readonly path: string;
  readonly state: "written" | "added to" | "left alone";
}

export function addInit(program: Command): void {
  const init = program
    .command("init")
    .description(
      "Creates a commented starter project: config/ with a routing policy, templates and a redaction policy, packs/ with two packs, and schemas for editors. Existing files are not changed.",
    )
    .argument("[folder]", "the project folder; created if missing", ".")
    .option("--schemas", "update only the schemas")
    .action((folder: string, { schemas = false }: { schemas?: boolean }, command: Command) =>
      withoutHub(command, (printer) => initProject(printer, folder, schemas)),
    );
  withExamples(init, [
    ["baton init", "in this folder"],
    ["baton init ./hub", "in a new folder"],
  ]);
}

async function initProject(printer: Printer, folder: string, schemas: boolean): Promise<number> {
  const only = schemas ? ["--schemas"] : [];
  const { answer, code } = await queryServer(["project", "init", ...only, "--", folder]);
  if (answer === undefined) return code;
  const { files } = answer as { readonly files: readonly Written[] };
  if (printer.output === "json") await printer.writeJson(JSON.stringify(answer));
  else if (printer.output === "jsonl")
    for (const file of files) await printer.writeJson(JSON.stringify(file));
  else {
    await printer.write(files.map((file) => describe(printer.terminal, file)));
    if (files.every(({ state }) => state === "left alone")) printer.printNote("all files exist already");
    if (!schemas) printNextSteps(printer, folder);
  }
  return exitCode.ok;
}

function printNextSteps({ printNote }: Printer, folder: string): void {
  const [where, project] = folder === "." ? ["", ""] : [` ${folder}`, ` --project ${folder}`];
  printNote(`next: edit the files, then run \`baton check${where}\` and \`baton up${project}\``);
}

const tones = { written: "good", "added to": "good", "left alone": "quiet" } as const;

function describe(terminal: Terminal, { path, state }: Written): string {
  return `${paint(terminal, piece(state.padEnd(10), tones[state]))}  ${paint(terminal, piece(path))}`;
}
