/** Deeply frozen values, of which derived results can be cached. */

const known = new WeakSet<object>();

/** Freezes a value and its content in place, and remembers it. */
export function deepFreeze<Value extends object>(value: Value): Value {
  for (const held of Object.values(value)) if (typeof held === "object" && held !== null) deepFreeze(held);
  known.add(value);
  return Object.freeze(value);
}

export function isDeepFrozen(value: object): boolean {
  return Object.isFrozen(value) && known.has(value);
}
