import type { Earlier, EarlierTellings, Wanted } from "./earlier-tellings.ts";

/** Attempts that are over and whose agents may still be at it. */
const mostOver = 1_000;

/** Attempts whose agents have come back with them and may say again what is stored, and what that is. */
export class Repeaters {
  readonly #earlier: Pick<EarlierTellings, "find">;
  /** Undefined until somebody speaks. */
  readonly #underWay = new Map<string, Earlier | undefined>();
  readonly #over = new Map<string, Earlier | undefined>();

  constructor(earlier: Pick<EarlierTellings, "find">) {
    this.#earlier = earlier;
  }

  add(attempt: string, isUnderWay: boolean): void {
    if (isUnderWay) this.#underWay.set(attempt, undefined);
    else this.#keepOver(attempt, undefined);
  }

  isUnknown(attempt: string): boolean {
    return (this.#underWay.has(attempt) || this.#over.has(attempt)) && !this.known(attempt);
  }

  /** Rejects when the store does; it is asked again the next time. */
  async find(attempt: string, wanted: Wanted): Promise<Earlier> {
    const found = await this.#earlier.find(wanted);
    if (this.#underWay.has(attempt)) this.#underWay.set(attempt, found);
    else this.#keepOver(attempt, found);
    return found;
  }

  known(attempt: string): Earlier | undefined {
    return this.#underWay.get(attempt) ?? this.#over.get(attempt);
  }

  /** The attempt is over. */
  end(attempt: string): void {
    if (!this.#underWay.has(attempt)) return;
    this.#keepOver(attempt, this.#underWay.get(attempt));
    this.#underWay.delete(attempt);
  }

  #keepOver(attempt: string, earlier: Earlier | undefined): void {
    this.#over.delete(attempt);
    this.#over.set(attempt, earlier);
    const [oldest] = this.#over.keys();
    if (this.#over.size > mostOver && oldest !== undefined) this.#over.delete(oldest);
  }
}
