import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { RedactionFailure } from "./failure.ts";
import type { FieldRule, PolicyPosition } from "./field-rules.ts";
import { isSecretByName, maskField, redactString, type Walk } from "./redact-content.ts";

/** Numbers from this length on may be masked, as in a text. */
const minNumberLength = 8;

/**
 * Redacts structured data: by the policy for the field, and by detectors for names and values. A conditional rule holds
 * for everything below its field. Refuses anything but JSON: its text could leave later in another form.
 */
export function redactJson(
  walk: Walk,
  value: unknown,
  position: PolicyPosition,
  depth: number,
  inherited?: FieldRule,
): JsonValue {
  const rule = position.rule ?? inherited;
  if (rule?.type === "mask" && value !== null) return maskField(walk);
  switch (typeof value) {
    case "string":
      walk.count(depth, value.length);
      return redactString(walk, value, rule);
    case "number":
      walk.count(depth);
      return redactNumber(walk, value, rule);
    case "boolean":
      walk.count(depth);
      return value;
    case "object":
      walk.count(depth);
      if (value === null) return null;
      if (Array.isArray(value)) return value.map((item) => redactJson(walk, item, position, depth + 1, rule));
      return redactObject(walk, value, position, depth, rule);
    default:
      throw new RedactionFailure("BATON-REDACTION-103");
  }
}

function redactNumber(walk: Walk, value: number, rule: FieldRule | undefined): JsonValue {
  if (rule?.type === "mask-unless-scope") return maskField(walk);
  const text = String(value);
  if (text.length < minNumberLength) return value;
  const redacted = redactString(walk, text, rule);
  return redacted === text ? value : redacted;
}

function redactObject(
  walk: Walk,
  value: object,
  position: PolicyPosition,
  depth: number,
  rule: FieldRule | undefined,
): JsonObject {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new RedactionFailure("BATON-REDACTION-103");
  const members = new Map<string, JsonValue>();
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    walk.count(depth + 1, name.length);
    const below = walk.rules.enter(position, name);
    const isSecret = typeof member === "string" && isSecretByName(name, member);
    const redacted = isSecret ? maskField(walk) : redactJson(walk, member, below, depth + 1, rule);
    members.set(freeName(redactString(walk, name, undefined), members), redacted);
  }
  return Object.fromEntries(members);
}

/** Two names may get the same marker; keeps both members. */
export function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}#${count}`;
  return free;
}
