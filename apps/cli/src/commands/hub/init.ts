import type { Command } from "commander";
import { exitCode } from "../../exit-code.ts";
import {
  type CommonOptions,
  outputTerminal,
  printNote,
  reportError,
  writeJson,
  writeLines,
} from "../../output.ts";
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
    .action(async (folder: string, { schemas = false }: { schemas?: boolean }, command: Command) => {
      const common = command.optsWithGlobals<CommonOptions>();
      try {
        process.exitCode = await executeCommand(folder, schemas, common);
      } catch (error) {
        await reportError(error, common);
      }
    });
  withExamples(init, [
    ["baton init", "in this folder"],
    ["baton init ./hub", "in a new folder"],
  ]);
}

async function executeCommand(folder: string, schemas: boolean, { output }: CommonOptions): Promise<number> {
  const only = schemas ? ["--schemas"] : [];
  const { answer, code } = await queryServer(["project", "init", ...only, "--", folder]);
  if (answer === undefined) return code;
  const { files } = answer as { readonly files: readonly Written[] };
  if (output === "json") await writeJson(JSON.stringify(answer), output);
  else if (output === "jsonl") for (const file of files) await writeJson(JSON.stringify(file), output);
  else {
    await writeLines(files.map((file) => describe(outputTerminal(), file)));
    if (files.every(({ state }) => state === "left alone")) printNote("all files exist already");
    if (!schemas) printNextSteps(folder);
  }
  return exitCode.ok;
}

function printNextSteps(folder: string): void {
  const [where, project] = folder === "." ? ["", ""] : [` ${folder}`, ` --project ${folder}`];
  printNote(`next: edit the files, then run \`baton check${where}\` and \`baton up${project}\``);
}

const tones = { written: "good", "added to": "good", "left alone": "quiet" } as const;

function describe(terminal: Terminal, { path, state }: Written): string {
  return `${paint(terminal, piece(state.padEnd(10), tones[state]))}  ${paint(terminal, piece(path))}`;
}
