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
import { type AskedOfData, runOnData } from "./data-command.ts";
import { exitCodes } from "./exit-codes.ts";
import { print } from "./print.ts";

const usage =
  "baton-server store backup [--data FOLDER] [--store-key FILE] [--json] PATH, or baton-server store check [--data FOLDER] [--store-key FILE] [--json]";

interface Asked extends AskedOfData {
  readonly path: string | undefined;
  /** Where the key of the store is, when not in the folder. */
  readonly key: string | undefined;
}

/** `store backup` and `store check`: they work on a data folder, also while a hub uses it. Gives the exit code. */
export function runStoreCommand(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = process.env,
  filter = new EgressFilter(),
): Promise<number> {
  const work = (folder: string, { path, key, json }: Asked) => {
    const keyFile = key || env.BATON_STORE_KEY;
    const place = { folder, key: keyFile ? resolve(keyFile) : undefined };
    const tell = (text: string, value: object) =>
      print(process.stdout, json ? JSON.stringify(value) : text, filter);
    const warn = (text: string) => json || print(process.stderr, text, filter);
    return path === undefined ? check(place, tell) : backup(place, resolve(path), tell, warn);
  };
  return runOnData({ name: "store", usage, read: readArguments, work }, args, env, filter);
}

type Tell = (text: string, value: object) => void;

interface Place {
  readonly folder: string;
  readonly key: string | undefined;
}

async function backup(place: Place, path: string, tell: Tell, warn: (text: string) => void): Promise<number> {
  const { folder } = place;
  const key = await backupSqlite(folder, path, place.key);
  tell(`${path} holds everything that is stored in ${folder}`, { path, folder, key });
  if (key !== undefined) warn(`${key} opens it; the two are better kept apart`);
  return exitCodes.stopped;
}

/** What is wrong is what was asked for, so it goes to standard output. */
async function check({ folder, key }: Place, tell: Tell): Promise<number> {
  const found = await findSqliteFaults(folder, key);
  const faults = found.length > 0 ? found : await findNoteFaults(folder, key);
  const lines = faults.map(({ code, message, fix }, at) => {
    // Of many that are mended in one way, it is told once.
    const way = faults[at + 1]?.fix === fix ? "" : `\n  fix: ${fix}`;
    return `${code}  ${message}${way}`;
  });
  tell(lines.join("\n") || `nothing is wrong with ${folder}`, { folder, faults });
  return faults.length === 0 ? exitCodes.stopped : exitCodes.failed;
}

/** Whether `audit.head` fits the record; a store that is damaged in itself is not compared. */
async function findNoteFaults(directory: string, key: string | undefined): Promise<readonly StoreFault[]> {
  const store = await openSqliteStore({ directory, key, readOnly: true });
  try {
    const heads = readHeads(directory);
    const tenants = new Set(
      [...(await store.heads()), ...heads.map(({ head }) => head)].map((one) => one.tenantId),
    );
    const faults = [await checkHeads(store, heads, undefined)];
    for (const tenantId of tenants) faults.push(await checkHeadFile(store, directory, tenantId));
    return faults.flatMap((fault) => (fault ? [noteFault(fault)] : []));
  } finally {
    await store.close();
  }
}

function noteFault({ tenantId, problem }: { tenantId: string; problem: string }): StoreFault {
  return {
    code: "BATON-STORE-003",
    message: `the audit record of tenant "${tenantId}": ${problem}`,
    fix: "baton audit verify --data FOLDER says more; compare with a checkpoint or an export that you kept elsewhere",
  };
}

/** The path is there for a backup, and for nothing else. */
function readArguments(args: readonly string[]): Asked | undefined {
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
    return undefined; // An option that is not known.
  }
}
