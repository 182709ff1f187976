import type { Command } from "commander";
import { exitCode } from "../exit-code.ts";
import { askServer } from "../server/ask-server.ts";
import { paint, piece } from "../terminal/ink.ts";
import type { Look } from "../terminal/look.ts";
import { type CommonOptions, lookOfOutput, reportError, tell, writeJson, writeLines } from "../writing.ts";
import { withExamples } from "./examples.ts";

interface Written {
  readonly path: string;
  readonly state: "written" | "added to" | "left alone";
}

export function addInit(program: Command): void {
  const init = program
    .command("init")
    .summary("write a starting set of files")
    .description(
      "Writes commented files to begin with: config/ with a routing policy, templates and a redaction policy, packs/ with two packs, and the schemas that editors check them by. What is there is left alone.",
    )
    .argument("[folder]", "the project; it is made if it is not there", ".")
    .option("--schemas", "only the schemas, in place of those of another version")
    .action(async (folder: string, { schemas = false }: { schemas?: boolean }, command: Command) => {
      const common = command.optsWithGlobals<CommonOptions>();
      try {
        process.exitCode = await carryOut(folder, schemas, common);
      } catch (error) {
        await reportError(error, common);
      }
    });
  withExamples(init, [
    ["baton init", "in this folder"],
    ["baton init ./hub", "in a folder of its own"],
  ]);
}

async function carryOut(folder: string, schemas: boolean, { output }: CommonOptions): Promise<number> {
  const only = schemas ? ["--schemas"] : [];
  const { answer, code } = await askServer(["project", "init", ...only, "--", folder]);
  if (answer === undefined) return code;
  const { files } = answer as { readonly files: readonly Written[] };
  if (output === "json") await writeJson(JSON.stringify(answer), output);
  else if (output === "jsonl") for (const file of files) await writeJson(JSON.stringify(file), output);
  else {
    await writeLines(files.map((file) => describe(lookOfOutput(), file)));
    if (files.every(({ state }) => state === "left alone")) tell("everything is there already");
    if (!schemas) tellNext(folder);
  }
  return exitCode.ok;
}

function tellNext(folder: string): void {
  const [where, project] = folder === "." ? ["", ""] : [` ${folder}`, ` --project ${folder}`];
  tell(`next: look into the files, then \`baton check${where}\` and \`baton up${project}\``);
}

const tones = { written: "good", "added to": "good", "left alone": "quiet" } as const;

function describe(look: Look, { path, state }: Written): string {
  return `${paint(look, piece(state.padEnd(10), tones[state]))}  ${paint(look, piece(path))}`;
}
