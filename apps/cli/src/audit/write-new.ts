import { closeSync, fsyncSync, linkSync, openSync, unlinkSync, writeSync } from "node:fs";
import { CliError } from "../errors/cli-error.ts";

/** A file that gets its name when it is complete. No file is ever overwritten. */
export class NewFile {
  readonly #path: string;
  readonly #part: string;
  readonly #file: number;

  constructor(path: string) {
    this.#path = path;
    this.#part = `${path}.${process.pid}.part`;
    this.#file = this.#tried(() => openSync(this.#part, "wx", 0o600));
  }

  add(bytes: Uint8Array): void {
    this.#tried(() => {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    });
  }

  /** A link instead of a rename, which would replace an existing file. */
  finish(): void {
    this.#tried(() => {
      fsyncSync(this.#file);
      linkSync(this.#part, this.#path);
    });
    this.abandon();
  }

  /** Removes what was written. */
  abandon(): void {
    try {
      closeSync(this.#file);
      unlinkSync(this.#part);
    } catch {}
  }

  #tried<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      const isThere = cause instanceof Error && "code" in cause && cause.code === "EEXIST";
      throw new CliError("BATON-CLI-002", isThere ? "there is a file of this name already" : reason, {
        at: this.#path,
        fix: isThere
          ? "name another, or move that one away"
          : "name a file in a folder that you may write to",
        cause,
      });
    }
  }
}

export function writeNew(path: string, text: string): void {
  const file = new NewFile(path);
  try {
    file.add(Buffer.from(text));
    file.finish();
  } catch (error) {
    file.abandon();
    throw error;
  }
}
