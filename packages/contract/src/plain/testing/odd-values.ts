import fc from "fast-check";

/** Every place of a message that has a value, itself excepted. */
export function placesIn(target: unknown): { set(value: unknown): void; readonly value: unknown }[] {
  if (typeof target !== "object" || target === null || target instanceof Uint8Array) return [];
  return Object.entries(target).flatMap(([key, value]) => [
    { value, set: (other: unknown) => Object.assign(target, { [key]: other }) },
    ...placesIn(value),
  ]);
}

/** What has no business in most places of a message. */
export const anyOddValue = fc.constantFrom<unknown>(
  ...[null, undefined, "", "text", "é", "\ud800", 1.5, 2 ** 31, 2 ** 31 - 1, -1, -0, 0, Number.NaN],
  ...[2n ** 53n, 2n ** 53n - 1n, 2n ** 63n, -1n, 0n, true, false, [], {}, [null], [{}], [1, -1]],
  ...[new Uint8Array(0), new Uint8Array(3), { case: "items" }, { case: undefined }, { $typeName: "x" }],
  ...[() => 1, { __proto__: { inherited: true } }, { ["__proto__"]: 1 }, { a: undefined }, [undefined]],
);
