import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkJsonSchema } from "./check-schema.ts";
import { combineSchemas } from "./combine-schemas.ts";
import { validateValue } from "./validate-value.ts";

const rules = (schema: object, value: unknown) =>
  validateValue(schema, value).map(({ path, rule }) => `${path} ${rule}`);

describe("a value against a JSON Schema", () => {
  it("[SAC-11] reports every violation with its path and rule", () => {
    const schema = {
      type: "object",
      required: ["title", "size"],
      properties: {
        title: { type: "string", minLength: 3, pattern: "^[a-z]+$" },
        size: { type: "integer", minimum: 1 },
        tags: { type: "array", items: { type: "string" }, uniqueItems: true, maxItems: 2 },
      },
      additionalProperties: false,
    };
    expect(rules(schema, { title: "A", tags: ["x", 1, "x"], more: 1 })).toEqual([
      ".size required",
      ".title minLength",
      ".title pattern",
      ".tags maxItems",
      ".tags[2] uniqueItems",
      ".tags[1] type",
      ".more additionalProperties",
    ]);
    expect(rules(schema, { title: "abc", size: 2 })).toEqual([]);
    expect(rules({ multipleOf: 0.1 }, 0.3)).toEqual([]);
    expect(rules({ multipleOf: 2 }, -650025413.35)).toEqual([" multipleOf"]);
  });

  const shape = {
    $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" }, size: { maximum: 3 } } } },
    $ref: "#/$defs/node",
  };
  const keyword = [
    [{ const: { a: [1] } }, { a: [1] }],
    [{ const: { a: [1] } }, { a: [2] }],
    [{ enum: ["a", null, { b: 1 }] }, { b: 1 }],
    [{ type: ["string", "null"] }, 1],
    [{ multipleOf: 2 }, 3],
    [{ exclusiveMinimum: 1, exclusiveMaximum: 3 }, 3],
    [{ prefixItems: [{ type: "string" }], items: false }, ["a", 1]],
    [{ contains: { minimum: 5 }, minContains: 2 }, [5, 6]],
    [{ contains: { minimum: 5 }, maxContains: 1 }, [5, 6]],
    [
      { patternProperties: { "^a": { type: "string" } }, additionalProperties: { type: "number" } },
      { ab: 1, b: 2 },
    ],
    [{ propertyNames: { maxLength: 2 } }, { abc: 1 }],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }],
    [{ dependentSchemas: { a: { required: ["b"] } } }, { a: 1, b: 1 }],
    [
      { minProperties: 1, maxProperties: 1 },
      { a: 1, b: 2 },
    ],
    [{ anyOf: [{ type: "string" }, { minimum: 2 }] }, 1],
    [{ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 3],
    [{ not: { type: "string" } }, "a"],
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    [{ if: { type: "string" }, then: { minLength: 2 }, else: { minimum: 2 } }, "a"],
    [
      { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
      { a: 1, b: 1 },
    ],
    [{ prefixItems: [{}], unevaluatedItems: false }, [1, 2]],
    [shape, { next: { next: { size: 4 } } }],
    [{ minLength: 2, maxLength: 2 }, "\u{1F680}a"],
    [
      { anyOf: [{ properties: { a: true } }, { required: ["c"] }], unevaluatedProperties: false },
      { a: 1, b: 1 },
    ],
    [{ unevaluatedProperties: { unevaluatedProperties: false } }, { a: { b: 1 } }],
    [{ not: { not: { type: "string" } } }, "a"],
    [{ properties: { a: false } }, { a: 1 }],
    [{ const: { a: 1, b: [2] } }, { b: [2], a: 1 }],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    [{ oneOf: [{ $ref: "#/$defs/a" }, { type: "null" }], $defs: { a: { type: "integer" } } }, null],
    [{ items: { if: { minimum: 3 }, else: { multipleOf: 2 } } }, [1, 2, 3]],
    [false, 1],
  ] as const;

  it.each(keyword)("[SAC-11] %j holds for %j as another validator says", (schema, value) => {
    expect(checkJsonSchema(schema)).toEqual([]);
    const other = new Ajv2020({ strict: false }).compile(schema as object);
    expect(validateValue(schema, value).length === 0).toBe(other(value));
  });

  it("[SAC-11] agrees with another validator on any value", () => {
    const ajv = new Ajv2020({ strict: false });
    // The other one does not take numbers above 1e21 for multiples of anything.
    const compared = keyword.filter(([schema]) => !JSON.stringify(schema).includes("multipleOf"));
    const compiled = compared.map(([schema]) => [schema, ajv.compile(schema as object)] as const);
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.nat(compiled.length - 1), (value, position) => {
        const [schema, other] = compiled[position] ?? [];
        expect(validateValue(schema, value).length === 0).toBe(other?.(value));
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  it("[SAC-11] counts what contains has found as evaluated, as 2020-12 says and the other validator does not", () => {
    const schema = { contains: { minimum: 5 }, unevaluatedItems: { type: "string" } };
    expect(rules(schema, [5, "a"])).toEqual([]);
    expect(rules(schema, [5, "a", 1])).toEqual(["[2] type"]);
  });

  it("[SAC-11] holds both schemas of stage and pack, whatever they refer to", () => {
    const stage = { $defs: { name: { minLength: 2 } }, properties: { name: { $ref: "#/$defs/name" } } };
    const pack = { $defs: { name: { pattern: "^x" } }, properties: { name: { $ref: "#/$defs/name" } } };
    const both = combineSchemas(stage, pack) ?? {};
    expect(checkJsonSchema(both)).toEqual([]);
    expect(rules(both, { name: "y" })).toEqual([".name minLength", ".name pattern"]);
    expect(combineSchemas(stage, undefined)).toBe(stage);
  });
});

describe("what a check may cost", () => {
  it("[SAC-11] is linear for patterns that backtrack elsewhere", () => {
    const schema = { items: { pattern: "^(a+)+$" } };
    expect(rules(schema, [`${"a".repeat(5_000)}!`])).toEqual(["[0] pattern"]);
  });

  it("[SAC-11] refuses patterns that no linear engine takes, and schemas that are too large or too deep", () => {
    const faults = (schema: object) => checkJsonSchema(schema).map(({ message }) => message);
    expect(faults({ pattern: "(a)\\1" })[0]).toContain("not a regular expression that RE2 takes");
    expect(faults({ pattern: "(?=a)" })[0]).toContain("RE2");
    expect(faults({ pattern: "a".repeat(600) })[0]).toContain("600 characters");
    expect(faults({ anyOf: Array.from({ length: 10_001 }, () => ({})) })).toEqual([
      "has more than 10000 parts",
    ]);
    const circle = { $defs: { a: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" };
    expect(rules(circle, 1)).toEqual([" limit"]);
    const doubling = { properties: { next: { allOf: [{ $ref: "#" }, { $ref: "#" }] } } };
    let deep: object = {};
    for (let level = 0; level < 60; level++) deep = { next: deep };
    expect(rules(doubling, deep)).toEqual([" limit"]);
  });

  it("[SAC-11] ends when a value takes too many steps, and reports no more than a hundred violations", () => {
    const many = Array.from({ length: 20_000 }, (_, index) => index);
    expect(rules({ items: { type: "string" } }, many)).toHaveLength(100);
    const branching = { items: { anyOf: Array.from({ length: 60 }, () => ({ type: "number" })) } };
    expect(rules(branching, many)).toEqual([" limit"]);
  });

  it("[SAC-11] is enough for the largest values of a message", () => {
    const record = {
      type: "object",
      required: ["id", "name"],
      properties: { id: { type: "integer", minimum: 0 }, name: { type: "string", maxLength: 20 } },
      additionalProperties: false,
    };
    const records = Array.from({ length: 8_000 }, (_, id) => ({ id, name: `name ${id}` }));
    expect(rules({ type: "array", items: record }, records)).toEqual([]);
    expect(rules({ pattern: "^[a-z]+$" }, "a".repeat(150_000))).toEqual([]);
  });

  it("[SAC-11] reports the value with its rule, and never a part of a text", () => {
    const values = ["secret".repeat(20), 7, "short", [1], { a: 1, b: 2 }, null];
    expect(validateValue({ items: { type: "boolean" } }, values).map(({ value }) => value)).toEqual([
      ...["a text of 120 characters", "7", '"short"', "a list of 1 item", "an object with 2 fields", "null"],
    ]);
  });
});
