/** Every rule of the contract, read from its descriptors, so that no list of rules has to be kept by hand. */
import { contractFiles } from "@baton/contract";
import { type DescField, type DescMessage, getOption, hasOption, type Message } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import * as vocabulary from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

/** One rule on one place of the contract. */
export interface ContractRule {
  /** The message, `message.field` or `message.oneof` that carries the rule. */
  readonly on: string;
  /** Such as `string.max_len`, `required`, or the id of a CEL rule. */
  readonly rule: string;
  /** What the rule compares with, where that is a number. */
  readonly bound?: number;
}

export const contractMessages: readonly DescMessage[] = contractFiles.flatMap(({ messages }) => messages);

export const contractRules: readonly ContractRule[] = contractMessages.flatMap((message) => [
  ...messageRules(message),
  ...oneofRules(message),
  ...message.fields.flatMap(fieldRules),
]);

export function rulesOf(field: DescField): readonly ContractRule[] {
  return contractRules.filter(({ on }) => on === placeOf(field));
}

/** How rules and reports name a field or a oneof. */
export function placeOf(member: { readonly parent: DescMessage; readonly name: string }): string {
  return `${member.parent.name}.${member.name}`;
}

function messageRules(message: DescMessage): ContractRule[] {
  if (!hasOption(message, vocabulary.message)) return [];
  return getOption(message, vocabulary.message).cel.map(({ id }) => ({ on: message.name, rule: id }));
}

function oneofRules(message: DescMessage): ContractRule[] {
  return message.oneofs
    .filter((oneof) => hasOption(oneof, vocabulary.oneof) && getOption(oneof, vocabulary.oneof).required)
    .map((oneof) => ({ on: placeOf(oneof), rule: "required" }));
}

function fieldRules(field: DescField): ContractRule[] {
  if (!hasOption(field, vocabulary.field)) return [];
  const on = placeOf(field);
  const { required, cel, type } = getOption(field, vocabulary.field);
  return [
    ...(required ? [{ on, rule: "required" }] : []),
    ...cel.map(({ id }) => ({ on, rule: id })),
    ...(type.case === undefined ? [] : typedRules(on, type.case, type.value)),
  ];
}

/** The rules for one type of value, such as `min_len` and `max_len` for a string. */
function typedRules(on: string, type: string, rules: Message): ContractRule[] {
  const schema = vocabulary.file_buf_validate_validate.messages.find(
    ({ typeName }) => typeName === rules.$typeName,
  );
  if (schema === undefined) throw new Error(`${on} has rules of an unknown kind: ${rules.$typeName}`);
  const reflected: ReflectMessage = reflect(schema, rules);
  return schema.fields
    .filter((field) => reflected.isSet(field))
    .map((field) => {
      const value: unknown = reflected.get(field);
      const bound = typeof value === "bigint" || typeof value === "number" ? { bound: Number(value) } : {};
      return { on, rule: `${type}.${field.name}`, ...bound };
    });
}
