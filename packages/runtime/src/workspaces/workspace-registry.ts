import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { VerifiedChanges } from "@baton/kernel";
import type { TextCipher } from "../ports/text-cipher.ts";

/** The hub's entry of a workspace, in a file beside the folder, which the agent cannot reach. */
export interface WorkspaceEntry {
  readonly dispatchId: string;
  readonly repository: string;
  readonly branch: string;
  readonly baseCommit: string;
  readonly startCommit: string;
  readonly madeAtMs: number;
  /** Subject of its commits; absent in older entries. */
  readonly subject?: string | undefined;
  /** Size of the checkout. */
  readonly bytes: number;
  /** The committed work. It is committed once: what verification commands change later is not the agent's work. */
  readonly kept?:
    | {
        readonly commit: string;
        readonly branch: string;
        readonly changes: VerifiedChanges;
        readonly filesSinceRoot?: VerifiedChanges["files"] | undefined;
      }
    | undefined;
  /** Set when the attempt has ended: the workspace may be removed from then on. */
  readonly keepUntilMs?: number | undefined;
}

/** The folders of all workspaces, by branch: `baton/PIPELINE/STAGE/ATTEMPT` is in `PIPELINE/STAGE/ATTEMPT`. */
export class WorkspaceRegistry {
  readonly folder: string;
  readonly #cipher: TextCipher | undefined;

  /** Entries contain names of stages and files, so they are encrypted where there is a key. */
  constructor(folder: string, cipher?: TextCipher) {
    this.folder = folder;
    this.#cipher = cipher;
  }

  folderOf(branch: string): string {
    const parts = partsOf(branch);
    if (!parts) throw new Error(`"${branch}" is not a branch of the hub`);
    return join(this.folder, ...parts);
  }

  async find(branch: string): Promise<WorkspaceEntry | undefined> {
    const text = await readFile(`${this.folderOf(branch)}.json`, "utf8").catch(() => undefined);
    if (text === undefined) return undefined;
    try {
      const entry = JSON.parse(this.#decrypt(text)) as WorkspaceEntry;
      return entry.branch === branch ? entry : undefined;
    } catch {
      return undefined; // Written partly by a failing disk: treated as absent.
    }
  }

  /** Atomic. */
  async save(entry: WorkspaceEntry): Promise<void> {
    const path = `${this.folderOf(entry.branch)}.json`;
    const text = JSON.stringify(entry);
    await writeFile(`${path}.new`, this.#cipher?.encrypt(text) ?? text, { flush: true, mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  /** Entries of older versions are plain text. */
  #decrypt(text: string): string {
    return text.startsWith("{") ? text : (this.#cipher?.decrypt(text) ?? "");
  }

  /** Moves a complete folder of the same disk into place. */
  async adopt(branch: string, complete: string): Promise<void> {
    const folder = this.folderOf(branch);
    await mkdir(join(folder, ".."), { recursive: true });
    await rename(complete, folder);
  }

  /** The entry is removed last, so that a partial removal is found again. */
  async remove(branch: string): Promise<void> {
    const folder = this.folderOf(branch);
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    await rm(`${folder}.json.new`, { force: true });
    await rm(`${folder}.json`, { force: true });
    for (const parent of [join(folder, ".."), join(folder, "..", "..")]) {
      const remaining = await readdir(parent).catch(() => [""]);
      if (remaining.length === 0) await rm(parent, { recursive: true, force: true });
    }
  }

  /** Branches of all workspaces, complete or not. */
  async branches(): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const pipeline of await entriesOf(this.folder))
      for (const stage of await entriesOf(join(this.folder, pipeline)))
        for (const entry of await entriesOf(join(this.folder, pipeline, stage))) {
          const branch = `baton/${pipeline}/${stage}/${entry.replace(/\.json(\.new)?$/, "")}`;
          if (partsOf(branch)) found.add(branch);
        }
    return [...found];
  }
}

function partsOf(branch: string): readonly string[] | undefined {
  return /^baton\/([a-z0-9][a-z0-9_.-]*)\/([a-z0-9][a-z0-9_.-]*)\/([1-9]\d*)$/.exec(branch)?.slice(1);
}

async function entriesOf(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
