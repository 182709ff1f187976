import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Capture } from "./capture.ts";

/** What the work goes on from, under access control (docs/reference/ways-out.md). All other tables have to be clean. */
export const workingTables: readonly string[] = [
  ...["journal", "outbox", "timers", "fleet"],
  ...["agent_logs", "task_states", "open_calls", "held_back"],
];

/** Reads every row of every table that is shown to somebody, and every other file of the folder. */
export function dumpStore(folder: string, capture: Capture): void {
  const database = new DatabaseSync(join(folder, "baton.db"), { readOnly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name));
  for (const table of tables.filter((name) => !workingTables.includes(name))) {
    for (const row of database.prepare(`SELECT * FROM "${table}"`).all()) {
      for (const value of Object.values(row)) {
        if (typeof value === "string" || value instanceof Uint8Array) capture.add(`store ${table}`, value);
      }
    }
  }
  database.close();
  dumpFiles(folder, capture);
}

/** Where agents work: their files, as they left them, under the same access control. The names of places are ours. */
const places = /^\/workspaces\//;

/** Every file of a folder but the database itself, with its name. */
export function dumpFiles(folder: string, capture: Capture): void {
  for (const path of filesOf(folder)) {
    if (/baton\.db(?:-wal|-shm)?$/.test(path)) continue;
    const within = path.slice(folder.length);
    if (places.test(within)) {
      capture.add("file names of places", `${within.split("/").slice(0, 6).join("/")}\n`);
      continue;
    }
    capture.add(`file ${path.slice(folder.length)}`, `${path.slice(folder.length)}\n`);
    capture.add(`file ${path.slice(folder.length)}`, readFileSync(path));
  }
}

/** Files that others than their owner could read. */
export function openToOthers(folder: string): readonly string[] {
  return [folder, ...filesOf(folder)].filter(
    (path) => !places.test(path.slice(folder.length)) && (statSync(path).mode & 0o077) !== 0,
  );
}

/** What the hub itself wrote into the repository of a user: names of branches, and the words of its own commits. */
export function dumpRepository(repository: string, capture: Capture): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, encoding: "utf8" });
  capture.add("repository branches", git("for-each-ref", "--format=%(refname)", "refs/heads/baton"));
  capture.add("repository commits", git("log", "--all", "--author=^Baton <", "--format=%an %ae%n%B"));
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
