import {
  create,
  type DescField,
  type DescMessage,
  type JsonValue,
  type Message,
  type MessageShape,
  ScalarType,
} from "@bufbuild/protobuf";
import type { Choice, FieldRule, PolicyPosition, Single } from "./field-rules.ts";
import { jsonContentName, redactJsonText } from "./json-text.ts";
import { any, planSteps, struct } from "./plan-steps.ts";
import { maskField, redactString, type Walk } from "./redact-content.ts";
import { freeName, redactJson } from "./redact-value.ts";

type Members = Record<string, unknown>;

/**
 * Redacts a message: by the policy for the field, and by detectors for the content. Masked texts become markers; masked
 * fields of other types are left empty. Unknown fields are dropped, because their content cannot be checked. Bytes are
 * kept: in the contract they are digests and signatures. Returns the message itself when nothing is masked, otherwise a
 * copy.
 */
export function redactMessage<Desc extends DescMessage>(
  walk: Walk,
  schema: Desc,
  message: MessageShape<Desc>,
  position: PolicyPosition,
  depth = 0,
  inherited?: FieldRule,
): MessageShape<Desc> {
  walk.count(depth);
  if (schema.typeName === any) return create(schema);
  let copy = message.$unknown?.length ? copyKnown(schema, message) : undefined;
  const { lean, all } = position.steps.get(schema) ?? planSteps(walk.rules, position, schema);
  for (const step of inherited === undefined ? lean : all) {
    const single = step.group === undefined ? step : chosenOf(step, message as unknown as Members);
    if (single === undefined) continue;
    const { field, below } = single;
    const value = read(message as unknown as Members, field);
    if (value === undefined || value === "") continue;
    if (value === single.harmless && inherited === undefined) {
      walk.count(depth + 1, single.harmless.length);
      continue;
    }
    const redacted = redactField(walk, field, value, below, depth + 1, inherited);
    if (redacted === value) {
      if (isCacheable(value) && inherited === undefined && below.rule === undefined) single.harmless = value;
      continue;
    }
    copy ??= copyKnown(schema, message);
    write(copy as unknown as Members, field, redacted);
  }
  return copy ?? message;
}

/** Longer texts rarely repeat, and would occupy memory. */
const maxCachedLength = 128;

function isCacheable(value: unknown): value is string {
  return typeof value === "string" && value.length <= maxCachedLength;
}

function chosenOf({ group, arms }: Choice, message: Members): Single | undefined {
  const { case: name } = message[group] as { readonly case?: string };
  return name === undefined ? undefined : arms.get(name);
}

/** A shallow copy; changed values are replaced. */
function copyKnown<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): MessageShape<Desc> {
  const copy = create(schema);
  for (const field of schema.fields) {
    const value = read(message as unknown as Members, field);
    if (value !== undefined) write(copy as unknown as Members, field, value);
  }
  return copy;
}

function redactField(
  walk: Walk,
  field: DescField,
  value: unknown,
  position: PolicyPosition,
  depth: number,
  inherited: FieldRule | undefined,
): unknown {
  const rule = position.rule ?? inherited;
  const isMasked = rule?.type === "mask" && field.scalar !== ScalarType.STRING;
  if (isMasked) {
    maskField(walk);
    return undefined;
  }
  if (field.fieldKind === "list") return redactList(walk, field, value as unknown[], position, depth, rule);
  if (field.fieldKind !== "map") return redactItem(walk, field, value, position, depth, rule);
  const entries = new Map<string, unknown>();
  for (const [name, item] of Object.entries(value as Members)) {
    walk.count(depth, name.length);
    const freedName = freeName(redactString(walk, name, undefined), entries);
    entries.set(freedName, redactItem(walk, field, item, position, depth, rule));
  }
  return Object.fromEntries(entries);
}

/** Returns the list itself when nothing in it is masked. */
function redactList(
  walk: Walk,
  field: DescField,
  list: unknown[],
  position: PolicyPosition,
  depth: number,
  rule: FieldRule | undefined,
): unknown[] {
  let copy: unknown[] | undefined;
  for (let at = 0; at < list.length; at++) {
    const redacted = redactItem(walk, field, list[at], position, depth, rule);
    if (redacted === list[at]) continue;
    copy ??= [...list];
    copy[at] = redacted;
  }
  return copy ?? list;
}

function redactItem(
  walk: Walk,
  field: DescField,
  item: unknown,
  position: PolicyPosition,
  depth: number,
  rule: FieldRule | undefined,
): unknown {
  if (typeof item === "string") {
    walk.count(depth, item.length);
    return jsonContentName(field) === undefined
      ? redactString(walk, item, rule)
      : redactJsonText(walk, item, position, depth, rule);
  }
  if (field.message?.typeName === struct && isPlain(item)) {
    return redactJson(walk, item as JsonValue, position, depth, rule);
  }
  if (field.message && isMessage(item))
    return redactMessage(walk, field.message, item, position, depth, rule);
  walk.count(depth);
  return item;
}

/** Structured data is plain JSON in a message, without the name of a type. */
function isPlain(item: unknown): boolean {
  return typeof item === "object" && item !== null && !("$typeName" in item);
}

/** Wrappers such as StringValue are unwrapped in a message. */
function isMessage(item: unknown): item is Message {
  return typeof item === "object" && item !== null && "$typeName" in item;
}

function read(message: Members, { oneof, localName }: DescField): unknown {
  if (!oneof) return message[localName];
  const arm = message[oneof.localName] as { readonly case?: string; readonly value?: unknown };
  return arm.case === localName ? arm.value : undefined;
}

/** Undefined leaves the field as it is in a new message. */
function write(message: Members, field: DescField, value: unknown): void {
  const { oneof, localName } = field;
  if (value === undefined) clearField(message, field);
  else if (oneof) message[oneof.localName] = { case: localName, value };
  else message[localName] = value;
}

function clearField(message: Members, { oneof, localName, parent }: DescField): void {
  const empty = create(parent) as unknown as Members;
  const name = oneof?.localName ?? localName;
  message[name] = empty[name];
}
