import type { CelValue } from "@bufbuild/cel";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { MeteredList } from "./cel-list.ts";
import { type MapKey, MeteredMap } from "./cel-map.ts";
import { charge, chargeText } from "./meter.ts";

/**
 * An agent's answer as a CEL value, converted only where it is read. The library's own conversion copies every object,
 * fails on a key named `constructor`, and treats a null field as absent.
 */
export function celFromJson(value: JsonValue): CelValue {
  if (typeof value === "string") chargeText(value);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? new JsonList(value).asCel() : new JsonMap(value).asCel();
}

class JsonList extends MeteredList {
  readonly #items: readonly JsonValue[];

  constructor(items: readonly JsonValue[]) {
    super();
    this.#items = items;
  }

  get size(): number {
    return this.#items.length;
  }

  get(index: number): CelValue | undefined {
    charge(1);
    const item = this.#items[index];
    return item === undefined ? undefined : celFromJson(item);
  }
}

class JsonMap extends MeteredMap {
  readonly #object: JsonObject;

  constructor(object: JsonObject) {
    super();
    this.#object = object;
  }

  get(key: MapKey): CelValue | undefined {
    // A miss becomes an error object, which costs as much as twenty reads.
    const value = this.has(key) ? this.#object[key as string] : undefined;
    charge(value === undefined ? 20 : 1);
    return value === undefined ? undefined : celFromJson(value);
  }

  /** Only own members: names of the prototype are ordinary data. */
  has(key: MapKey): boolean {
    return typeof key === "string" && Object.hasOwn(this.#object, key);
  }

  protected names(): readonly string[] {
    return Object.keys(this.#object);
  }
}
