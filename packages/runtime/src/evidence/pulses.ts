import type { MaskedLine } from "@baton/kernel";
import type { PublishPulses, Pulse } from "../ports/pulse.ts";
import type { PulseLimits } from "./limits.ts";

/** Publishes the output of one command in batches, within limits. Omitted lines are counted. */
export class Pulses {
  readonly #check: Pulse["check"];
  readonly #publish: PublishPulses;
  readonly #limits: PulseLimits;
  #waiting: Pulse[] = [];
  #leftOut = 0;
  #lines = 0;
  #characters = 0;
  #timer: NodeJS.Timeout | undefined;
  #publishing: Promise<void> | undefined;

  constructor(check: Pulse["check"], publish: PublishPulses, limits: PulseLimits) {
    this.#check = check;
    this.#publish = publish;
    this.#limits = limits;
  }

  add({ line, masked }: MaskedLine): void {
    const { lines, characters, linesPerBatch } = this.#limits;
    const isFull = this.#waiting.length >= linesPerBatch;
    if (isFull || this.#lines >= lines || this.#characters >= characters) {
      this.#leftOut++;
      return;
    }
    this.#push(this.#shorten(line), masked);
    this.#schedule();
  }

  /** Publishes the waiting lines and the number of omitted lines. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#publishing;
    if (this.#leftOut > 0) this.#push("", false);
    await this.#flush();
  }

  #push(line: string, masked: boolean): void {
    this.#lines++;
    this.#characters += line.length;
    this.#waiting.push({ check: this.#check, line, masked, leftOut: this.#leftOut });
    this.#leftOut = 0;
  }

  #shorten(line: string): string {
    const { lineCharacters } = this.#limits;
    if (line.length <= lineCharacters) return line;
    return `${line.slice(0, lineCharacters).toWellFormed()}… (${line.length - lineCharacters} characters left out)`;
  }

  #schedule(): void {
    if (this.#timer || this.#publishing) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#flush();
    }, this.#limits.intervalMs);
  }

  async #flush(): Promise<void> {
    const batch = this.#waiting;
    if (batch.length === 0) return;
    this.#waiting = [];
    this.#publishing = this.#publish(batch).catch(() => {});
    await this.#publishing;
    this.#publishing = undefined;
    if (this.#waiting.length > 0) this.#schedule();
  }
}
