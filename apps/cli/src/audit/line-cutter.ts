import { CliError } from "../errors/cli-error.ts";
import { limits } from "../limits.ts";

const lineFeed = 10;

/** Cuts a stream of pieces into lines, each with its line feed. */
export class LineCutter {
  readonly #onLine: (line: Uint8Array) => void;
  #rest: Buffer[] = [];
  #restBytes = 0;

  constructor(onLine: (line: Uint8Array) => void) {
    this.#onLine = onLine;
  }

  add(piece: Uint8Array): void {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      const line = bytes.subarray(start, end + 1);
      this.#onLine(this.#rest.length === 0 ? line : Buffer.concat([...this.#rest, line]));
      this.#rest = [];
      this.#restBytes = 0;
      start = end + 1;
    }
    if (start === bytes.length) return;
    this.#rest.push(Buffer.from(bytes.subarray(start)));
    this.#restBytes += bytes.length - start;
    if (this.#restBytes > limits.auditLineBytes) {
      throw new CliError("BATON-CLI-002", `the file has a line of more than ${limits.auditLineBytes} bytes`, {
        fix: "name an export of the audit record",
      });
    }
  }

  /** Passes on the last line without a line feed. */
  end(): void {
    if (this.#rest.length > 0) this.#onLine(Buffer.concat(this.#rest));
  }
}
