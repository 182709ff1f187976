import type { CelList, CelValue } from "@bufbuild/cel";
import { charge, chargeItem } from "./meter.ts";

/** How the library recognises its lists; cel-json.test.ts fails if a new version changes that. */
const mark: unique symbol = Symbol.for("@bufbuild/cel/list");

/** A list that charges the meter for reads. */
export abstract class MeteredList {
  readonly [mark] = true;
  abstract readonly size: number;
  abstract get(index: number): CelValue | undefined;

  *values(): Generator<CelValue> {
    for (let index = 0; index < this.size; index++) {
      chargeItem();
      yield this.get(index) as CelValue;
    }
  }

  [Symbol.iterator](): Generator<CelValue> {
    return this.values();
  }

  asCel(): CelList {
    return this as unknown as CelList;
  }
}

/**
 * A list to which `+` appends. Macros build their result one element at a time; these lists share one array, of which
 * each sees a prefix, so that `map` over a thousand elements copies nothing.
 */
class GrownList extends MeteredList {
  readonly size: number;
  readonly #shared: CelValue[];

  constructor(shared: CelValue[]) {
    super();
    this.#shared = shared;
    this.size = shared.length;
  }

  get(index: number): CelValue | undefined {
    charge(1);
    return index < this.size ? this.#shared[index] : undefined;
  }

  /** Only the longest list appends in place: another would overwrite its elements. */
  grow(more: CelList): GrownList {
    const isLongest = this.#shared.length === this.size;
    const items = isLongest ? this.#shared : this.#shared.slice(0, this.size);
    charge(more.size + (isLongest ? 0 : this.size));
    // Copied first: a list may be appended to itself.
    for (const item of Array.from(more)) items.push(item);
    return new GrownList(items);
  }
}

export function concatLists(left: CelList, right: CelList): CelList {
  const base: unknown = left;
  const grown = base instanceof GrownList ? base : new GrownList(Array.from(left));
  return grown.grow(right).asCel();
}
