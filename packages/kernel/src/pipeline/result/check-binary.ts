import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** Binary content in the data of an answer (SACP §11). */
export const binaryLimits = {
  /** Bytes of content within `data`; larger content is uploaded. */
  inlineBytes: 262_144,
  /** Faults that are reported. */
  faults: 100,
} as const;

/**
 * Finds binary content that no later agent could read: `{"$base64": …, "media_type": …}` up to 256 KiB, and
 * `{"$ref": "baton:upload/…", "digest": …, "media_type": …, "size": …}` for uploads. One line each, as for a schema.
 */
export function findBinaryFaults(data: JsonObject): readonly string[] {
  const faults: string[] = [];
  const open: [path: string, value: JsonValue][] = [["response.data", data]];
  for (let next = open.pop(); next && faults.length < binaryLimits.faults; next = open.pop()) {
    const [path, value] = next;
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value)) {
      const fault = faultOf(value);
      if (fault !== undefined) faults.push(`${path}: binary: ${fault}`);
    }
    for (const [name, member] of Object.entries(value).reverse())
      if (typeof member === "object" && member !== null)
        open.push([Array.isArray(value) ? `${path}[${name}]` : `${path}.${name.slice(0, 100)}`, member]);
  }
  return faults;
}

function faultOf({
  $base64: base64,
  $ref: ref,
  media_type: type,
  digest,
  size,
}: JsonObject): string | undefined {
  const isUpload = typeof ref === "string" && ref.startsWith("baton:upload/");
  if (base64 === undefined && !isUpload) return undefined;
  if (typeof type !== "string" || !/^[\w!#$&^.+-]{1,63}\/[\w!#$&^.+-]{1,63}(?:;.{0,63})?$/.test(type))
    return "must have a media_type, such as image/png";
  if (isUpload) {
    const isWhole = /^baton:upload\/[0-9a-f]{64}$/.test(ref) && /^sha256:[0-9a-f]{64}$/.test(String(digest));
    return isWhole && Number.isSafeInteger(size) ? undefined : "must be a reference as the hub returned it";
  }
  if (typeof base64 !== "string" || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64))
    return "must be base64, with padding";
  const bytes = (base64.length / 4) * 3;
  if (bytes > binaryLimits.inlineBytes + 2)
    return `has ${bytes} bytes, which are more than ${binaryLimits.inlineBytes}; upload it and send the reference`;
  return undefined;
}
