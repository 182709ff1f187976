/**
 * Finds what an agent without a full sandbox changed outside of its workspace: files of the user's checkout, settings and hooks
 * of its repository, its branches, and files of the agent's pack. Changes of others at the same time count as the agent's: the
 * attempt fails and is retried.
 */
import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { git } from "../../../workspaces/git/git.ts";
import { textOf } from "../../../workspaces/git/repository.ts";

/** State of files and branches, by path; files beyond the limit are not checked. */
type Marks = ReadonlyMap<string, string>;

const maxFiles = 100_000;
const maxListed = 10;
const scanTimeoutMs = 60_000;

export interface OutsideWatch {
  /** Changed, new and missing paths since the watch began. */
  changed(): Promise<readonly string[]>;
}

export async function watchOutside({
  repository,
  packFolder,
}: {
  readonly repository: string | undefined;
  readonly packFolder: string | undefined;
}): Promise<OutsideWatch> {
  const scan = async (): Promise<Marks> => {
    const marks = new Map<string, string>();
    if (repository) await markRepository(repository, marks);
    if (packFolder) await markFolder(packFolder, marks);
    return marks;
  };
  const before = await scan();
  return {
    async changed() {
      const after = await scan();
      const paths = new Set([...before.keys(), ...after.keys()]);
      return [...paths].filter((path) => before.get(path) !== after.get(path)).slice(0, maxListed);
    },
  };
}

/** Tracked and untracked files, without running filters; settings, hooks and branches. */
async function markRepository(path: string, marks: Map<string, string>): Promise<void> {
  const signal = AbortSignal.timeout(scanTimeoutMs);
  const ask = async (...args: string[]) => textOf(await git({ args, directory: path }, signal)) ?? "";
  const [top, common] = (
    await ask("rev-parse", "--path-format=absolute", "--show-toplevel", "--git-common-dir")
  ).split("\n");
  if (!top || !common) return;
  const listed = await ask(
    "ls-files",
    "-z",
    "--cached",
    "--others",
    "--exclude-standard",
    "--full-name",
    "--",
    ":/",
  );
  for (const name of listed.split("\0")) if (name !== "") await markFile(join(top, name), marks);
  for (const name of ["config", "HEAD", "hooks", "info"]) await markFolder(join(common, name), marks);
  const refs = await ask("for-each-ref", "--format=%(refname) %(objectname)");
  for (const line of refs.split("\n")) {
    const [name = "", commit = ""] = line.split(" ");
    if (name !== "" && !/^refs\/(heads\/baton|baton)\//.test(name)) marks.set(name, commit);
  }
}

async function markFolder(path: string, marks: Map<string, string>): Promise<void> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (!entries) return markFile(path, marks);
  for (const entry of entries)
    if (!entry.isDirectory()) await markFile(join(entry.parentPath, entry.name), marks);
}

async function markFile(path: string, marks: Map<string, string>): Promise<void> {
  if (marks.size >= maxFiles) return;
  const found = await lstat(path, { bigint: true }).catch(() => undefined);
  if (found) marks.set(path, `${found.ino} ${found.size} ${found.mtimeNs} ${found.mode}`);
}
