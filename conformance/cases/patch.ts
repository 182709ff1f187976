import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** Takes a field away. */
export const absent = Symbol("absent");

export type PatchValue = JsonValue | typeof absent;

type Container = JsonObject | JsonValue[];

/**
 * A copy of protobuf JSON in which the named fields have other values. Paths are those of violations, such as
 * `refs[0].uri_or_locator`, so that one path says what is changed and what is wrong with it.
 */
export function patch(base: JsonObject, changes: Readonly<Record<string, PatchValue>>): JsonObject {
  const copy = structuredClone(base);
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split(/[.[\]]+/).filter((key) => key !== "");
    const last = keys.pop();
    if (last === undefined) throw new Error("a patch needs a path");
    assign(keys.reduce(enter, copy), last, value);
  }
  return copy;
}

function enter(container: Container, key: string): Container {
  const inner = read(container, key) ?? {};
  if (typeof inner !== "object") throw new Error(`"${key}" is not a message or a list`);
  assign(container, key, inner);
  return inner;
}

function read(container: Container, key: string): JsonValue | undefined {
  return Array.isArray(container) ? container[Number(key)] : container[jsonName(key)];
}

function assign(container: Container, key: string, value: PatchValue): void {
  if (Array.isArray(container)) {
    if (value === absent) container.splice(Number(key), 1);
    else container[Number(key)] = value;
  } else if (value === absent) delete container[jsonName(key)];
  else container[jsonName(key)] = value;
}

/** The name that protobuf JSON gives to a field. */
function jsonName(field: string): string {
  return field.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}
