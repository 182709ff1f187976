/** Values that fit into the binary form of protobuf and into no JSON: refused, since nobody could write them out. */
import type { JsonObject, UnknownField } from "@bufbuild/protobuf";
import type { Broken, Case } from "../case.ts";
import { minimalEntry } from "../messages/audit.ts";
import { minimalEnvelope } from "../messages/envelope.ts";
import { double, encodeFields, message, text, varint } from "./raw-field.ts";

function beyondJson(
  name: string,
  [type, base]: readonly [string, JsonObject],
  shows: string,
  added: UnknownField,
  violation: Broken,
): Case {
  return {
    name: `beyond-json-${name}`,
    type,
    shows,
    json: base,
    violations: [violation],
    wire: [base, encodeFields(added)],
    isBinaryOnly: true,
  };
}

const entry = ["AuditEntry", minimalEntry] as const;
const envelope = ["TaskEnvelope", minimalEnvelope] as const;

/** AuditEntry.timestamp */
const timestamp = (...parts: readonly UnknownField[]) => message(3, ...parts);
/** AuditEntry.snapshot.timeout.duration */
const duration = (...parts: readonly UnknownField[]) => message(15, message(17, message(1, ...parts)));
/** TaskEnvelope.inputs with one key, "n" */
const input = (value: UnknownField) => message(18, message(1, text(1, "n"), message(2, value)));

const seconds = (value: bigint) => varint(1, value);
const nanos = (value: bigint) => varint(2, value);
const number = (value: number) => double(2, value);

const badTimestamp: Broken = { field: "timestamp", rule: "timestamp.range" };
const badDuration: Broken = { field: "snapshot.timeout.duration", rule: "duration.range" };
const badNumber: Broken = { field: 'inputs["n"]', rule: "struct.number" };

export const beyondJsonCases: readonly Case[] = [
  beyondJson(
    "year-10000",
    entry,
    "One second after the last.",
    timestamp(seconds(253402300800n)),
    badTimestamp,
  ),
  beyondJson(
    "year-0",
    entry,
    "One second before the first.",
    timestamp(seconds(-62135596801n)),
    badTimestamp,
  ),
  beyondJson(
    "nanos-below",
    entry,
    "An instant counts its nanoseconds forward.",
    timestamp(nanos(-1n)),
    badTimestamp,
  ),
  beyondJson(
    "nanos-above",
    entry,
    "A thousand million nanoseconds are a second.",
    timestamp(nanos(10n ** 9n)),
    badTimestamp,
  ),
  beyondJson(
    "too-long",
    entry,
    "One second over the longest duration.",
    duration(seconds(315576000001n)),
    badDuration,
  ),
  beyondJson(
    "too-short",
    entry,
    "One second under the shortest duration.",
    duration(seconds(-315576000001n)),
    badDuration,
  ),
  beyondJson(
    "two-signs",
    entry,
    "A duration is ahead or behind, not both.",
    duration(seconds(1n), nanos(-1n)),
    badDuration,
  ),
  beyondJson("nan", envelope, "Structured data knows no NaN.", input(number(Number.NaN)), badNumber),
  beyondJson(
    "infinity",
    envelope,
    "Structured data knows no infinity.",
    input(number(Number.POSITIVE_INFINITY)),
    badNumber,
  ),
];
