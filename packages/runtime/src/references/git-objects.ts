import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { type AllowedWorkspaces, isAllowed } from "../evidence/allowed-workspaces.ts";
import { runCommand } from "../evidence/run-command.ts";
import { ownGitArguments, ownGitEnvironment } from "../workspaces/git.ts";
import { ContentDigest, tooLarge } from "./content-digest.ts";
import { Unreadable } from "./unreadable.ts";

export interface GitLimits {
  readonly timeoutMs: number;
  readonly fileBytes: number;
}

const keptOutput = 8_192;

/** Reads objects of the repository that a folder belongs to. Whoever filled it has no say in how it is read. */
export class GitObjects {
  readonly #folder: string;
  readonly #limits: GitLimits;
  readonly #signal: AbortSignal;

  private constructor(folder: string, limits: GitLimits, signal: AbortSignal) {
    this.#folder = folder;
    this.#limits = limits;
    this.#signal = signal;
  }

  /** A folder may say that its repository lies elsewhere: it must be where the hub may read, too. */
  static async open(
    folder: string,
    within: AllowedWorkspaces,
    limits: GitLimits,
    signal: AbortSignal,
  ): Promise<GitObjects> {
    const objects = new GitObjects(folder, limits, signal);
    const found = await objects.#ask("rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir");
    const [own, common, ...rest] = found?.split("\n").filter((line) => line !== "") ?? [];
    if (own === undefined || common === undefined || rest.length > 0)
      throw new Unreadable("it lies in no git repository that can be read");
    for (const path of [own, common]) {
      const real = await realpath(path).catch(() => undefined);
      if (real === undefined || !(await isAllowed(real, within)))
        throw new Unreadable("its git repository lies in no folder that this hub may read");
    }
    return objects;
  }

  /** The commit that a name, a tag or the beginning of an id stands for. */
  async commit(revision: string): Promise<string> {
    const isPlain = revision.length <= 256 && !revision.startsWith("-") && !hasControls(revision);
    const id = isPlain
      ? await this.#ask("rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`)
      : undefined;
    if (id === undefined || !isId(id.trimEnd())) throw new Unreadable("the repository has no such commit");
    return id.trimEnd();
  }

  /** The file at this path, from the folder on, as the commit has it. */
  async file(commit: string, path: string): Promise<string> {
    const listed = await this.#ask("--literal-pathspecs", "ls-tree", "-z", commit, "--", path);
    const [, id] = /^100(?:644|755) blob ([0-9a-f]+)\t[^\0]+\0$/.exec(listed ?? "") ?? [];
    if (id === undefined) throw new Unreadable("the commit has no such file");
    return id;
  }

  /** Reads an object whole, and sees for itself that it is the one that its id names. */
  async digest(kind: "blob" | "commit", id: string): Promise<string> {
    const size = Number(await this.#ask("cat-file", "-s", id));
    if (!Number.isSafeInteger(size)) throw new Unreadable("the repository does not have the object");
    const { fileBytes, timeoutMs } = this.#limits;
    if (size > fileBytes) throw tooLarge(fileBytes);
    const digest = new ContentDigest(size);
    const named = createHash(id.length === 64 ? "sha256" : "sha1").update(`${kind} ${size}\0`);
    const enough = new AbortController();
    let failure: unknown;
    const onStdout = (chunk: Buffer) => {
      try {
        digest.add(chunk);
        named.update(chunk);
      } catch (error) {
        failure = error;
        enough.abort();
      }
    };
    const { exitCode } = await runCommand(
      { ...this.#spec("cat-file", kind, id), onStdout },
      { timeoutMs, outputBytes: keptOutput },
      AbortSignal.any([this.#signal, enough.signal]),
    );
    if (exitCode !== 0 || failure !== undefined || named.digest("hex") !== id)
      throw new Unreadable("the object in the repository is not what its id says");
    return digest.text();
  }

  async #ask(...args: readonly string[]): Promise<string | undefined> {
    this.#signal.throwIfAborted();
    const limits = { timeoutMs: this.#limits.timeoutMs, outputBytes: keptOutput };
    const { exitCode, output, isCut } = await runCommand(this.#spec(...args), limits, this.#signal);
    return exitCode === 0 && !isCut ? output : undefined;
  }

  #spec(...args: readonly string[]) {
    const all = [...ownGitArguments, ...args];
    return { file: "git", args: all, directory: this.#folder, env: ownGitEnvironment };
  }
}

function isId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
