import { StringDecoder } from "node:string_decoder";
import { BoundedText } from "@baton/contract";
import type { LineMasker, MaskedLine, Redactor } from "@baton/kernel";

/**
 * Redacted output of a command, line by line, also for secrets across chunks (TUR-06). The original is not retained.
 * When redaction fails, all output is withheld.
 */
export class Transcript {
  readonly #streams: Readonly<Record<"stdout" | "stderr", Stream>>;
  readonly #text: BoundedText;
  readonly #onLine: (line: MaskedLine) => void;
  #failure: Error | undefined;

  constructor(redactor: Redactor, maxBytes: number, onLine: (line: MaskedLine) => void = () => {}) {
    const stream = (): Stream => ({
      masker: redactor.createLineMasker(),
      decoder: new StringDecoder("utf8"),
    });
    this.#streams = { stdout: stream(), stderr: stream() };
    this.#text = new BoundedText(maxBytes);
    this.#onLine = onLine;
  }

  take(chunk: Buffer, from: "stdout" | "stderr"): void {
    const { masker, decoder } = this.#streams[from];
    this.#process(() => masker.push(decoder.write(chunk)));
  }

  /** Flushes text that could have been the start of a secret. */
  end(): void {
    for (const { masker, decoder } of Object.values(this.#streams)) {
      this.#process(() => [...masker.push(decoder.end()), ...masker.end()]);
    }
  }

  get failure(): Error | undefined {
    return this.#failure;
  }

  text(): string {
    return this.#failure ? `its output is withheld: ${this.#failure.message}` : this.#text.toString();
  }

  #process(mask: () => readonly MaskedLine[]): void {
    if (this.#failure) return;
    try {
      for (const line of mask()) {
        this.#text.push(Buffer.from(`${line.line}\n`));
        this.#onLine(line);
      }
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
  }
}

interface Stream {
  readonly masker: LineMasker;
  /** Replaces invalid UTF-8, and joins characters split across chunks. */
  readonly decoder: StringDecoder;
}
