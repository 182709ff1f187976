import type { CatalogueModel, ModelAgent, ModelProvider, RedactionPolicy } from "@baton/kernel";
import type { SandboxChoice, SandboxSettings } from "@baton/runtime/guarded";
import type { JsonValue } from "@bufbuild/protobuf";

/** What the hub writes to the standard input of the host, one line of JSON each time it changes. */
export interface HostConfig {
  /** The gRPC address of the hub. */
  readonly hub: string;
  readonly tenants: readonly HostTenant[];
  readonly packs: readonly HostPack[];
  readonly providers: readonly ModelProvider[];
  readonly models: readonly CatalogueModel[];
  /** The keys of providers, by the names of their variables. */
  readonly variables: Readonly<Record<string, string>>;
  readonly redaction?: RedactionPolicy;
  /** The sandbox of the hub, for tools that are programs. */
  readonly sandbox: HostSandbox;
}

export interface HostSandbox {
  readonly choice: SandboxChoice;
  readonly settings: Partial<SandboxSettings>;
}

export interface HostTenant {
  readonly tenantId: string;
  /** By pack; undefined at a hub without keys. */
  readonly keys?: Readonly<Record<string, string>>;
}

export interface HostPack {
  /** AgentManifest in its JSON form. */
  readonly manifest: JsonValue;
  readonly model: ModelAgent;
  /** Of its file. */
  readonly folder: string;
}

/** What the host writes to its standard output, one line of JSON each. */
export type HostReport =
  | { readonly kind: "attached"; readonly packId: string; readonly tenantId: string }
  | { readonly kind: "problem"; readonly packId: string; readonly message: string; readonly fix: string };
