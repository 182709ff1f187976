import type { DescMessage, DescOneof, JsonObject } from "@bufbuild/protobuf";
import { commentOf } from "../comments.ts";
import { celRulesOfMessage, isRequiredOneof } from "../rules.ts";
import { fieldsThatMustNotBeAbsent } from "./absence.ts";
import { annotate } from "./annotate.ts";
import { fieldSchema } from "./field.ts";

export function messageSchema(message: DescMessage): JsonObject {
  const required = fieldsThatMustNotBeAbsent(message).map((field) => field.jsonName);
  return {
    title: message.name,
    ...annotate(commentOf(message), [], celRulesOfMessage(message)),
    type: "object",
    ...(message.fields.length > 0 && {
      properties: Object.fromEntries(message.fields.map((field) => [field.jsonName, fieldSchema(field)])),
    }),
    ...(required.length > 0 && { required }),
    ...(message.oneofs.length > 0 && { allOf: message.oneofs.map(oneofSchema) }),
  };
}

/** Exactly one arm when the oneof is required, else at most one: none at all is then one more alternative. */
function oneofSchema(oneof: DescOneof): JsonObject {
  // Strict validators want a property to be declared where it is required.
  const arms = oneof.fields.map((arm) => ({
    properties: { [arm.jsonName]: true },
    required: [arm.jsonName],
  }));
  const isRequired = isRequiredOneof(oneof);
  const amount = isRequired ? "exactly one" : "at most one";
  return {
    $comment: `oneof ${oneof.name}`,
    ...annotate(commentOf(oneof), [`${amount} of ${oneof.fields.map((arm) => arm.jsonName).join(", ")}`], []),
    oneOf: isRequired ? arms : [...arms, { not: { anyOf: arms } }],
  };
}
