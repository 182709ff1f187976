import { PassingMap } from "../passing-map.ts";

/**
 * What was made of the newest things, for those who ask at once. The others are forgotten: a reader that is far behind
 * keeps the things themselves, and what was made of them is many times as large.
 */
export class Recent<Thing extends object, Made> {
  readonly #made = new PassingMap<Thing, { readonly made: Made; readonly bytes: number }>();
  readonly #mostBytes: number;
  #bytes = 0;

  /** As many as have so many bytes together, and the newest in any case. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get(thing: Thing): Made | undefined {
    return this.#made.get(thing)?.made;
  }

  has(thing: Thing): boolean {
    return this.#made.has(thing);
  }

  /** `bytes` are those of the thing. */
  set(thing: Thing, made: Made, bytes: number): void {
    this.#forget(thing);
    this.#made.set(thing, { made, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#made.keys()) {
      if (this.#bytes <= this.#mostBytes || this.#made.size === 1) return;
      this.#forget(oldest);
    }
  }

  #forget(thing: Thing): void {
    const known = this.#made.get(thing);
    if (known === undefined) return;
    this.#made.delete(thing);
    this.#bytes -= known.bytes;
  }
}
