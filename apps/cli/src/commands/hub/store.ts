import type { Command } from "commander";
import { withoutHub } from "../../output.ts";
import { findServer } from "../../server/find-server.ts";
import { runServer } from "../../server/run-server.ts";
import { withExamples } from "../options/examples.ts";

interface StoreOptions {
  readonly data?: string;
  readonly storeKey?: string;
}

/** Both commands run the server's program on the data folder, also while a hub uses it. */
export function addStore(program: Command): void {
  const store = program
    .command("store")
    .description("Backs up and checks the data folder of a hub on this machine.");
  withExamples(store, [
    ["baton store backup --data ./hub backup.db", "a backup; the hub may be running"],
    ["baton store check --data ./hub", "checks the store"],
  ]);

  const backup = store
    .command("backup")
    .summary("back up the store")
    .description(
      "Writes a backup of the store to <path> and its key to <path>.key. The hub may be running. To restore, copy both to an empty folder as baton.db and baton.key.",
    )
    .argument("<path>", "the file to write; neither it nor <path>.key may exist")
    .option("--data <dir>", "the hub's data folder")
    .option("--store-key <file>", "the key of the store (default: in the data folder)")
    .action((path: string, options: StoreOptions, command: Command) =>
      runStoreCommand(command, ["store", "backup", ...folderOptions(options), path]),
    );
  withExamples(backup, [["baton store backup --data ./hub backup.db", "backup.db and backup.db.key"]]);

  const check = store
    .command("check")
    .summary("check the store")
    .description("Checks the store, from the database file to the hash chain of the audit record.")
    .option("--data <dir>", "the hub's data folder")
    .option("--store-key <file>", "the key of the store (default: in the data folder)")
    .action((options: StoreOptions, command: Command) =>
      runStoreCommand(command, ["store", "check", ...folderOptions(options)]),
    );
  withExamples(check, [["baton store check --data ./hub", "checks the hub in ./hub"]]);
}

function folderOptions({ data, storeKey }: StoreOptions): readonly string[] {
  return [
    ...(data === undefined ? [] : ["--data", data]),
    ...(storeKey === undefined ? [] : ["--store-key", storeKey]),
  ];
}

function runStoreCommand(command: Command, args: readonly string[]): Promise<void> {
  return withoutHub(command, ({ output, writeJson }) => {
    const program = findServer();
    if (output === "text") return runServer({ program, args });
    return runServer({ program, args: [...args, "--json"], onOutput: (line) => void writeJson(line) });
  });
}
