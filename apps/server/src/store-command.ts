import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { backupSqlite, checkSqlite, Filter } from "@baton/runtime";
import { type AskedOfData, runOnData } from "./data-command.ts";
import { exitCodes } from "./exit-codes.ts";
import { print } from "./print.ts";

const usage = "baton-server store backup [--data FOLDER] PATH, or baton-server store check [--data FOLDER]";

interface Asked extends AskedOfData {
  readonly path: string | undefined;
}

/** `store backup` and `store check`: they work on a data folder, also while a hub uses it. Gives the exit code. */
export function runStoreCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
  filter = new Filter(),
): Promise<number> {
  const work = (folder: string, { path }: Asked) =>
    path === undefined ? check(folder, filter) : backup(folder, resolve(path), filter);
  return runOnData({ name: "store", usage, read: readArguments, work }, args, env, filter);
}

async function backup(folder: string, path: string, filter: Filter): Promise<number> {
  await backupSqlite(folder, path);
  print(process.stdout, `${path} holds everything that is in ${folder}`, filter);
  return exitCodes.stopped;
}

/** What is wrong is what was asked for, so it goes to standard output. */
async function check(folder: string, filter: Filter): Promise<number> {
  const faults = await checkSqlite(folder);
  const lines = faults.length === 0 ? [`nothing is wrong with ${folder}`] : faults;
  print(process.stdout, lines.join("\n"), filter);
  return faults.length === 0 ? exitCodes.stopped : exitCodes.failed;
}

/** The path is there for a backup, and for nothing else. */
function readArguments(args: readonly string[]): Asked | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { data: { type: "string" } },
      allowPositionals: true,
    });
    const [verb, path, ...more] = positionals;
    const isWhole = verb === "backup" ? path !== undefined : verb === "check" && path === undefined;
    return isWhole && more.length === 0 ? { data: values.data, path } : undefined;
  } catch {
    return undefined; // An option that is not known.
  }
}
