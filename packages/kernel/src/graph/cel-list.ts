import type { CelList, CelValue } from "@bufbuild/cel";
import { charge, chargeItem } from "./meter.ts";

/** How the library knows its lists; cel-json.test.ts notices when a new version knows them otherwise. */
const mark: unique symbol = Symbol.for("@bufbuild/cel/list");

/** A list that counts what is read of it. */
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
 * A list to which `+` appends. Macros build their result one element at a time; all those lists share one array, of
 * which each sees its first elements, so that `map` over a thousand elements copies nothing.
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

  /** Only the longest list may append in place: the others would overwrite what it sees. */
  grow(more: CelList): GrownList {
    const isLongest = this.#shared.length === this.size;
    const items = isLongest ? this.#shared : this.#shared.slice(0, this.size);
    charge(more.size + (isLongest ? 0 : this.size));
    // Taken whole first: a list may be appended to itself.
    for (const item of Array.from(more)) items.push(item);
    return new GrownList(items);
  }
}

export function concatLists(left: CelList, right: CelList): CelList {
  const base: unknown = left;
  const grown = base instanceof GrownList ? base : new GrownList(Array.from(left));
  return grown.grow(right).asCel();
}
