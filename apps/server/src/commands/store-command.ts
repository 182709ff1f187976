import { resolve } from "node:path";
import { parseArgs } from "node:util";
import {
  backupSqlite,
  checkHeadFile,
  checkHeads,
  EgressFilter,
  findSqliteFaults,
  openSqliteStore,
  readHeads,
  type StoreFault,
} from "@baton/runtime";
import { type DataArguments, runOnData } from "./data-command.ts";
import { exitCodes, print } from "./print.ts";

const usage =
  "baton-server store backup [--data FOLDER] [--store-key FILE] [--json] PATH, or baton-server store check [--data FOLDER] [--store-key FILE] [--json]";

interface Arguments extends DataArguments {
  readonly path: string | undefined;
  /** The key file, when it is not in the folder. */
  readonly key: string | undefined;
}

/** `store backup` and `store check`: work on a data folder, also while a hub uses it. Returns the exit code. */
export function runStoreCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
  filter = new EgressFilter(),
): Promise<number> {
  const work = (folder: string, { path, key, json }: Arguments) => {
    const keyFile = key || env.BATON_STORE_KEY;
    const source = { folder, key: keyFile ? resolve(keyFile) : undefined };
    const report = (text: string, value: object) =>
      print(process.stdout, json ? JSON.stringify(value) : text, filter);
    const warn = (text: string) => json || print(process.stderr, text, filter);
    return path === undefined ? check(source, report) : backup(source, resolve(path), report, warn);
  };
  return runOnData({ name: "store", usage, read: readArguments, work }, args, env, filter);
}

type Report = (text: string, value: object) => void;

interface Source {
  readonly folder: string;
  readonly key: string | undefined;
}

async function backup(
  { folder, key: source }: Source,
  path: string,
  report: Report,
  warn: (text: string) => void,
): Promise<number> {
  const key = await backupSqlite(folder, path, source);
  report(`${path} is a backup of ${folder}`, { path, folder, key });
  if (key !== undefined) warn(`${key} decrypts the backup; keep the two apart`);
  return exitCodes.stopped;
}

/** Prints faults to standard output: they are the result. */
async function check({ folder, key }: Source, report: Report): Promise<number> {
  const found = await findSqliteFaults(folder, key);
  const faults = found.length > 0 ? found : await findHeadFaults(folder, key);
  const lines = faults.map(({ code, message, fix }, at) => {
    // Faults in a row with the same fix share one line for it.
    const fixLine = faults[at + 1]?.fix === fix ? "" : `\n  fix: ${fix}`;
    return `${code}  ${message}${fixLine}`;
  });
  report(lines.join("\n") || `${folder} has no faults`, { folder, faults });
  return faults.length === 0 ? exitCodes.stopped : exitCodes.failed;
}

/** Compares `audit.head` with the record of a store that is itself undamaged. */
async function findHeadFaults(directory: string, key: string | undefined): Promise<readonly StoreFault[]> {
  const store = await openSqliteStore({ directory, key, readOnly: true });
  try {
    const heads = readHeads(directory);
    const tenants = new Set(
      [...(await store.heads()), ...heads.map(({ head }) => head)].map((one) => one.tenantId),
    );
    const faults = [await checkHeads(store, heads, undefined)];
    for (const tenantId of tenants) faults.push(await checkHeadFile(store, directory, tenantId));
    return faults.flatMap((fault) => (fault ? [headFault(fault)] : []));
  } finally {
    await store.close();
  }
}

function headFault({ tenantId, problem }: { tenantId: string; problem: string }): StoreFault {
  return {
    code: "BATON-STORE-003",
    message: `the audit record of tenant "${tenantId}": ${problem}`,
    fix: "run baton audit verify --data FOLDER for details; compare with a checkpoint or an export that you kept elsewhere",
  };
}

/** Only a backup takes a path. */
function readArguments(args: readonly string[]): Arguments | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { data: { type: "string" }, "store-key": { type: "string" }, json: { type: "boolean" } },
      allowPositionals: true,
    });
    const [verb, path, ...more] = positionals;
    const isWhole = verb === "backup" ? path !== undefined : verb === "check" && path === undefined;
    const { data, json, "store-key": key } = values;
    return isWhole && more.length === 0 ? { data, json, key, path } : undefined;
  } catch {
    return undefined; // An unknown option.
  }
}
