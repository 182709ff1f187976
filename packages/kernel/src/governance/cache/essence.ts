import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** Limits of essence rules. */
export const essenceLimits = {
  /** Pointers of one capability. */
  pointers: 100,
  /** Characters of a pointer. */
  characters: 200,
} as const;

/** Why a text is no JSON pointer (RFC 6901) to a part of a payload; undefined when it is one. */
export function pointerFault(pointer: string): string | undefined {
  if (pointer.length > essenceLimits.characters)
    return `it has ${pointer.length} characters, and ${essenceLimits.characters} are allowed`;
  if (!pointer.startsWith("/")) return "a JSON pointer to a part of the payload begins with /";
  return /~(?![01])/.test(pointer) ? 'a "~" is written as ~0, and a "/" in a name as ~1' : undefined;
}

/**
 * The part of a payload that matters (SAP V2 §6). A pointer that leads nowhere changes nothing. An item of a list becomes null, so
 * that the places of the others stay.
 */
export function essenceOf(payload: JsonObject, pointers: readonly string[]): JsonObject {
  return pointers.reduce((rest, pointer) => without(rest, tokensOf(pointer)) as JsonObject, payload);
}

function tokensOf(pointer: string): readonly string[] {
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function without(value: JsonValue, [token, ...rest]: readonly string[]): JsonValue {
  if (token === undefined || value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) {
    const place = /^(0|[1-9]\d*)$/.test(token) ? Number(token) : value.length;
    if (place >= value.length) return value;
    return value.with(place, rest.length === 0 ? null : without(value[place] as JsonValue, rest));
  }
  if (!Object.hasOwn(value, token)) return value;
  const { [token]: part, ...others } = value;
  return rest.length === 0 ? others : { ...others, [token]: without(part as JsonValue, rest) };
}
