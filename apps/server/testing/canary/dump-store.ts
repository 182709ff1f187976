import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Capture } from "./capture.ts";

/** The one table that holds what agents said as they said it (TUR-03). All others have to be clean. */
const verbatim = "agent_logs";

/** Every row of every table but one, the words that make them, the bytes of the file, and every other file of the folder. */
export function dumpStore(folder: string, capture: Capture): void {
  const path = join(folder, "baton.db");
  const database = new DatabaseSync(path, { readOnly: true });
  for (const { name, sql } of database.prepare("SELECT name, sql FROM sqlite_schema").all()) {
    if (sql !== null) capture.add("store schema", `${name} ${sql}`);
  }
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name));
  for (const table of tables.filter((name) => name !== verbatim)) {
    for (const row of database.prepare(`SELECT * FROM "${table}"`).all()) {
      for (const value of Object.values(row)) {
        if (value !== null)
          capture.add(`store ${table}`, value instanceof Uint8Array ? value : String(value));
      }
    }
  }
  database.close();
  dumpDatabase(path, capture);
  dumpFiles(folder, capture);
}

/** The bytes of a database without the one table: pages, indexes, what is free in them. */
export function dumpDatabase(path: string, capture: Capture): void {
  const folder = mkdtempSync(join(tmpdir(), "baton-bytes-"));
  try {
    const [copy, without] = [join(folder, "copy.db"), join(folder, "without.db")];
    copyFileSync(path, copy);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
    const database = new DatabaseSync(copy);
    database.exec(`DELETE FROM "${verbatim}"; VACUUM INTO '${without}'`);
    database.close();
    capture.add("store bytes", readFileSync(without));
  } finally {
    rmSync(folder, { recursive: true });
  }
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
