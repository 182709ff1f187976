import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type Duration, durationFromMs, type Timestamp, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { InvalidArgumentError } from "commander";
import { CliError } from "../errors/cli-error.ts";
import { limits } from "../limits.ts";

/** Readers of what is typed after an option. What they refuse is told with the option's name. */

const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export interface Deadline {
  readonly at: Timestamp;
  /** Counted from now: the same words mean another instant tomorrow. */
  readonly fromNow: Duration | undefined;
}

/** `90s`, `30m`, `2h`, `1d` from now, or an instant such as `2027-01-31T12:00:00Z`. */
export function readDeadline(text: string): Deadline {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (amount !== undefined && isUnit(unit)) {
    const ms = Number(amount) * units[unit];
    if (ms === 0) throw pastDeadline(text);
    return { at: timestampFromMs(Date.now() + ms), fromNow: durationFromMs(ms) };
  }
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const ms = isInstant ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms)) {
    throw new InvalidArgumentError("Give a time from now such as 2h, or an instant: 2027-01-31T12:00:00Z.");
  }
  if (ms <= Date.now()) throw pastDeadline(text);
  return { at: timestampFromMs(ms), fromNow: undefined };
}

function pastDeadline(text: string): CliError {
  return new CliError("BATON-CLI-001", `the deadline ${text} is past`, {
    at: "--deadline",
    fix: "give a time that lies ahead: 2h from now, or a later instant with its time zone",
  });
}

function isUnit(unit: string | undefined): unit is keyof typeof units {
  return unit !== undefined && Object.hasOwn(units, unit);
}

/** `name=text`, or `name:=json` for anything that is no text. */
export function readInput(text: string, before: JsonObject = {}): JsonObject {
  const [, name, sign, value] = /^([^=:]+)(:?=)(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('Give it as name=text, or as name:=json such as count:=3 or tags:=["a"].');
  }
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`The input "${name}" is given twice.`);
  return { ...before, [name]: sign === "=" ? value : readJson(name, value) };
}

function readJson(name: string, text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError(`The input "${name}" is not JSON; for a text write ${name}=text.`);
  }
}

export function readCount(text: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(number)) throw new InvalidArgumentError("Give a whole number from 0 to 999999999.");
  return number;
}

/** A revision of a pipeline, from one. */
export function readRevision(text: string): bigint {
  if (/^[1-9]\d{0,14}$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError("Give the number of a revision; baton pipeline transitions lists them.");
}

export function readRows(text: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= limits.listRows) return number;
  throw new InvalidArgumentError(`Give a whole number from 1 to ${limits.listRows}.`);
}

/** Dollars with up to six decimals, as millionths. */
export function readDollars(text: string): bigint {
  const [, whole, decimals = ""] = /^\$?(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === undefined) throw new InvalidArgumentError("Give an amount such as 2.50.");
  return BigInt(whole + decimals.padEnd(6, "0"));
}

export function gather(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
