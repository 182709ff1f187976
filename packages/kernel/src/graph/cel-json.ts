import type { CelValue } from "@bufbuild/cel";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { MeteredList } from "./cel-list.ts";
import { type MapKey, MeteredMap } from "./cel-map.ts";
import { charge, chargeText } from "./meter.ts";

/**
 * What an agent answered, as CEL sees it, converted only where it is read. The library's own conversion copies every
 * object it meets, stumbles over a key named `constructor`, and calls a field that is null absent.
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
    // A miss becomes an error with a stack, which costs the library as much as twenty reads.
    const value = this.has(key) ? this.#object[key as string] : undefined;
    charge(value === undefined ? 20 : 1);
    return value === undefined ? undefined : celFromJson(value);
  }

  /** Names of the prototype are data like any other: only the object's own count. */
  has(key: MapKey): boolean {
    return typeof key === "string" && Object.hasOwn(this.#object, key);
  }

  protected names(): readonly string[] {
    return Object.keys(this.#object);
  }
}
