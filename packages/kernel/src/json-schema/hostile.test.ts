import { describe, expect, it } from "vitest";
import { schemaLimits } from "./limits.ts";
import { measureCheck } from "./validate-value.ts";

const list = <Item>(length: number, item: (at: number) => Item): Item[] =>
  Array.from({ length }, (_, at) => item(at));
const record = (length: number, name: (at: number) => string, value: (at: number) => unknown = (at) => at) =>
  Object.fromEntries(list(length, (at) => [name(at), value(at)]));
const nested = (levels: number, leaf: unknown, wrap: (inner: unknown) => unknown): unknown =>
  list(levels, () => wrap).reduce((inner, one) => one(inner), leaf);
const numbers = list(25_000, (at) => at);
const names = record(20_000, (at) => `n${at}`);
const deep = nested(60, {}, (next) => ({ next }));
const twice = { properties: { next: { $ref: "#/$defs/a" } }, required: ["next"] };
const large = { a: list(200_000, (at) => at % 10) };

/** Schemas and values that a task and an agent can send, each made to cost as much as possible. */
const hostile: Readonly<Record<string, readonly [schema: object, value: unknown]>> = {
  "alternatives in alternatives": [
    nested(6, { type: "string" }, (one) => ({ anyOf: [one, one, one, one, one] })) as object,
    1,
  ],
  "alternatives that lead back, and double at each level": [
    { $defs: { a: { anyOf: [twice, twice] } }, $ref: "#/$defs/a" },
    deep,
  ],
  "conditions in conditions": [
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    nested(12, { type: "string" }, (one) => ({ if: one, then: one, else: one })) as object,
    1,
  ],
  "many alternatives for each item": [{ items: { oneOf: list(90, (at) => ({ const: -1 - at })) } }, numbers],
  "many values for each item": [
    { items: { enum: list(9_000, (k) => ({ k })) } },
    list(5_000, (at) => ({ k: -1 - at })),
  ],
  "items that must differ": [{ uniqueItems: true }, list(12_000, (a) => ({ a, b: [a] }))],
  "items that are searched": [{ contains: { anyOf: list(50, (at) => ({ const: -1 - at })) } }, numbers],
  "names that break rules of their own": [{ propertyNames: { pattern: "^x" } }, names],
  "a hundred rules about one large value": [
    { allOf: list(200, (at) => ({ required: [`x${at}`], maxProperties: 3 })) },
    names,
  ],
  "a large constant for each item": [{ items: { const: large } }, list(200, (a) => ({ a }))],
  "a large choice for each item": [{ items: { enum: [large] } }, list(200, (a) => ({ a }))],
  "patterns for each name": [
    {
      patternProperties: record(
        40,
        (at) => `^(a+)+${at}$`,
        () => ({ type: "string" }),
      ),
    },
    record(8_000, (at) => `${"a".repeat(20)}${at}`),
  ],
  "a pattern that backtracks elsewhere": [{ pattern: "(a|aa|aaa|[a-z]|.)*(b|bb)*$x" }, "a".repeat(1_000_000)],
  "a pattern without case": [{ pattern: "(?i)(k|s|[a-z]|\\pL)*$" }, `${"k".repeat(1_000_000)}!`],
  "what is left of a list": [
    { allOf: list(200, () => ({ contains: { type: "number" } })), unevaluatedItems: false },
    numbers,
  ],
  "what is left of an object": [
    { allOf: list(100, () => ({ patternProperties: { ".": true } })), unevaluatedProperties: false },
    names,
  ],
  "a circle": [
    { $defs: { a: { allOf: [{ $ref: "#/$defs/a" }, { $ref: "#/$defs/a" }] } }, $ref: "#/$defs/a" },
    1,
  ],
};

/** Counts what is read of schemas and values: each name that is looked up or listed. */
class Reads {
  count = 0;
  readonly #watched = new Map<object, object>();

  watch<Value>(value: Value): Value {
    if (typeof value !== "object" || value === null) return value;
    const known = this.#watched.get(value) ?? this.#proxy(value);
    this.#watched.set(value, known);
    return known as Value;
  }

  #proxy(value: object): object {
    return new Proxy(value, {
      get: (target, name) => {
        this.count++;
        return this.watch(Reflect.get(target, name));
      },
      ownKeys: (target) => {
        const keys = Reflect.ownKeys(target);
        this.count += keys.length;
        return keys;
      },
    });
  }
}

describe("a hostile schema with a hostile value", () => {
  it.each(Object.entries(hostile))(
    "[SAC-11] ends within the steps of a check: %s",
    (_name, [schema, value]) => {
      const { steps, violations } = measureCheck(schema, value);
      expect(violations.length).toBeGreaterThan(0);
      expect(violations.length).toBeLessThanOrEqual(schemaLimits.violations);
      expect(steps).toBeLessThan(schemaLimits.steps * 1.1);
      if (steps > schemaLimits.steps) expect(violations.map(({ rule }) => rule)).toEqual(["limit"]);
    },
  );

  it.each(Object.entries(hostile))(
    "[SAC-11] is read no more than its steps say: %s",
    (_name, [schema, value]) => {
      const reads = new Reads();
      const { steps } = measureCheck(reads.watch(schema), reads.watch(value));
      // Messages quote the schema: each part of it once.
      const quoting = new Reads();
      JSON.stringify(quoting.watch(schema));
      expect(reads.count).toBeLessThanOrEqual(steps + quoting.count);
    },
  );
});
