import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { backupSqlite, checkSqlite, Filter } from "@baton/runtime";
import { type AskedOfData, runOnData } from "./data-command.ts";
import { exitCodes } from "./exit-codes.ts";
import { print } from "./print.ts";

const usage =
  "baton-server store backup [--data FOLDER] [--json] PATH, or baton-server store check [--data FOLDER] [--json]";

interface Asked extends AskedOfData {
  readonly path: string | undefined;
}

/** `store backup` and `store check`: they work on a data folder, also while a hub uses it. Gives the exit code. */
export function runStoreCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
  filter = new Filter(),
): Promise<number> {
  const work = (folder: string, { path, json }: Asked) => {
    const tell = (text: string, value: object) =>
      print(process.stdout, json ? JSON.stringify(value) : text, filter);
    return path === undefined ? check(folder, tell) : backup(folder, resolve(path), tell);
  };
  return runOnData({ name: "store", usage, read: readArguments, work }, args, env, filter);
}

type Tell = (text: string, value: object) => void;

async function backup(folder: string, path: string, tell: Tell): Promise<number> {
  await backupSqlite(folder, path);
  tell(`${path} holds everything that is stored in ${folder}; keys are not in it`, { path, folder });
  return exitCodes.stopped;
}

/** What is wrong is what was asked for, so it goes to standard output. */
async function check(folder: string, tell: Tell): Promise<number> {
  const faults = await checkSqlite(folder);
  tell(faults.join("\n") || `nothing is wrong with ${folder}`, { folder, faults });
  return faults.length === 0 ? exitCodes.stopped : exitCodes.failed;
}

/** The path is there for a backup, and for nothing else. */
function readArguments(args: readonly string[]): Asked | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { data: { type: "string" }, json: { type: "boolean" } },
      allowPositionals: true,
    });
    const [verb, path, ...more] = positionals;
    const isWhole = verb === "backup" ? path !== undefined : verb === "check" && path === undefined;
    return isWhole && more.length === 0 ? { data: values.data, json: values.json, path } : undefined;
  } catch {
    return undefined; // An option that is not known.
  }
}
