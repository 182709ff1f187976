import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { VerifiedChanges } from "@baton/kernel";
import type { TextSeal } from "../ports/text-seal.ts";

/** What the hub knows of a place that it made. It lies beside the folder, where the agent has no business. */
export interface PlaceNote {
  readonly dispatchId: string;
  readonly repository: string;
  readonly branch: string;
  readonly baseCommit: string;
  readonly startCommit: string;
  readonly madeAtMs: number;
  /** What a commit of it is about; places of before have none. */
  readonly subject?: string | undefined;
  /** Of the files that were put there. */
  readonly bytes: number;
  /** What was kept of it. It is kept once: what commands leave there afterwards is not the agent's work. */
  readonly kept?:
    | { readonly commit: string; readonly branch: string; readonly changes: VerifiedChanges }
    | undefined;
  /** Nobody works there any more, and from then on it may be removed. */
  readonly keepUntilMs?: number | undefined;
}

/** The folders of all places, by branch: `baton/PIPELINE/STAGE/ATTEMPT` lies in `PIPELINE/STAGE/ATTEMPT`. */
export class Places {
  readonly folder: string;
  readonly #seal: TextSeal | undefined;

  /** Notes have the names of stages and of an agent's files in them, so they are sealed where there is a key for it. */
  constructor(folder: string, seal?: TextSeal) {
    this.folder = folder;
    this.#seal = seal;
  }

  folderOf(branch: string): string {
    const parts = partsOf(branch);
    if (!parts) throw new Error(`"${branch}" is no branch of the hub`);
    return join(this.folder, ...parts);
  }

  async note(branch: string): Promise<PlaceNote | undefined> {
    const text = await readFile(`${this.folderOf(branch)}.json`, "utf8").catch(() => undefined);
    if (text === undefined) return undefined;
    try {
      const note = JSON.parse(this.#opened(text)) as PlaceNote;
      return note.branch === branch ? note : undefined;
    } catch {
      return undefined; // Half written, by a disk that lost it: then it was not made.
    }
  }

  /** Written whole or not at all. */
  async write(note: PlaceNote): Promise<void> {
    const path = `${this.folderOf(note.branch)}.json`;
    const text = JSON.stringify(note);
    await writeFile(`${path}.new`, this.#seal?.seal(text) ?? text, { flush: true, mode: 0o600 });
    await rename(`${path}.new`, path);
  }

  /** Notes of earlier versions are in the clear. */
  #opened(text: string): string {
    return text.startsWith("{") ? text : (this.#seal?.open(text) ?? "");
  }

  /** A folder that was made elsewhere, on the same disk, becomes the place. */
  async moveIn(branch: string, made: string): Promise<void> {
    const folder = this.folderOf(branch);
    await mkdir(join(folder, ".."), { recursive: true });
    await rename(made, folder);
  }

  /** The note goes last: what is half removed is still known. */
  async remove(branch: string): Promise<void> {
    const folder = this.folderOf(branch);
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    await rm(`${folder}.json.new`, { force: true });
    await rm(`${folder}.json`, { force: true });
    for (const parent of [join(folder, ".."), join(folder, "..", "..")]) {
      const left = await readdir(parent).catch(() => [""]);
      if (left.length === 0) await rm(parent, { recursive: true, force: true });
    }
  }

  /** Branches of all places of which anything is there, whole or half. */
  async all(): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const pipeline of await names(this.folder))
      for (const stage of await names(join(this.folder, pipeline)))
        for (const entry of await names(join(this.folder, pipeline, stage))) {
          const branch = `baton/${pipeline}/${stage}/${entry.replace(/\.json(\.new)?$/, "")}`;
          if (partsOf(branch)) found.add(branch);
        }
    return [...found];
  }
}

function partsOf(branch: string): readonly string[] | undefined {
  return /^baton\/([a-z0-9][a-z0-9_.-]*)\/([a-z0-9][a-z0-9_.-]*)\/([1-9]\d*)$/.exec(branch)?.slice(1);
}

async function names(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}
