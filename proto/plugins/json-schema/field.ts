import type { DescField, JsonObject } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { commentOf } from "../comments.ts";
import { limitsInWords } from "../rule-words.ts";
import { type FieldRules, type Limits, rulesOfField } from "../rules.ts";
import { annotate } from "./annotate.ts";
import { enumReference } from "./enum.ts";
import { isWrittenAsText, scalarSchema } from "./scalar.ts";
import { durationPattern } from "./well-known.ts";

export function fieldSchema(field: DescField): JsonObject {
  const rules = rulesOfField(field);
  refuseRequiredZero(field, rules);
  // No keyword compares numbers that are written as text, so their limits are said in words as well.
  const inWords = isComparedAsText(field) ? limitsInWords(field, rules.limits) : [];
  return { ...annotate(commentOf(field), inWords, rules.cel), ...typeSchema(field, rules.limits) };
}

function typeSchema(field: DescField, limits: Limits): JsonObject {
  switch (field.fieldKind) {
    case "list":
      return {
        type: "array",
        items: valueSchema(field, {}),
        ...(limits.minItems !== undefined && { minItems: limits.minItems }),
        ...(limits.maxItems !== undefined && { maxItems: limits.maxItems }),
      };
    case "map":
      return { type: "object", additionalProperties: valueSchema(field, {}) };
    default:
      return valueSchema(field, limits);
  }
}

/** The field's value; of a list or a map, one of its values. */
function valueSchema(field: DescField, limits: Limits): JsonObject {
  if (field.enum !== undefined) return enumReference(field.enum, limits);
  if (field.message !== undefined)
    return { $ref: `#/$defs/${field.message.typeName}`, ...durationPattern(limits) };
  return scalarSchema(field.scalar, limits);
}

function isComparedAsText({ scalar, message }: DescField): boolean {
  return (
    message?.typeName === "google.protobuf.Duration" || (scalar !== undefined && isWrittenAsText(scalar))
  );
}

/** The schema would have to refuse the zero value too; the other rules say that better. */
function refuseRequiredZero(field: DescField, { required }: FieldRules): void {
  if (required && field.presence === FeatureSet_FieldPresence.IMPLICIT) {
    throw new Error(
      `${field.toString()} is required but absent means zero: use min_len, min_items, gte or not_in`,
    );
  }
}
