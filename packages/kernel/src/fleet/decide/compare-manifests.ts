import {
  type AgentManifest,
  AgentManifestSchema,
  encodeBinary,
  InterfaceContractSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";

export function isSameManifest(a: AgentManifest, b: AgentManifest): boolean {
  const [left, right] = [canonicalBytes(a), canonicalBytes(b)];
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

/**
 * The bytes by which two manifests are compared (DIS-01). Protobuf writes the keys of structured data in the order
 * they were set, and that order means nothing; so they are sorted first.
 */
export function canonicalBytes(manifest: AgentManifest): Uint8Array {
  const { dataSchema } = manifest;
  if (dataSchema === undefined) return encodeBinary(AgentManifestSchema, manifest);
  return encodeBinary(AgentManifestSchema, { ...manifest, dataSchema: sortKeys(dataSchema) });
}

function sortKeys<Json>(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys) as Json;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)])) as Json;
}

/** The fields in which two manifests differ, by their names in a file, such as `interface.max_task_duration`. */
export function differingFields(a: AgentManifest, b: AgentManifest): readonly string[] {
  return AgentManifestSchema.fields.flatMap(({ name, localName }) => {
    if (isSameManifest(withOnly(a, localName), withOnly(b, localName))) return [];
    if (name !== "interface") return [name];
    const parts = InterfaceContractSchema.fields.filter(
      (part) => !isSameManifest(withPart(a, part.localName), withPart(b, part.localName)),
    );
    return parts.length === 0 ? [name] : parts.map((part) => `interface.${part.name}`);
  });
}

function withOnly(manifest: AgentManifest, localName: string): AgentManifest {
  return create(AgentManifestSchema, pick(manifest, localName));
}

function withPart(manifest: AgentManifest, localName: string): AgentManifest {
  const part = create(InterfaceContractSchema, manifest.interface && pick(manifest.interface, localName));
  return create(AgentManifestSchema, { interface: part });
}

function pick(from: object, name: string): Record<string, unknown> {
  const value = Object.entries(from).find(([key]) => key === name)?.[1];
  return value === undefined ? {} : { [name]: value };
}
