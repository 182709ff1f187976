import type { DescField, DescMessage, JsonValue, Message } from "@bufbuild/protobuf";
import type { Duration, Timestamp } from "@bufbuild/protobuf/wkt";
import { isRepresentableDuration, isRepresentableTime } from "../rules/representable.ts";
import type { Violation } from "./validate.ts";

/**
 * Times, durations and numbers that protobuf's binary form can hold and JSON cannot: the year 12000, minus one nanosecond,
 * NaN in structured data. They are refused, because writing the message as JSON would fail later.
 */
export function unrepresentable(schema: DescMessage, message: Message): readonly Violation[] {
  const found: Violation[] = [];
  visitMessage(schema, message, "", found);
  return found;
}

type Visit = (value: unknown, path: string, found: Violation[]) => void;

const leaves: Record<string, Visit> = {
  "google.protobuf.Timestamp": (value, path, found) => {
    if (isRepresentableTime(value as Timestamp)) return;
    found.push({ field: path, rule: "timestamp.range", message: "must lie in the years 1 to 9999" });
  },
  "google.protobuf.Duration": (value, path, found) => {
    if (isRepresentableDuration(value as Duration)) return;
    found.push({
      field: path,
      rule: "duration.range",
      message: "must lie within 10000 years, with one sign",
    });
  },
  "google.protobuf.Struct": (value, path, found) => visitJson(value as JsonValue, path, found),
};

function visitMessage(schema: DescMessage, message: Message, path: string, found: Violation[]): void {
  const members = message as unknown as Record<string, unknown>;
  for (const { name, localName, oneof, fieldKind, visit } of fieldsThatLeadToLeaves(schema)) {
    const value = oneof ? valueOfArm(members[oneof], localName) : members[localName];
    if (value === undefined) continue;
    const at = path ? `${path}.${name}` : name;
    if (fieldKind !== "list") visit(value, at, found);
    else for (const [index, item] of (value as unknown[]).entries()) visit(item, `${at}[${index}]`, found);
  }
}

function valueOfArm(group: unknown, localName: string): unknown {
  const { case: arm, value } = group as { case: string | undefined; value?: unknown };
  return arm === localName ? value : undefined;
}

function visitJson(json: JsonValue, path: string, found: Violation[]): void {
  if (typeof json === "number" && !Number.isFinite(json)) {
    found.push({ field: path, rule: "struct.number", message: "must be a finite number" });
  } else if (Array.isArray(json)) {
    for (const [index, item] of json.entries()) visitJson(item, `${path}[${index}]`, found);
  } else if (typeof json === "object" && json !== null) {
    for (const [key, item] of Object.entries(json))
      visitJson(item as JsonValue, `${path}[${JSON.stringify(key)}]`, found);
  }
}

interface Way {
  readonly name: string;
  readonly localName: string;
  readonly oneof: string | undefined;
  readonly fieldKind: DescField["fieldKind"];
  readonly visit: Visit;
}

const ways = new WeakMap<DescMessage, readonly Way[]>();

/** The types to check. The contract has no maps of messages, and only structured data is recursive. */
function fieldsThatLeadToLeaves(schema: DescMessage): readonly Way[] {
  let found = ways.get(schema);
  if (!found) {
    found = schema.fields.flatMap((field) => {
      const visit = field.message && visitorOf(field.message);
      if (!visit) return [];
      const { name, localName, fieldKind } = field;
      return [{ name, localName, oneof: field.oneof?.localName, fieldKind, visit }];
    });
    ways.set(schema, found);
  }
  return found;
}

function visitorOf(schema: DescMessage): Visit | undefined {
  const leaf = leaves[schema.typeName];
  if (leaf) return leaf;
  if (fieldsThatLeadToLeaves(schema).length === 0) return undefined;
  return (value, path, found) => visitMessage(schema, value as Message, path, found);
}
