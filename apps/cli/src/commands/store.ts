import type { Command } from "commander";
import { findServer } from "../server/find-server.ts";
import { runServer } from "../server/run-server.ts";
import { type CommonOptions, reportError, writeJson } from "../writing.ts";
import { withExamples } from "./examples.ts";

interface StoreOptions {
  readonly data?: string;
  readonly storeKey?: string;
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
    .description(
      "Writes a copy of everything that is stored, also while the hub runs, and the key that opens it, as <path>.key. To go on from them, put both into an empty folder as baton.db and baton.key.",
    )
    .argument("<path>", "the file to write; neither it nor <path>.key may be there yet")
    .option("--data <dir>", "the hub's data folder")
    .option("--store-key <file>", "the key of the store, when it is not in the folder")
    .action((path: string, options: StoreOptions, command: Command) =>
      hand(command, ["store", "backup", ...place(options), path]),
    );
  withExamples(backup, [
    ["baton store backup --data ./hub backup.db", "a copy of the hub in ./hub, and backup.db.key"],
  ]);

  const check = store
    .command("check")
    .summary("check what is stored")
    .description("Checks what is stored, from the file itself to the record's chain.")
    .option("--data <dir>", "the hub's data folder")
    .option("--store-key <file>", "the key of the store, when it is not in the folder")
    .action((options: StoreOptions, command: Command) =>
      hand(command, ["store", "check", ...place(options)]),
    );
  withExamples(check, [["baton store check --data ./hub", "checks the hub in ./hub"]]);
}

function place({ data, storeKey }: StoreOptions): readonly string[] {
  return [
    ...(data === undefined ? [] : ["--data", data]),
    ...(storeKey === undefined ? [] : ["--store-key", storeKey]),
  ];
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
    await reportError(error, common);
  }
}
