import { StringDecoder } from "node:string_decoder";
import { BoundedText } from "@baton/contract";
import type { LineMasker, MaskedLine, Redactor } from "@baton/kernel";

/**
 * What a command prints, line by line and without its secrets, also where one falls on the border of two chunks (TUR-06).
 * Nothing else of it is kept or told. When the secrets cannot be taken out, all of it is withheld.
 */
export class Transcript {
  readonly #ways: Readonly<Record<"stdout" | "stderr", Way>>;
  readonly #kept: BoundedText;
  readonly #onLine: (line: MaskedLine) => void;
  #failure: Error | undefined;

  constructor(redactor: Redactor, keptBytes: number, onLine: (line: MaskedLine) => void = () => {}) {
    const way = (): Way => ({ masker: redactor.createLineMasker(), decoder: new StringDecoder("utf8") });
    this.#ways = { stdout: way(), stderr: way() };
    this.#kept = new BoundedText(keptBytes);
    this.#onLine = onLine;
  }

  take(chunk: Buffer, from: "stdout" | "stderr"): void {
    const { masker, decoder } = this.#ways[from];
    this.#pass(() => masker.push(decoder.write(chunk)));
  }

  /** What was held back, because it might have been the beginning of a secret. */
  end(): void {
    for (const { masker, decoder } of Object.values(this.#ways)) {
      this.#pass(() => [...masker.push(decoder.end()), ...masker.end()]);
    }
  }

  get failure(): Error | undefined {
    return this.#failure;
  }

  text(): string {
    return this.#failure ? `what it printed is withheld: ${this.#failure.message}` : this.#kept.toString();
  }

  #pass(mask: () => readonly MaskedLine[]): void {
    if (this.#failure) return;
    try {
      for (const line of mask()) {
        this.#kept.push(Buffer.from(`${line.line}\n`));
        this.#onLine(line);
      }
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
  }
}

interface Way {
  readonly masker: LineMasker;
  /** What is not UTF-8 is told as such, and a character that comes in two chunks is one. */
  readonly decoder: StringDecoder;
}
