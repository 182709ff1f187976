import type { JsonObject } from "@bufbuild/protobuf";
import type { Repair } from "./lenient/repairs.ts";
import type { SacpResponse, StatusName } from "./response.ts";

/**
 * How an answer was read: as it stands; in a fence; from among prose; with repairs, or decoded, or taken out of something
 * around it; or not at all, and the response is the fallback of SACP §7.2.
 */
export type HowRead = "clean" | "fenced" | "extracted" | "repaired" | "fallback";

/** Something in which a response differs from what was written. */
export interface Liberty {
  readonly kind: LibertyKind;
  /** Of a value: `.data.items[3]`. */
  readonly path?: string;
  /** How often, when more than once. */
  readonly times?: number;
}

export type LibertyKind =
  | Exclude<Repair, "truncated">
  | "missing end"
  | "double-encoded"
  | "HTML entities"
  | "wrapped"
  | "field name"
  | "status spelling"
  | "field left out"
  | "field cut off"
  | "unknown field"
  | "written as text"
  | "coerced"
  | "lone surrogate"
  | "several answers"
  | "chosen by schema"
  | "text cut";

/** What is wrong with an answer. Of a fallback: why it could not be read. */
export interface ResponseProblem {
  /** Such as `.data.items[3].name`; empty for the whole. */
  readonly path: string;
  /** The keyword of JSON Schema, or a rule of the reader. */
  readonly rule: string;
  readonly message: string;
}

export interface ResponseReading {
  readonly response: SacpResponse;
  readonly how: HowRead;
  readonly liberties: readonly Liberty[];
  /** Why it is the fallback, or what of the data breaks its schema. */
  readonly problems?: readonly ResponseProblem[];
}

export interface ReadOptions {
  /** The statuses that may be answered here. By default those of SACP §2.1. */
  readonly allow?: readonly StatusName[];
  /** JSON Schema of `data`. It chooses among answers with the same status, and allows lossless coercion. */
  readonly dataSchema?: JsonObject;
  /** Reports what of `data` breaks the schema, with paths inside of `data`. Called for `success` and `completed`. */
  readonly validate?: (data: JsonObject) => readonly ResponseProblem[];
}

/** Model text, in UTF-16 units. */
export const longestResponse = 8 * 1024 * 1024;
