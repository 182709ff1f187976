import { describe, expect, it } from "vitest";
import { checkJsonSchema, enforced } from "./check-schema.ts";
import { schemaLimits } from "./limits.ts";
import { appliedKeywords } from "./rules.ts";

const faults = (schema: unknown) => checkJsonSchema(schema).map(({ path, message }) => `${path} ${message}`);
const repeat = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));

describe("a JSON Schema that comes with a task", () => {
  it("[SAC-11] is applied with every keyword that it may hold", () => {
    expect([...appliedKeywords].toSorted()).toEqual(Object.keys(enforced).toSorted());
  });

  it("[SAC-11] is refused for a keyword that nothing enforces, with what to write", () => {
    expect(faults({ properties: { a: { minLenght: 3 } } })).toEqual([
      ".properties.a.minLenght is not a keyword that is enforced here; leave it out, or begin it with x-",
    ]);
    for (const [keyword, fix] of [
      ["dependencies", "dependentRequired"],
      ["additionalItems", "prefixItems"],
      ["nullable", '"null"'],
      ["$dynamicRef", "$ref"],
      ["$anchor", "#/$defs/name"],
      ["contentSchema", "x-"],
      ["toString", "x-"],
    ] as const)
      expect(faults({ [keyword]: true })).toEqual([expect.stringContaining(fix)]);
    expect(faults({ format: "colour" })[0]).toContain('.format "colour" is not checked here');
    expect(faults({ properties: { a: { $id: "x" } } })[0]).toContain(".properties.a.$id");
  });

  it("[SAC-11] may describe what it wants", () => {
    const described = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "https://example.org/answer",
      ...{ title: "A", description: "b", default: 1, examples: [1], deprecated: false, $comment: "c" },
      ...{
        readOnly: true,
        writeOnly: false,
        contentMediaType: "text/plain",
        contentEncoding: "base64",
        "x-a": 1,
      },
    };
    expect(faults(described)).toEqual([]);
    expect(faults({ properties: { nullable: { type: "string" }, dependencies: true } })).toEqual([]);
  });

  it("[SAC-11] refers to schemas within itself only", () => {
    expect(faults({ $ref: "https://example.org/other" })[0]).toContain(
      "must refer to a part of the same schema",
    );
    expect(faults({ $ref: "#/$defs/none" })).toEqual([".$ref leads to no schema: #/$defs/none"]);
    const notSchemas = { enum: [{ type: "string" }], properties: { a: {} } };
    expect(faults({ ...notSchemas, items: { $ref: "#/enum/0" } })[0]).toContain("leads to no schema");
    expect(faults({ ...notSchemas, items: { $ref: "#/properties" } })[0]).toContain("leads to no schema");
    expect(faults({ $defs: { "a b/c": {} }, $ref: "#/$defs/a%20b~1c" })).toEqual([]);
  });

  it("[SAC-11] is refused when its references double at every level", () => {
    const doubling = (pair: (one: object) => object) => ({
      ...{
        $defs: {
          ...Object.fromEntries(repeat(30, (at) => [`a${at}`, pair({ $ref: `#/$defs/a${at + 1}` })])),
          a30: {},
        },
      },
      $ref: "#/$defs/a0",
    });
    const why =
      " refers to its parts so often that it has more than 100000 schemas when they are written out";
    expect(faults(doubling((one) => ({ allOf: [one, one] })))).toEqual([why]);
    expect(faults(doubling((one) => ({ properties: { a: one, b: one } })))).toEqual([why]);
    const chain = repeat(3_000, (at) => [`a${at}`, { items: { $ref: `#/$defs/a${at + 1}` } }]);
    expect(faults({ $defs: { ...Object.fromEntries(chain), a3000: {} }, $ref: "#/$defs/a0" })).toEqual([why]);
  });

  it("[SAC-11] is refused when it applies itself to the same value, and may be recursive within it", () => {
    expect(faults({ $ref: "#" })[0]).toContain("applies itself");
    expect(
      faults({ $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } } })[0],
    ).toContain("applies itself");
    const tree = { $defs: { node: { properties: { children: { items: { $ref: "#/$defs/node" } } } } } };
    expect(faults({ ...tree, $ref: "#/$defs/node" })).toEqual([]);
  });

  it("[SAC-11] has bounds for its parts, texts, levels and patterns, and for the faults that are reported", () => {
    expect(faults({ anyOf: repeat(10_001, () => ({})) })).toEqual([" has more than 10000 parts"]);
    expect(faults({ description: "x".repeat(300_000) })).toEqual([" has more than 262144 characters"]);
    let deep: object = {};
    for (let level = 0; level < 70; level++) deep = { items: deep };
    expect(faults(deep)[0]).toContain("is nested deeper than 64");
    expect(faults({ allOf: repeat(20, () => ({ pattern: "a{900}" })) }).at(-1)).toContain(
      "too large together",
    );
    expect(faults({ allOf: repeat(500, () => ({ type: "x" })) })).toHaveLength(schemaLimits.faults);
  });
});
