import { create, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";

const validator = createValidator();

/**
 * The fields that JSON must name. In protobuf an absent text is the empty text and an absent number is zero, so a
 * rule like `min_len: 1` is broken by leaving the field out, unless the field distinguishes absent from zero. Rather
 * than knowing that of every rule, this validates a message in which everything is absent.
 */
export function fieldsThatMustNotBeAbsent(message: DescMessage): readonly DescField[] {
  const result = validator.validate(message, create(message));
  if (result.kind === "error") throw result.error;
  const broken = new Set(result.violations?.map(({ field: [member] }) => member));
  return message.fields.filter((field) => broken.has(field));
}
