/** Deeply frozen values: work done on one can be reused when it comes back. */

const known = new WeakSet<object>();

/** Freezes a value and all that it holds. It is the same value, which is known from then on. */
export function deepFreeze<Value extends object>(value: Value): Value {
  for (const held of Object.values(value)) if (typeof held === "object" && held !== null) deepFreeze(held);
  known.add(value);
  return Object.freeze(value);
}

export function isDeepFrozen(value: object): boolean {
  return Object.isFrozen(value) && known.has(value);
}
