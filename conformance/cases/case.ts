/** How golden vectors are described: a base message in protobuf JSON, and small patches to it. */
import type { JsonObject, UnknownField } from "@bufbuild/protobuf";
import { type PatchValue, patch } from "./patch.ts";

/** One golden vector before it is written. */
export interface Case {
  /** Names its files. */
  readonly name: string;
  /** The message type, within the package of the contract. */
  readonly type: string;
  /** What a reader learns from it, in a sentence. */
  readonly shows: string;
  readonly json: JsonObject;
  /** What `validate` must say, in its order; nothing for a valid message. */
  readonly violations: readonly Broken[];
  /** The moment at which the message is checked; without it the clock does not matter. */
  readonly nowMs?: number;
  /** Fields of a newer contract, by the path of the message that holds them. They exist in binary only. */
  readonly unknownFields?: Readonly<Record<string, readonly UnknownField[]>>;
  /** Messages and bytes that make up the binary form when they are concatenated, instead of the encoded JSON. */
  readonly wire?: readonly (JsonObject | Uint8Array)[];
  /** The unknown fields are in `wire`. */
  readonly hasUnknownFields?: true;
  /** No encoder would write `wire` like that. */
  readonly isCanonical?: false;
  /** Says what `wire` says, which no JSON can: there is no second form. */
  readonly isBinaryOnly?: true;
  /** Where an implementation is known to lose something, and why. */
  readonly losses?: readonly Loss[];
}

/** One rule that a vector breaks, as `validate` names it. */
export interface Broken {
  readonly field: string;
  readonly rule: string;
}

export interface Loss {
  readonly language: "typescript" | "python";
  /** The form that cannot be written without the loss. */
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

/** A field, the value that breaks its rule, the rule, and what that means. */
type Breakage = readonly [
  field: string,
  value: PatchValue,
  rule: string,
  shows: string,
  also?: BreakageDetails,
];

interface BreakageDetails {
  /** The path of the violation, where it is not the patched field: a oneof, or a message with a rule of its own. */
  readonly at?: string;
  /** Ends the name, where a rule is broken in more than one way. */
  readonly suffix?: string;
  readonly nowMs?: number;
}

/** Invalid vectors that each break one rule of a message that is valid otherwise. */
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

/** Names of fields with the rule that each breaks when its message is empty, in the order of `validate`. */
export type Missing = Readonly<Record<string, string>>;

/** Invalid vectors that show that a sub-message which is there, but empty, is not a message that is absent. */
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
