import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { backupSqlite, checkSqlite, Filter, StoreUnavailable } from "@baton/runtime";
import { defaultData } from "./config/load-config.ts";
import { describeProblems } from "./config/problem.ts";
import { exitCodes } from "./exit-codes.ts";
import { print } from "./print.ts";

const usage = "baton-server store backup [--data FOLDER] PATH, or baton-server store check [--data FOLDER]";

/** `store backup` and `store check`: they work on a data folder, also while a hub uses it. Gives the exit code. */
export async function runStoreCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
  filter = new Filter(),
): Promise<number> {
  const asked = readArguments(args);
  if (asked === undefined) {
    const message = `"store ${args.join(" ")}" is not known`;
    const problem = { code: "BATON-SERVER-011", at: "the command line", message, fix: `write ${usage}` };
    print(process.stderr, describeProblems([problem]), filter);
    return exitCodes.misconfigured;
  }
  const folder = resolve(asked.data ?? (env.BATON_DATA || defaultData));
  try {
    return asked.path === undefined
      ? await check(folder, filter)
      : await backup(folder, resolve(asked.path), filter);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    print(process.stderr, `${error.code}  ${error.message}\n  fix: ${error.fix}`, filter);
    return exitCodes.noStore;
  }
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
function readArguments(
  args: readonly string[],
): { readonly data: string | undefined; readonly path: string | undefined } | undefined {
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
