import { type AgentManifest, AgentManifestSchema, encodeBinary } from "@baton/contract";

/**
 * The bytes by which two manifests are compared (DIS-01). Protobuf writes the keys of structured data in the order
 * they were set, and that order means nothing; so they are sorted first.
 */
export function canonicalBytes(manifest: AgentManifest): Uint8Array {
  const { dataSchema } = manifest;
  if (dataSchema === undefined) return encodeBinary(AgentManifestSchema, manifest);
  return encodeBinary(AgentManifestSchema, { ...manifest, dataSchema: sortKeys(dataSchema) });
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function sortKeys<Json>(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys) as Json;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)])) as Json;
}
