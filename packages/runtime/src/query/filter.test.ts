import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HubError } from "../ports/hub-error.ts";
import { type FieldTable, filterLimits, parseFilter } from "./filter.ts";

const table: FieldTable<"id" | "count" | "at" | "open" | "status"> = {
  id: { field: "id", holds: "text" },
  count: { field: "count", holds: "number" },
  created_at: { field: "at", holds: "time" },
  open: { field: "open", holds: "boolean" },
  "health.status": { field: "status", holds: { prefix: "HEALTH_", names: ["GOOD", "BAD"] } },
};

const parse = (filter: string) => parseFilter(filter, table);

describe("a filter", () => {
  it("is comparisons that all have to hold", () => {
    expect(parse("")).toEqual([]);
    expect(parse("  \n ")).toEqual([]);
    expect(parse('id = "a b" AND count>=3\n AND open != true')).toEqual([
      { field: "id", operator: "=", value: "a b" },
      { field: "count", operator: ">=", value: 3 },
      { field: "open", operator: "!=", value: true },
    ]);
    expect(parse('id = "AND"')).toEqual([{ field: "id", operator: "=", value: "AND" }]);
  });

  it("searches in texts", () => {
    expect(parse('id ~ "a b"')).toEqual([{ field: "id", operator: "~", value: "a b" }]);
  });

  it("takes names of the contract with and without their prefix", () => {
    for (const name of ["HEALTH_GOOD", "GOOD", '"GOOD"'])
      expect(parse(`health.status = ${name}`)).toEqual([{ field: "status", operator: "=", value: "GOOD" }]);
  });

  it("takes instants with any offset", () => {
    const atMs = Date.UTC(2026, 0, 31, 12);
    for (const text of ["2026-01-31T12:00:00Z", '"2026-01-31T12:00:00.000Z"', "2026-01-31T13:00:00+01:00"])
      expect(parse(`created_at < ${text}`)).toEqual([{ field: "at", operator: "<", value: atMs }]);
  });

  it("reads any text back that was quoted as it says", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const quoted = text.replace(/["\\]/g, "\\$&");
        expect(parse(`id = "${quoted}"`)).toEqual([{ field: "id", operator: "=", value: text }]);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["name = 1", 'expected a field at character 1, not "name"'],
    ["id = a  OR id = b", 'expected AND at character 9, not "OR"'],
    ['id = a "AND" id = b', 'expected AND at character 8, not "AND"'],
    ["id = a AND", "expected a field at the end"],
    ["id", "expected =, !=, <, <=, >, >= or ~ at the end"],
    ["id  a", 'expected =, !=, <, <=, >, >= or ~ at character 5, not "a"'],
    ["count ~ 3", "count is not a text, which ~ at character 7 requires"],
    ["id =", "expected a value at the end"],
    ["id = = a", 'expected a value at character 6, not "="'],
    ["= a", 'expected a field at character 1, not "="'],
    ["id =  'a'", "cannot be read from character 7 on"],
    ['id = "a', "cannot be read from character 6 on"],
    ['id = "\\n"', "cannot be read from character 6 on"],
    ["count = few", 'count is a whole number, which "few" at character 9 is not'],
    ["count = 1.5", 'count is a whole number, which "1.5" at character 9 is not'],
    ["count = 1e400", "count is a whole number"],
    ['count = ""', "count is a whole number"],
    ["open = yes", 'open is true or false, which "yes" at character 8 is not'],
    [
      "created_at > 5",
      'created_at is an instant such as "2026-01-31T12:00:00Z", which "5" at character 14 is not',
    ],
    ["created_at > 2026-13-45T12:00:00Z", "created_at is an instant"],
    ["health.status = FINE", 'health.status is one of GOOD, BAD, which "FINE" at character 17 is not'],
    ["__proto__ = 1", "expected a field at character 1"],
    ["constructor = 1", "expected a field at character 1"],
  ])("%s: says what is wrong, and where", (filter, message) => {
    const refused = refusal(() => parse(filter));
    expect(refused).toMatchObject({ kind: "invalid", code: "BATON-QUERY-001" });
    expect(refused.message).toContain(message);
    expect(refused.violations.map(({ field }) => field)).toEqual(["filter"]);
  });

  it("names the fields there are", () => {
    const { message } = refusal(() => parse("name = 1"));
    for (const field of Object.keys(table)) expect(message).toContain(field);
  });

  it("has at most so many comparisons", () => {
    const many = (count: number) => Array.from({ length: count }, () => "count = 1").join(" AND ");
    expect(parse(many(filterLimits.comparisons))).toHaveLength(filterLimits.comparisons);
    expect(refusal(() => parse(many(filterLimits.comparisons + 1))).message).toContain("more than 16");
  });

  it("is refused or read, whatever it is", () => {
    const piece = fc.oneof(
      fc.constantFrom("id", "count", "=", "!=", "<", "AND", '"', "\\", " ", "1", "open", "true", "__proto__"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        try {
          for (const { field } of parse(pieces.join(" ")))
            expect(Object.values(table).map((spec) => spec.field)).toContain(field);
        } catch (error) {
          expect(error).toBeInstanceOf(HubError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

function refusal(call: () => unknown): HubError {
  try {
    call();
  } catch (error) {
    if (error instanceof HubError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}
