import {
  type DescEnum,
  type DescMessage,
  isFieldSet,
  isMessage,
  type MessageShape,
} from "@bufbuild/protobuf";
import { type Duration, DurationSchema } from "@bufbuild/protobuf/wkt";
import {
  BytesRulesSchema,
  DoubleRulesSchema,
  DurationRulesSchema,
  EnumRulesSchema,
  type FieldRules,
  Int32RulesSchema,
  Int64RulesSchema,
  RepeatedRulesSchema,
  StringRulesSchema,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

/** Whether a value is known to be valid. False may also mean undecided. */
export type Check = (value: unknown) => boolean;

/** For a rule that is not known here. */
export const undecided: Check = () => false;

/** Good when all are; undefined when there is nothing to check. */
export function allOf(checks: readonly Check[]): Check | undefined {
  const [first, second, ...more] = checks;
  if (!first || !second) return first;
  if (more.length === 0) return (value) => first(value) && second(value);
  return (value) => {
    for (const check of checks) if (!check(value)) return false;
    return true;
  };
}

/** What the rules of one field say about its value. Of an enum, its description is needed too. */
export function checkOfRules({ type }: FieldRules, described?: DescEnum): Check | undefined {
  switch (type.case) {
    case undefined:
      return undefined;
    case "string":
      return prepare(StringRulesSchema, type.value, strings);
    case "bytes":
      return prepare(BytesRulesSchema, type.value, byteStrings);
    case "int32":
      return prepare(Int32RulesSchema, type.value, numbers);
    case "int64":
      return prepare(Int64RulesSchema, type.value, numbers);
    case "double":
      return prepare(DoubleRulesSchema, type.value, numbers);
    case "enum":
      return described ? prepare(EnumRulesSchema, type.value, enums(described)) : undecided;
    case "repeated":
      return prepare(RepeatedRulesSchema, type.value, lists);
    case "duration":
      return prepare(DurationRulesSchema, type.value, durations);
    default:
      return undecided;
  }
}

/** Rules by their names in protovalidate's vocabulary. */
type Table<Rules> = Readonly<Record<string, (rules: Rules) => Check>>;

function prepare<Desc extends DescMessage>(
  schema: Desc,
  rules: MessageShape<Desc>,
  table: Table<MessageShape<Desc>>,
): Check | undefined {
  if (rules.$unknown) return undecided;
  const stated = schema.fields.filter((field) => isFieldSet(rules, field));
  return allOf(stated.map(({ name }) => table[name]?.(rules) ?? undecided));
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const strings: Table<MessageShape<typeof StringRulesSchema>> = {
  min_len: ({ minLen }) => {
    const least = Number(minLen);
    return (value) => typeof value === "string" && hasAtLeast(value, least);
  },
  max_len: ({ maxLen }) => {
    const most = Number(maxLen);
    return (value) => typeof value === "string" && (value.length <= most || !hasAtLeast(value, most + 1));
  },
  uuid: ({ wellKnown }) =>
    wellKnown.value === true ? (value) => typeof value === "string" && uuid.test(value) : undecided,
};

/** Counts code points, and only where the length does not decide: a code point has at most two units. */
function hasAtLeast(text: string, characters: number): boolean {
  if (text.length < characters) return false;
  if (text.length >= 2 * characters - 1) return true;
  let count = 0;
  for (const _ of text) count++;
  return count >= characters;
}

const byteStrings: Table<MessageShape<typeof BytesRulesSchema>> = {
  len: ({ len }) => {
    const length = Number(len);
    return (value) => value instanceof Uint8Array && value.length === length;
  },
};

interface NumberRules {
  readonly lessThan: { readonly case: string | undefined; readonly value?: number | bigint | undefined };
  readonly greaterThan: { readonly case: string | undefined; readonly value?: number | bigint | undefined };
}

const numbers: Table<NumberRules> = {
  lte: ({ lessThan: { value: most } }) =>
    most === undefined ? undecided : (value) => isNumber(value) && value <= most,
  gte: ({ greaterThan: { value: least } }) =>
    least === undefined ? undecided : (value) => isNumber(value) && value >= least,
};

function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function enums({ values }: DescEnum): Table<MessageShape<typeof EnumRulesSchema>> {
  const defined = new Set<unknown>(values.map(({ number }) => number));
  return {
    defined_only: ({ definedOnly }) => (definedOnly ? (value) => defined.has(value) : undecided),
    not_in: ({ notIn }) => {
      const excluded = new Set<unknown>(notIn);
      return (value) => typeof value === "number" && !excluded.has(value);
    },
  };
}

const lists: Table<MessageShape<typeof RepeatedRulesSchema>> = {
  min_items: ({ minItems }) => {
    const least = Number(minItems);
    return (value) => Array.isArray(value) && value.length >= least;
  },
  max_items: ({ maxItems }) => {
    const most = Number(maxItems);
    return (value) => Array.isArray(value) && value.length <= most;
  },
};

const durations: Table<MessageShape<typeof DurationRulesSchema>> = {
  gt: ({ greaterThan: { value: bound } }) =>
    isDuration(bound) ? (value) => isDuration(value) && isBefore(bound, value) : undecided,
  gte: ({ greaterThan: { value: bound } }) =>
    isDuration(bound) ? (value) => isDuration(value) && !isBefore(value, bound) : undecided,
};

function isDuration(value: unknown): value is Duration {
  return isMessage(value, DurationSchema);
}

/** Whether the first of two times or durations is less. Both are representable, so nanoseconds decide. */
export function isBefore(
  one: { readonly seconds: bigint; readonly nanos: number },
  other: { readonly seconds: bigint; readonly nanos: number },
): boolean {
  return one.seconds === other.seconds ? one.nanos < other.nanos : one.seconds < other.seconds;
}
