import type { Earlier, EarlierTellings, Wanted } from "./earlier-tellings.ts";
import { Latest } from "./latest.ts";

/** Attempts that are over and whose agents may still be at it. */
const mostOver = 1_000;
/** Attempts of which it is known that they ended in this life of the hub. Those before are looked up when somebody speaks. */
const mostEnded = 10_000;

/**
 * What one agent says in one go, from its hello or from its call on: whatever comes again in it is known by its number. What
 * was said in another one may come again.
 */
export type SaidIn = object;

interface Repeater {
  /** In which it was looked up what is stored, when that was done. */
  readonly lookedUpIn?: SaidIn;
  readonly earlier?: Earlier;
}

/** Attempts whose agents have come back with them and may say again what is stored, and what that is. */
export class Repeaters {
  readonly #earlier: Pick<EarlierTellings, "find">;
  readonly #underWay = new Map<string, Repeater>();
  readonly #over = new Latest<string, Repeater>(mostOver);
  /** Counts what follows. */
  #count = 0;
  readonly #began = new WeakMap<SaidIn, number>();
  readonly #ended = new Latest<string, number>(mostEnded);

  constructor(earlier: Pick<EarlierTellings, "find">) {
    this.#earlier = earlier;
  }

  /** From now on an agent says anew what it keeps: of attempts that were over before, too, and these it does not name. */
  begin(saidIn: SaidIn): void {
    this.#began.set(saidIn, ++this.#count);
  }

  add(attempt: string, isUnderWay: boolean): void {
    const repeater = this.#get(attempt) ?? {};
    if (isUnderWay) this.#underWay.set(attempt, repeater);
    else this.#over.set(attempt, repeater);
  }

  /** Whether it has to be looked up what is stored of it, before what is said there is taken. */
  isUnknown(attempt: string, saidIn: SaidIn, isOver: boolean): boolean {
    const repeater = this.#get(attempt);
    if (repeater) return repeater.lookedUpIn !== saidIn;
    return isOver && (this.#ended.get(attempt) ?? 0) < (this.#began.get(saidIn) ?? 0);
  }

  /** Rejects when the store does; it is asked again the next time. */
  async find(attempt: string, saidIn: SaidIn, wanted: Wanted): Promise<Earlier> {
    const earlier = await this.#earlier.find(wanted);
    const repeater = { lookedUpIn: saidIn, earlier };
    if (this.#underWay.has(attempt)) this.#underWay.set(attempt, repeater);
    else this.#over.set(attempt, repeater);
    return earlier;
  }

  known(attempt: string): Earlier | undefined {
    return this.#get(attempt)?.earlier;
  }

  /** The attempt is over. */
  end(attempt: string): void {
    this.#ended.set(attempt, ++this.#count);
    const repeater = this.#underWay.get(attempt);
    if (!repeater) return;
    this.#over.set(attempt, repeater);
    this.#underWay.delete(attempt);
  }

  #get(attempt: string): Repeater | undefined {
    return this.#underWay.get(attempt) ?? this.#over.get(attempt);
  }
}
