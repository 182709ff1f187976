import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { InvalidArgumentError } from "commander";
import { limits } from "../limits.ts";

/** Parsers of option values. The error of the parser library adds the option's name. */

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

/** A count in which zero would mean "no limit". */
export function readPositiveCount(text: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number > 0) return number;
  throw new InvalidArgumentError("Give a whole number from 1 to 999999999, or leave it out for no limit.");
}

/** Up to the contract's limit. */
export function readRetries(text: string): number {
  const number = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(number)) throw new InvalidArgumentError("Give a whole number from 0 to 99.");
  return number;
}

/** A revision of a run, from one. */
export function readRevision(text: string): bigint {
  if (/^[1-9]\d{0,14}$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError("Give the number of a revision; baton runs transitions lists them.");
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

/** `name=value`, once for each name. */
export function readLabel(text: string, before: Readonly<Record<string, string>> = {}) {
  const [, name, value] = /^([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)=(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError(
      "Give it as name=value, with a name of letters, digits, dots, hyphens and underscores.",
    );
  }
  if (Object.hasOwn(before, name)) throw new InvalidArgumentError(`The label "${name}" is given twice.`);
  return { ...before, [name]: value };
}

export function gather(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
