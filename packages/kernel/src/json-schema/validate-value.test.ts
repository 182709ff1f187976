import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkJsonSchema, combineSchemas } from "./check-schema.ts";
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
    const compared = keyword.filter(([schema]) => !(typeof schema === "object" && "multipleOf" in schema));
    const compiled = compared.map(([schema]) => [schema, ajv.compile(schema as object)] as const);
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.nat(compiled.length - 1), (value, position) => {
        const [schema, other] = compiled[position] ?? [];
        expect(validateValue(schema, value).length === 0).toBe(other?.(value));
      }),
      { numRuns: 500, seed: 7 },
    );
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
  });

  it("[SAC-11] ends when a value takes too many steps, and reports no more than a hundred violations", () => {
    const many = Array.from({ length: 20_000 }, (_, index) => index);
    expect(rules({ items: { type: "string" } }, many)).toHaveLength(100);
    const branching = { items: { oneOf: Array.from({ length: 60 }, () => ({ type: "string" })) } };
    expect(rules(branching, many)).toEqual([" limit"]);
  });
});
