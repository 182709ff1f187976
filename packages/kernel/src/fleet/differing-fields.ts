import { type AgentManifest, AgentManifestSchema, InterfaceContractSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { canonicalBytes, sameBytes } from "./canonical-manifest.ts";

/** The fields in which two manifests differ, by their names in a file, such as `interface.max_task_duration`. */
export function differingFields(one: AgentManifest, other: AgentManifest): readonly string[] {
  return AgentManifestSchema.fields.flatMap(({ name, localName }) => {
    if (isSame(withOnly(one, localName), withOnly(other, localName))) return [];
    if (name !== "interface") return [name];
    const parts = InterfaceContractSchema.fields.filter(
      (part) => !isSame(withPart(one, part.localName), withPart(other, part.localName)),
    );
    return parts.length === 0 ? [name] : parts.map((part) => `interface.${part.name}`);
  });
}

function isSame(one: AgentManifest, other: AgentManifest): boolean {
  return sameBytes(canonicalBytes(one), canonicalBytes(other));
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
