import type { Command } from "commander";
import { findServer } from "../server/find-server.ts";
import { runServer } from "../server/run-server.ts";
import { type CommonOptions, reportError, writeJson } from "../session.ts";
import { withExamples } from "./examples.ts";

interface StoreOptions {
  readonly data?: string;
}

/** Both work on the folder itself, also while a hub uses it: the server's own program knows how it is read. */
export function addStore(program: Command): void {
  const store = program
    .command("store")
    .summary("back up and check what a hub keeps")
    .description("What a hub keeps in its data folder on this machine: back it up, check it.");
  withExamples(store, [
    ["baton store backup --data ./hub backup.db", "a copy, also while the hub runs"],
    ["baton store check --data ./hub", "is everything in order?"],
  ]);

  const backup = store
    .command("backup")
    .summary("write a copy of everything")
    .description("Writes a copy of everything that is stored, also while the hub runs.")
    .argument("<path>", "the file to write; it must not be there yet")
    .option("--data <dir>", "the hub's data folder")
    .action((path: string, { data }: StoreOptions, command: Command) =>
      hand(command, ["store", "backup", ...folder(data), path]),
    );
  withExamples(backup, [["baton store backup --data ./hub backup.db", "a copy of the hub in ./hub"]]);

  const check = store
    .command("check")
    .summary("check what is stored")
    .description("Checks what is stored, from the file itself to the record's chain.")
    .option("--data <dir>", "the hub's data folder")
    .action(({ data }: StoreOptions, command: Command) => hand(command, ["store", "check", ...folder(data)]));
  withExamples(check, [["baton store check --data ./hub", "checks the hub in ./hub"]]);
}

function folder(data: string | undefined): readonly string[] {
  return data === undefined ? [] : ["--data", data];
}

async function hand(command: Command, args: readonly string[]): Promise<void> {
  const common = command.optsWithGlobals<CommonOptions>();
  const { output } = common;
  try {
    if (output === "text") process.exitCode = await runServer({ program: findServer(), args });
    else {
      const onOutput = (line: string) => void writeJson(line, output);
      process.exitCode = await runServer({ program: findServer(), args: [...args, "--json"], onOutput });
    }
  } catch (error) {
    reportError(error, common);
  }
}
