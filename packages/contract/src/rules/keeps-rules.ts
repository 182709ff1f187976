import {
  type DescField,
  type DescMessage,
  type DescOneof,
  getOption,
  isMessage,
  type Message,
} from "@bufbuild/protobuf";
import { DurationSchema, FeatureSet_FieldPresence, TimestampSchema } from "@bufbuild/protobuf/wkt";
import {
  type FieldRules,
  field as fieldRules,
  Ignore,
  message as messageRules,
  oneof as oneofRules,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { checkOfExpression } from "./cel-checks.ts";
import { isRepresentableData, isRepresentableDuration, isRepresentableTime } from "./representable.ts";
import { allOf, type Check, checkOfRules, undecided } from "./rule-checks.ts";

/**
 * Whether a message is known to keep every rule of the contract. The rules come from the descriptors and are prepared
 * once for each type of message; only the fields that have one, or lead to one, are looked at.
 *
 * I1. True only when protovalidate would find nothing, and no value is one that JSON does not have.
 * I2. False means undecided: a rule may be broken, or unknown here. protovalidate decides, and has the messages.
 */
export function keepsRules(schema: DescMessage, message: Message): boolean {
  return message.$typeName === schema.typeName && (checkOfMessage(schema)?.(message) ?? true);
}

/** Messages whose values JSON may not have. They have no rules of their own. */
const leaves: Readonly<Record<string, Check>> = {
  "google.protobuf.Timestamp": (value) => isMessage(value, TimestampSchema) && isRepresentableTime(value),
  "google.protobuf.Duration": (value) => isMessage(value, DurationSchema) && isRepresentableDuration(value),
  "google.protobuf.Struct": isRepresentableData,
};

/** Undefined stands for a type without any rule. */
const prepared = new Map<DescMessage, Check | undefined>();

function checkOfMessage(schema: DescMessage): Check | undefined {
  if (prepared.has(schema)) return prepared.get(schema);
  prepared.set(schema, (value) => prepared.get(schema)?.(value) ?? true); // For one that contains itself.
  const check = leaves[schema.typeName] ?? prepareMessage(schema);
  prepared.set(schema, check);
  return check;
}

function prepareMessage(schema: DescMessage): Check | undefined {
  const { cel, celExpression, oneof } = getOption(schema, messageRules);
  const members = allMembers([
    ...schema.fields.flatMap((field) => checkOfField(field) ?? []),
    ...schema.oneofs.filter((group) => getOption(group, oneofRules).required).map(hasArm),
  ]);
  return allOf([
    ...(members ? [members] : []),
    ...cel.map(({ expression }) => checkOfExpression(expression)),
    ...(celExpression.length + oneof.length > 0 ? [undecided] : []),
  ]);
}

type Members = Readonly<Record<string, unknown>>;
type MemberCheck = (members: Members) => boolean;

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null;
}

function allMembers(checks: readonly MemberCheck[]): Check | undefined {
  if (checks.length === 0) return undefined;
  return (value) => {
    if (!isMembers(value)) return false;
    for (const check of checks) if (!check(value)) return false;
    return true;
  };
}

function hasArm({ localName }: DescOneof): MemberCheck {
  return (members) => {
    const group = members[localName];
    return isMembers(group) && group.case !== undefined;
  };
}

function checkOfField(field: DescField): MemberCheck | undefined {
  const rules = getOption(field, fieldRules);
  const isOdd = rules.ignore !== Ignore.UNSPECIFIED || rules.cel.length + rules.celExpression.length > 0;
  const check = isOdd ? undecided : checkOfValue(field, rules);
  if (!check && !rules.required) return undefined;
  return whereItIs(field, check ?? (() => true), rules.required);
}

/** Finds the value, if there is one. */
function whereItIs({ localName, oneof, presence }: DescField, check: Check, required: boolean): MemberCheck {
  if (oneof) {
    return (members) => {
      const group = members[oneof.localName];
      if (!isMembers(group)) return false;
      return group.case === localName ? check(group.value) : !required;
    };
  }
  if (presence === FeatureSet_FieldPresence.IMPLICIT) {
    return required ? () => false : (members) => check(members[localName]);
  }
  if (!required) {
    return (members) => {
      const value = members[localName];
      return value === undefined || check(value);
    };
  }
  return (members) => {
    const value = members[localName];
    return value !== undefined && Object.hasOwn(members, localName) && check(value);
  };
}

function checkOfValue(field: DescField, rules: FieldRules): Check | undefined {
  const stated = checkOfRules(rules, field.enum);
  const content = field.message && checkOfMessage(field.message);
  if (field.fieldKind === "map") return stated || content ? undecided : undefined;
  const each = field.fieldKind === "list" && content ? checkOfItems(content) : content;
  // Field values are checked before rules of the message, so that a rule meets only values that it can compute with.
  return allOf([each, stated].filter((check) => check !== undefined));
}

function checkOfItems(check: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return false;
    for (const item of value) if (!check(item)) return false;
    return true;
  };
}
