import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { type AllowedWorkspaces, isAllowed } from "../processes/allowed-workspaces.ts";
import { runCommand } from "../processes/run-command.ts";
import { ownGitArguments, ownGitEnvironment } from "../workspaces/git/git.ts";
import { ContentDigest, tooLarge } from "./content-digest.ts";
import { Unreadable } from "./unreadable.ts";

export interface GitLimits {
  readonly timeoutMs: number;
  readonly fileBytes: number;
}

const maxOutput = 8_192;

/** Reads objects of the repository of a folder, ignoring its configuration. */
export class GitObjects {
  readonly #folder: string;
  readonly #limits: GitLimits;
  readonly #signal: AbortSignal;

  private constructor(folder: string, limits: GitLimits, signal: AbortSignal) {
    this.#folder = folder;
    this.#limits = limits;
    this.#signal = signal;
  }

  /** A folder may point to a repository elsewhere, which must be readable, too. */
  static async open(
    folder: string,
    within: AllowedWorkspaces,
    limits: GitLimits,
    signal: AbortSignal,
  ): Promise<GitObjects> {
    const objects = new GitObjects(folder, limits, signal);
    const found = await objects.#git("rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir");
    const [own, common, ...rest] = found?.split("\n").filter((line) => line !== "") ?? [];
    if (own === undefined || common === undefined || rest.length > 0)
      throw new Unreadable("it is not in a readable git repository");
    for (const path of [own, common]) {
      const real = await realpath(path).catch(() => undefined);
      if (real === undefined || !(await isAllowed(real, within)))
        throw new Unreadable("its git repository is outside the folders that the hub may read");
    }
    return objects;
  }

  /** Resolves a name, a tag or an abbreviated id to a commit. */
  async commit(revision: string): Promise<string> {
    const isPlain = revision.length <= 256 && !revision.startsWith("-") && !hasControlCharacters(revision);
    const id = isPlain
      ? await this.#git("rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`)
      : undefined;
    if (id === undefined || !isId(id.trimEnd())) throw new Unreadable("the repository has no such commit");
    return id.trimEnd();
  }

  /** The blob of a path, relative to the folder, in a commit. */
  async file(commit: string, path: string): Promise<string> {
    const listed = await this.#git("--literal-pathspecs", "ls-tree", "-z", commit, "--", path);
    const [, id] = /^100(?:644|755) blob ([0-9a-f]+)\t[^\0]+\0$/.exec(listed ?? "") ?? [];
    if (id === undefined) throw new Unreadable("the commit has no such file");
    return id;
  }

  /** Reads a complete object and verifies that it matches its id. */
  async digest(kind: "blob" | "commit", id: string): Promise<string> {
    const size = Number(await this.#git("cat-file", "-s", id));
    if (!Number.isSafeInteger(size)) throw new Unreadable("the repository does not have the object");
    const { fileBytes, timeoutMs } = this.#limits;
    if (size > fileBytes) throw tooLarge(fileBytes);
    const digest = new ContentDigest(size);
    const named = createHash(id.length === 64 ? "sha256" : "sha1").update(`${kind} ${size}\0`);
    const stop = new AbortController();
    let failure: unknown;
    const onStdout = (chunk: Buffer) => {
      try {
        digest.add(chunk);
        named.update(chunk);
      } catch (error) {
        failure = error;
        stop.abort();
      }
    };
    const { exitCode } = await runCommand(
      { ...this.#spec("cat-file", kind, id), onStdout },
      { timeoutMs, outputBytes: maxOutput },
      AbortSignal.any([this.#signal, stop.signal]),
    );
    if (exitCode !== 0 || failure !== undefined || named.digest("hex") !== id)
      throw new Unreadable("the object in the repository does not match its id");
    return digest.text();
  }

  async #git(...args: readonly string[]): Promise<string | undefined> {
    this.#signal.throwIfAborted();
    const limits = { timeoutMs: this.#limits.timeoutMs, outputBytes: maxOutput };
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

function hasControlCharacters(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
