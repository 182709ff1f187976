/** What one JSON value has and another lacks, so that both together are the first one. */
type Json = unknown;
type Members = { readonly [name: string]: Json };

/** `part` has no member that `full` lacks. Undefined when they are equal. */
export function remainder(full: Json, part: Json): Json {
  if (!isObject(full) || !isObject(part)) return isEqual(full, part) ? undefined : full;
  const rest: [string, Json][] = [];
  for (const [name, value] of Object.entries(full)) {
    const left = Object.hasOwn(part, name) ? remainder(value, part[name]) : value;
    if (left !== undefined) rest.push([name, left]);
  }
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** The value again: `part` with its remainder. */
export function withRemainder(part: Json, rest: Json): Json {
  if (rest === undefined) return part;
  if (!isObject(part) || !isObject(rest)) return rest;
  // `fromEntries` defines members, also one with the name `__proto__`.
  const merged = new Map(Object.entries(part));
  for (const [name, value] of Object.entries(rest))
    merged.set(name, Object.hasOwn(part, name) ? withRemainder(part[name], value) : value);
  return Object.fromEntries(merged);
}

function isEqual(one: Json, other: Json): boolean {
  if (Object.is(one, other) || (one === 0 && other === 0)) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, index) => isEqual(value, other[index]));
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]))
  );
}

function isObject(value: Json): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
