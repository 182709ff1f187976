import { stat } from "node:fs/promises";

export interface FileWatchOptions<Content> {
  readonly paths: () => Promise<readonly string[]>;
  readonly read: () => { readonly content: Content; readonly digest: string };
  /** Digest of the content that is in force. */
  readonly digest: string;
  /** Called with content whose digest differs from the last. After an error it is called again at the next poll. */
  readonly apply: (content: Content) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly intervalMs?: number | undefined;
}

const defaultIntervalMs = 500;
/** Timestamps of file systems are coarse: a file that is this young may change again and keep its timestamp. */
const youngMs = 2_000;

/**
 * Polls files for changes: polling works on every file system and however an editor writes. Files are read only after two
 * polls in a row found them unchanged, so that a half-written file is neither used nor reported.
 */
export class FileWatch<Content> {
  readonly #options: FileWatchOptions<Content>;
  #timer: NodeJS.Timeout | undefined;
  #lastSignature = "";
  #handledSignature = "";
  #digest: string;
  #isStopped = false;

  constructor(options: FileWatchOptions<Content>) {
    this.#options = options;
    this.#digest = options.digest;
    this.#schedule();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    this.#timer = setTimeout(() => {
      this.#poll()
        .catch(this.#options.onError)
        .finally(() => {
          if (!this.#isStopped) this.#schedule();
        });
    }, this.#options.intervalMs ?? defaultIntervalMs).unref();
  }

  async #poll(): Promise<void> {
    const { signature, newestMs } = await this.#signature();
    const isSettled = signature === this.#lastSignature;
    this.#lastSignature = signature;
    const isYoung = Date.now() - newestMs < youngMs;
    if (!isSettled || (signature === this.#handledSignature && !isYoung)) return;
    const { content, digest } = this.#options.read();
    if ((await this.#signature()).signature !== signature || this.#isStopped) return; // Written while it was read.
    this.#handledSignature = signature;
    if (digest === this.#digest) return;
    const previous = this.#digest;
    this.#digest = digest;
    try {
      await this.#options.apply(content);
    } catch (error) {
      this.#digest = previous;
      this.#handledSignature = "";
      throw error;
    }
  }

  /** Changes when a file is written, replaced, added or removed. */
  async #signature(): Promise<{ readonly signature: string; readonly newestMs: number }> {
    const files = await Promise.all((await this.#options.paths()).map(describeFile));
    return {
      signature: files.map(({ text }) => text).join("\n"),
      newestMs: Math.max(0, ...files.map(({ modifiedMs }) => modifiedMs)),
    };
  }
}

/** An editor that replaces a file changes its inode; one that writes into it changes its time and size. */
async function describeFile(path: string): Promise<{ readonly text: string; readonly modifiedMs: number }> {
  try {
    const { ino, size, mtimeNs, ctimeNs, mtimeMs } = await stat(path, { bigint: true });
    return { text: [path, ino, size, mtimeNs, ctimeNs].join(" "), modifiedMs: Number(mtimeMs) };
  } catch {
    return { text: `${path} missing`, modifiedMs: 0 };
  }
}
