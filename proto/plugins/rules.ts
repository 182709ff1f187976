/**
 * The validation rules of the contract, read once for both plugins.
 *
 * A rule that is not listed here stops the generation: a schema or a page that leaves a rule out in silence would
 * promise more than the contract keeps.
 */
import {
  type DescField,
  type DescMessage,
  type DescOneof,
  getOption,
  type Message,
  toJson,
} from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { type Duration, DurationSchema } from "@bufbuild/protobuf/wkt";
import {
  FieldRulesSchema,
  field as fieldOption,
  MessageRulesSchema,
  message as messageOption,
  OneofRulesSchema,
  oneof as oneofOption,
  type Rule,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

/** What a value must be within. Absent is no limit. */
export interface Limits {
  /** Of text, in Unicode code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly isUuid?: boolean;
  readonly byteLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Of numbers. */
  readonly moreThan?: number | bigint;
  readonly atLeast?: number | bigint;
  readonly lessThan?: number | bigint;
  readonly atMost?: number | bigint;
  /** Of durations, in protobuf's JSON form, such as `1.5s`. */
  readonly longerThan?: string;
  readonly noShorterThan?: string;
  /** Of enums: only values that the contract defines. */
  readonly definedOnly?: boolean;
  /** Of enums: numbers that are refused. */
  readonly notIn?: readonly number[];
}

/** A rule in CEL: `this` is the value, the expression is true when the value is good. */
export interface CelRule {
  readonly id: string;
  readonly message: string;
  readonly expression: string;
}

export interface FieldRules {
  /** Must be there; where absent and zero are the same, must not be zero. */
  readonly required: boolean;
  readonly limits: Limits;
  readonly cel: readonly CelRule[];
}

/** Which limit each rule of proto/buf/validate/validate.proto sets. */
const limitOfRule: Readonly<Record<string, keyof Limits>> = {
  "string.min_len": "minLength",
  "string.max_len": "maxLength",
  "string.uuid": "isUuid",
  "bytes.len": "byteLength",
  "repeated.min_items": "minItems",
  "repeated.max_items": "maxItems",
  "enum.defined_only": "definedOnly",
  "enum.not_in": "notIn",
  "duration.gt": "longerThan",
  "duration.gte": "noShorterThan",
  ...numericLimits("double"),
  ...numericLimits("int32"),
  ...numericLimits("int64"),
};

function numericLimits(type: string): Record<string, keyof Limits> {
  return {
    [`${type}.gt`]: "moreThan",
    [`${type}.gte`]: "atLeast",
    [`${type}.lt`]: "lessThan",
    [`${type}.lte`]: "atMost",
  };
}

export function rulesOfField(field: DescField): FieldRules {
  const option = getOption(field, fieldOption);
  const rules = reflect(FieldRulesSchema, option);
  const kind = FieldRulesSchema.oneofs
    .map((oneof) => rules.oneofCase(oneof))
    .find((arm) => arm !== undefined);
  refuseOthers(field, rules, ["cel", "required", ...(kind === undefined ? [] : [kind.name])]);
  return {
    required: option.required,
    limits: kind === undefined ? {} : readLimits(field, kind.name, rules.get(kind) as ReflectMessage),
    cel: option.cel.map(toCelRule),
  };
}

export function celRulesOfMessage(message: DescMessage): readonly CelRule[] {
  const option = getOption(message, messageOption);
  refuseOthers(message, reflect(MessageRulesSchema, option), ["cel"]);
  return option.cel.map(toCelRule);
}

/** Whether one arm must be set; otherwise all may be absent. */
export function isRequiredOneof(oneof: DescOneof): boolean {
  const option = getOption(oneof, oneofOption);
  refuseOthers(oneof, reflect(OneofRulesSchema, option), ["required"]);
  return option.required;
}

function readLimits(field: DescField, kind: string, rules: ReflectMessage): Limits {
  // A rule that is switched off (`defined_only: false`) limits nothing.
  const inForce = rules.fields.filter((rule) => rules.isSet(rule) && rules.get(rule) !== false);
  return Object.fromEntries(
    inForce.map((rule) => {
      const name = `${kind}.${rule.name}`;
      const limit = limitOfRule[name];
      if (limit === undefined) throw unknownRule(field, name);
      return [limit, plainValue(rules.get(rule), kind)];
    }),
  );
}

/** Lengths are 64 bits wide in the vocabulary; only the bounds of int64 need all of them. */
function plainValue(value: unknown, kind: string): unknown {
  if (typeof value === "bigint") return kind === "int64" ? value : Number(value);
  if (kind === "duration") return toJson(DurationSchema, messageIn<Duration>(value));
  if (typeof value === "object" && value !== null && Symbol.iterator in value)
    return [...(value as number[])];
  return value;
}

function messageIn<T extends Message>(reflected: unknown): T {
  return (reflected as ReflectMessage).message as T;
}

function toCelRule({ id, message, expression }: Rule): CelRule {
  return { id, message, expression };
}

function refuseOthers(
  element: DescField | DescMessage | DescOneof,
  rules: ReflectMessage,
  known: string[],
): void {
  const other = rules.fields.find((rule) => rules.isSet(rule) && !known.includes(rule.name));
  if (other !== undefined) throw unknownRule(element, other.name);
}

function unknownRule(element: DescField | DescMessage | DescOneof, rule: string): Error {
  return new Error(
    `${element.toString()} has the rule "${rule}", which proto/plugins/rules.ts does not know`,
  );
}
