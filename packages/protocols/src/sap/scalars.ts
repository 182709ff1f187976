/** The scalars of SAP (U §3), each with the rule that a violation names. */
import { z } from "zod";
import { sapLimits } from "./limits.ts";

/** RFC 4122, RFC 9562: versions 1 to 8 of the variant 10; neither the nil nor the max UUID identifies anything. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export const UuidSchema = text("uuid", "is not an RFC 4122 UUID", (value) => uuid.test(value), {
  format: "uuid",
  pattern: "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$",
});

const second = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** UTC to the second. A date that does not exist, an hour 24 and a second 60 are refused. */
export const TimestampSchema = text("timestamp", "is not a time as YYYY-MM-DDTHH:MM:SSZ", isTimestamp, {
  format: "date-time",
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$",
});

function isTimestamp(value: string): boolean {
  return readTimestamp(value) !== undefined;
}

/** In milliseconds; undefined for a text that is no timestamp of SAP. */
export function readTimestamp(value: unknown): number | undefined {
  if (typeof value !== "string" || !second.test(value)) return undefined;
  const ms = Date.parse(value);
  return !Number.isNaN(ms) && formatTimestamp(ms) === value ? ms : undefined;
}

/** Without the fraction of the second. */
export function formatTimestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, "Z");
}

/** Control characters, line ends and direction marks make a name look different. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** An id or a name: visible, on one line. */
export const NameSchema = text(
  "name",
  `is not a name: 1 to ${sapLimits.nameLength} visible characters, without surrounding blanks`,
  (value) =>
    value !== "" &&
    value.length <= sapLimits.nameLength &&
    value.trim() === value &&
    !unseen.test(value) &&
    value.isWellFormed(),
  { minLength: 1, maxLength: sapLimits.nameLength },
);

/** A sentence for people and agents. */
export const SentenceSchema = text(
  "text",
  `is not a text of 1 to ${sapLimits.textLength} characters`,
  (value) => value.trim() !== "" && value.length <= sapLimits.textLength && value.isWellFormed(),
  { minLength: 1, maxLength: sapLimits.textLength },
);

/** A URI, a path or another locator. */
export const LocatorSchema = text(
  "uri",
  `is not a URI or an id of 1 to ${sapLimits.uriLength} characters`,
  (value) =>
    value !== "" && value.length <= sapLimits.uriLength && !/[\s\p{Cc}]/u.test(value) && value.isWellFormed(),
  { minLength: 1, maxLength: sapLimits.uriLength },
);

export const DigestSchema = text(
  "digest",
  "is not a digest as sha256: and 64 hexadecimal digits",
  (value) => /^sha256:[0-9a-f]{64}$/i.test(value),
  { pattern: "^sha256:[0-9a-fA-F]{64}$" },
);

/** A web address or the name of a channel of a bus. */
export const EndpointSchema = text(
  "endpoint",
  "is neither a web address nor bus:inproc:NAME",
  (value) => value.length <= sapLimits.uriLength && (isWebAddress(value) || inprocName(value) !== undefined),
  { minLength: 1, maxLength: sapLimits.uriLength, pattern: "^(https?://|bus:inproc:)" },
);

/** The sender of the results reads it as a URL, and says what else is wrong with it. */
function isWebAddress(value: string): boolean {
  return /^https?:\/\/[^\s/?#\\@]+([/?#]\S*)?$/i.test(value);
}

/** The name in a reply route `bus:inproc:NAME`. */
export function inprocName(endpoint: string): string | undefined {
  return /^bus:inproc:([A-Za-z0-9._-]{1,128})$/.exec(endpoint)?.[1];
}

/** Values are never quoted: one may be a secret. */
function text(
  rule: string,
  message: string,
  isValid: (value: string) => boolean,
  published: { readonly [keyword: string]: string | number },
) {
  return z.string().refine(isValid, { error: message, params: { rule } }).meta(published);
}
