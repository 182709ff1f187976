/** The valid vectors go to the ends of what protobuf can say, and a little beyond what the contract says now. */
import { decodeBinary } from "@baton/contract";
import type { DescField } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";
import { describe, expect, it } from "vitest";
import { type Visited, walk } from "./completeness/walk.ts";
import { invalidVectors, type Vector, validVectors } from "./vectors.ts";

const visit = (vectors: readonly Vector[]): Visited[] =>
  vectors.flatMap(({ schema, binary }) => walk(schema, decodeBinary(schema, binary)));

const visited = visit(validVectors);

interface Scalar {
  readonly field: DescField;
  readonly value: unknown;
}

const scalarsOf = (all: readonly Visited[]): Scalar[] =>
  all.flatMap(({ message }) =>
    message.fields
      .filter((field) => message.isSet(field))
      .map((field) => ({ field, value: message.get(field) })),
  );

const scalars = scalarsOf(visited);

/** Numbers that Timestamp or Duration holds, as `seconds.nanos`. */
const times = (type: string): string[] =>
  visited
    .filter(({ message }) => message.desc.typeName === `google.protobuf.${type}`)
    .map(({ message }) => message.fields.map((field) => message.get(field)).join(" "));

describe("the ends of protobuf are in a valid vector", () => {
  it("[CON-09] instants and durations at their limits", () => {
    expect(times("Timestamp")).toEqual(
      expect.arrayContaining(["-62135596800 0", "253402300799 999999999", "-1 500000000"]),
    );
    expect(times("Duration")).toEqual(
      expect.arrayContaining(["315576000000 0", "-315576000000 0", "-1 -500000000", "0 -1", "0 1"]),
    );
  });

  it("[CON-09] whole numbers at the ends of 32 and 64 bits", () => {
    const values = scalars.map(({ value }) => value);
    expect(values).toEqual(expect.arrayContaining([2n ** 63n - 1n, 2n ** 53n + 1n, 2 ** 31 - 1, -(2 ** 31)]));

    // Every number of 64 bits in the contract has a lower bound, so the smallest one is invalid wherever it stands.
    expect(scalarsOf(visit(invalidVectors)).map(({ value }) => value)).toContain(-(2n ** 63n));
  });

  it("[CON-09] doubles that are special", () => {
    const doubles = scalars.map(({ value }) => value).filter((value) => typeof value === "number");
    for (const special of [Number.NaN, Infinity, -Infinity, -0, Number.MAX_VALUE, Number.MIN_VALUE]) {
      expect(
        doubles.some((value) => Object.is(value, special)),
        `no double is ${special}`,
      ).toBe(true);
    }
  });

  it("[CON-09] text of every kind", () => {
    const texts = scalars.map(({ value }) => value).filter((value) => typeof value === "string");
    const kinds = {
      astral: /[\u{10000}-\u{10FFFF}]/u,
      combining: /\p{Mark}/u,
      "right to left": /[\p{Script=Hebrew}\p{Script=Arabic}]/u,
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the NUL character is what is looked for.
      nul: /\u0000/,
    };
    for (const [kind, pattern] of Object.entries(kinds)) {
      expect(
        texts.some((text) => pattern.test(text)),
        `no text is ${kind}`,
      ).toBe(true);
    }
  });

  it("[CON-09] structured data of every kind, nested", () => {
    const kinds = new Set(
      visited
        .filter(({ message }) => message.desc.typeName === "google.protobuf.Value")
        .flatMap(({ message }) => message.oneofs.map((oneof) => message.oneofCase(oneof)?.name)),
    );
    const all = ["null_value", "number_value", "string_value", "bool_value", "struct_value", "list_value"];
    expect([...kinds].sort()).toEqual([...all].sort());
  });

  it("[CON-11] a number that an enum does not define, where no rule forbids it", () => {
    const unknown = scalars.filter(({ field, value }) => field.enum && !(Number(value) in field.enum.value));
    expect(unknown.length).toBeGreaterThan(0);
  });

  it("[CON-11] unknown fields of every wire type, at the top and inside", () => {
    const wireTypes = (isAsked: (path: string) => boolean) =>
      new Set(
        visited.filter(({ path }) => isAsked(path)).flatMap(({ message }) => unknownWireTypes(message)),
      );

    expect([...wireTypes((path) => path === "")].sort()).toEqual([0, 1, 2, 3, 5]);
    expect([...wireTypes((path) => path !== "")].sort()).toEqual([0, 1, 2, 3, 5]);
    expect(validVectors.filter(({ hasUnknownFields }) => hasUnknownFields).length).toBeGreaterThanOrEqual(4);
  });

  it("[CON-09] what no JSON can say is refused by a rule of its own", () => {
    const rules = invalidVectors
      .filter(({ isBinaryOnly }) => isBinaryOnly)
      .flatMap(({ violations = [] }) => violations);
    expect(new Set(rules.map(({ rule }) => rule))).toEqual(
      new Set(["timestamp.range", "duration.range", "struct.number"]),
    );
  });
});

function unknownWireTypes(message: ReflectMessage): number[] {
  return (message.getUnknown() ?? []).map(({ wireType }) => wireType);
}
