/** Golden vectors are a base message in protobuf JSON and small patches of it. */
import type { JsonObject, UnknownField } from "@bufbuild/protobuf";
import { type PatchValue, patch } from "./patch.ts";

/** A golden vector. */
export interface Case {
  /** The name of its files. */
  readonly name: string;
  /** The message type, without its package. */
  readonly type: string;
  /** What it shows, in a sentence. */
  readonly shows: string;
  readonly json: JsonObject;
  /** The expected violations, in the order of `validate`; none for a valid message. */
  readonly violations: readonly Broken[];
  /** The time of validation. Omitted where the clock does not matter. */
  readonly nowMs?: number;
  /** Fields of a newer contract, by the path of their message. They exist only in binary. */
  readonly unknownFields?: Readonly<Record<string, readonly UnknownField[]>>;
  /** Messages and bytes whose concatenation is the binary form, instead of the encoded JSON. */
  readonly wire?: readonly (JsonObject | Uint8Array)[];
  /** `wire` contains the unknown fields. */
  readonly hasUnknownFields?: true;
  /** Valid for a decoder, but no encoder writes `wire` like this. */
  readonly isCanonical?: false;
  /** JSON cannot express `wire`, so there is only the binary form. */
  readonly isBinaryOnly?: true;
  /** Known losses of implementations, with the reason. */
  readonly losses?: readonly Loss[];
}

/** An expected violation, as `validate` reports it. */
export interface Broken {
  readonly field: string;
  readonly rule: string;
}

export interface Loss {
  readonly language: "typescript" | "python";
  /** The form that loses data. */
  readonly form: "binary" | "json";
  readonly reason: string;
}

type Extras = Omit<Case, "name" | "type" | "shows" | "json" | "violations">;

export function valid(
  name: string,
  type: string,
  shows: string,
  json: JsonObject,
  extras: Extras = {},
): Case {
  return { name, type, shows, json, violations: [], ...extras };
}

/** A field, an invalid value, the violated rule, and a description. */
type Breakage = readonly [
  field: string,
  value: PatchValue,
  rule: string,
  shows: string,
  also?: BreakageDetails,
];

interface BreakageDetails {
  /** The path of the violation, if it differs from the patched field: a oneof, or a message with its own rule. */
  readonly at?: string;
  /** Suffix of the name, for several violations of one rule. */
  readonly suffix?: string;
  readonly nowMs?: number;
}

/** Invalid vectors, each with one violation in an otherwise valid message. */
export function breaks(type: string, base: JsonObject, breakages: readonly Breakage[]): readonly Case[] {
  return breakages.map(([field, value, rule, shows, { at = field, suffix, nowMs } = {}]) => ({
    name: kebab(type, at, rule.slice(rule.indexOf(".") + 1), suffix ?? ""),
    type,
    shows,
    json: patch(base, { [field]: value }),
    violations: [{ field: at, rule }],
    ...(nowMs === undefined ? {} : { nowMs }),
  }));
}

/** Fields and the rule that each violates in an empty message, in the order of `validate`. */
export type Missing = Readonly<Record<string, string>>;

/** Invalid vectors with a present but empty sub-message, which differs from an absent one. */
export function hollow(
  type: string,
  base: JsonObject,
  rows: readonly (readonly [field: string, missing: Missing])[],
): readonly Case[] {
  return rows.map(([field, missing]) => ({
    name: kebab(type, field, "hollow"),
    type,
    shows: `${field} is there but empty, which is not the same as absent: what it must hold is missing.`,
    json: patch(base, { [field]: {} }),
    violations: Object.entries(missing).map(([name, rule]) => ({ field: `${field}.${name}`, rule })),
  }));
}

/** Such as `task-envelope-refs-0-uri-or-locator-min-len` for TaskEnvelope, `refs[0].uri_or_locator` and `min_len`. */
function kebab(...parts: readonly string[]): string {
  return parts
    .map((part) => part.replace(/([a-z0-9])([A-Z])/g, "$1-$2").toLowerCase())
    .flatMap((part) => part.split(/[^a-z0-9]+/))
    .filter((word) => word !== "")
    .join("-");
}
