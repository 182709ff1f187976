import type { CelMap, CelValue } from "@bufbuild/cel";
import { charge, chargeItem } from "./meter.ts";

/** How the library recognises its maps; cel-json.test.ts fails if a new version changes that. */
const mark: unique symbol = Symbol.for("@bufbuild/cel/map");

export type MapKey = Parameters<CelMap["get"]>[0];

/** A map with string keys that charges the meter for reads. */
export abstract class MeteredMap {
  readonly [mark] = true;
  abstract get(key: MapKey): CelValue | undefined;
  abstract has(key: MapKey): boolean;
  protected abstract names(): readonly string[];

  get size(): number {
    return this.#countedNames().length;
  }

  #countedNames(): readonly string[] {
    const names = this.names();
    charge(names.length >> 4);
    return names;
  }

  *keys(): Generator<string> {
    for (const name of this.#countedNames()) {
      chargeItem();
      yield name;
    }
  }

  *values(): Generator<CelValue> {
    for (const name of this.keys()) yield this.get(name) as CelValue;
  }

  *entries(): Generator<[string, CelValue]> {
    for (const name of this.keys()) yield [name, this.get(name) as CelValue];
  }

  forEach(callback: (value: CelValue, key: string, map: CelMap) => void): void {
    for (const [name, value] of this.entries()) callback(value, name, this.asCel());
  }

  [Symbol.iterator](): Generator<[string, CelValue]> {
    return this.entries();
  }

  asCel(): CelMap {
    return this as unknown as CelMap;
  }
}
