import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Capture } from "./capture.ts";
import type { Planter } from "./plant.ts";
import type { StoryFiles } from "./story.ts";

/** The one table that holds what agents said as they said it (TUR-03). All others have to be clean. */
const verbatim = "agent_logs";

/** Every row of every table but one, the words that make them, the bytes of the file, and every other file of the folder. */
export function dumpStore(folder: string, capture: Capture, planter?: Planter): void {
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
  dumpFiles(folder, capture, planter);
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

/** The files of a database as they lie there, also while a hub uses them: only of a story in which agents report no turns. */
export function dumpRawStore(folder: string, capture: Capture): void {
  for (const name of ["baton.db", "baton.db-wal", "baton.db-shm"]) {
    const path = join(folder, name);
    if (existsSync(path)) capture.add(`raw ${name}`, readFileSync(path));
  }
}

/** Where agents work. */
const places = /^\/workspaces\//;
/** A file of a place: behind its pipeline, stage and attempt. */
const inPlace = /^\/workspaces\/places\/[^/]+\/[^/]+\/\d+\/(.+)$/;

/** Every file of a folder but the database itself, with its name. Of files in places, what the hub wrote into them. */
export function dumpFiles(folder: string, capture: Capture, planter?: Planter): void {
  for (const path of filesOf(folder)) {
    if (/baton\.db(?:-wal|-shm)?$/.test(path)) continue;
    const within = path.slice(folder.length);
    const [, ofPlace] = inPlace.exec(within) ?? [];
    const channel = places.test(within) ? "files of places" : `file ${within}`;
    const bytes = readFileSync(path);
    if (ofPlace === undefined) {
      capture.add(channel, `${within}\n`);
      capture.add(channel, bytes);
    } else if (ofPlace.startsWith(".git/")) dumpGitFile(ofPlace, bytes, capture);
    else {
      capture.add(channel, `${within.slice(0, -ofPlace.length)}\n`);
      if (!planter?.hasWritten(bytes)) capture.add(channel, bytes);
    }
  }
}

/** Git writes these when an agent commits: its words, its names of branches and files, and its bytes, packed. */
const ofAgents = /^\.git\/(?:COMMIT_EDITMSG$|index$|refs\/heads\/agents\/|objects\/(?:pack|[0-9a-f]{2})\/)/;

/** Everything else in the folder that git has for a place. Of its logs, the lines of the hub. */
function dumpGitFile(name: string, bytes: Uint8Array, capture: Capture): void {
  if (name.startsWith(".git/logs/")) {
    const lines = Buffer.from(bytes).toString().split("\n");
    capture.add("git of places", lines.filter((line) => !line.includes(" bo <bo> ")).join("\n"));
  } else if (!ofAgents.test(name)) {
    capture.add("git of places", `${name}\n`);
    capture.add("git of places", bytes);
  }
}

/** Of a folder or a file, what others than its owner could read. */
export function openToOthers(root: string): readonly string[] {
  const files = statSync(root).isDirectory() ? filesOf(root) : [];
  return [root, ...files].filter(
    (path) => !places.test(path.slice(root.length)) && (statSync(path).mode & 0o077) !== 0,
  );
}

/**
 * What the hub itself wrote into the repository of a user: names of references, the words of its own commits, and everything
 * else that lies in the folder of git now and did not when the user had made it, but for objects: they are the work.
 */
export function dumpRepository({ workspace, own }: StoryFiles, capture: Capture): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: workspace, encoding: "utf8" });
  capture.add("repository branches", git("for-each-ref", "--format=%(refname)"));
  capture.add("repository commits", git("log", "--all", "--author=^Baton <", "--format=%an %ae%n%B"));
  const folder = join(workspace, ".git");
  for (const path of filesOf(folder)) {
    const within = path.slice(folder.length);
    const bytes = readFileSync(path);
    if (/^\/objects\/(?:pack|[0-9a-f]{2})\//.test(within) || own.get(within) === hash("sha256", bytes))
      continue;
    capture.add("repository files", `${within}\n`);
    capture.add("repository files", bytes);
  }
}

/** Digests of the files of a folder, by their names. */
export function digestsIn(folder: string): ReadonlyMap<string, string> {
  return new Map(
    filesOf(folder).map((path) => [path.slice(folder.length), hash("sha256", readFileSync(path))]),
  );
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
