import type { DescEnum, JsonObject } from "@bufbuild/protobuf";
import { commentOf } from "../comments.ts";
import type { Limits } from "../rules.ts";

export function enumSchema(type: DescEnum): JsonObject {
  const values = type.values.map((value) => `- ${value.name}: ${commentOf(value)}`);
  return {
    title: type.name,
    description: [commentOf(type), values.join("\n")].filter((part) => part !== "").join("\n\n"),
    type: "string",
    enum: type.values.map((value) => value.name),
  };
}

/**
 * JSON names the values. An enum that takes undefined values too must take numbers, because a value that only a
 * newer version defines has no name here.
 */
export function enumReference(type: DescEnum, { definedOnly, notIn = [] }: Limits): JsonObject {
  const refusedNames = notIn.flatMap((number) => type.value[number]?.name ?? []);
  const byName = { $ref: `#/$defs/${type.typeName}`, ...exclude(refusedNames) };
  if (definedOnly === true) return byName;
  const byNumber = { type: "integer", minimum: -(2 ** 31), maximum: 2 ** 31 - 1, ...exclude([...notIn]) };
  return { anyOf: [byName, byNumber] };
}

function exclude(values: (string | number)[]): JsonObject {
  return values.length > 0 ? { not: { enum: values } } : {};
}
