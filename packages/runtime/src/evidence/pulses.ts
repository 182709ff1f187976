import type { GateName, MaskedLine } from "@baton/kernel";
import type { PulseLimits } from "./limits.ts";

/** A line of the sandbox, as it is told to those who watch. */
export interface Pulse extends MaskedLine {
  /** The check whose command printed it. */
  readonly check: Exclude<GateName, "scope">;
  /** Lines before this one that were not told. */
  readonly leftOut: number;
}

/** Resolves when the lines are told: meanwhile no others are, and what does not fit is left out. */
export type TellPulses = (pulses: readonly Pulse[]) => Promise<void>;

/**
 * The output of one command, on its way to those who watch. However fast it comes, the hub is asked for a few lines at a
 * time, and for no more in all than it may be; the rest is counted.
 */
export class Pulses {
  readonly #check: Pulse["check"];
  readonly #tell: TellPulses;
  readonly #limits: PulseLimits;
  #waiting: Pulse[] = [];
  #leftOut = 0;
  #lines = 0;
  #characters = 0;
  #timer: NodeJS.Timeout | undefined;
  #telling: Promise<void> | undefined;

  constructor(check: Pulse["check"], tell: TellPulses, limits: PulseLimits) {
    this.#check = check;
    this.#tell = tell;
    this.#limits = limits;
  }

  add({ line, masked }: MaskedLine): void {
    const { lines, characters, linesAtOnce } = this.#limits;
    const isFull = this.#waiting.length >= linesAtOnce;
    if (isFull || this.#lines >= lines || this.#characters >= characters) {
      this.#leftOut++;
      return;
    }
    this.#push(this.#shorten(line), masked);
    this.#plan();
  }

  /** Tells what waits, and how much was left out at the end. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#telling;
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

  #plan(): void {
    if (this.#timer || this.#telling) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#flush();
    }, this.#limits.everyMs);
  }

  async #flush(): Promise<void> {
    const told = this.#waiting;
    if (told.length === 0) return;
    this.#waiting = [];
    this.#telling = this.#tell(told).catch(() => {});
    await this.#telling;
    this.#telling = undefined;
    if (this.#waiting.length > 0) this.#plan();
  }
}
