import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { AgentManifestSchema } from "@baton/contract";
import { variablesOfTools } from "@baton/kernel";
import type { HostConfig, HostSandbox } from "@baton/models/host-config";
import { toJson } from "@bufbuild/protobuf";
import type { Logger } from "pino";
import { generateKey, type KeyEntry } from "../border/keys.ts";
import type { Project } from "../project/read-project.ts";
import { HostProcess } from "./host-process.ts";

interface ModelAgentsOptions {
  readonly project: Project;
  readonly tenants: readonly string[];
  /** Whether agents need keys. Those of the host last as long as this process. */
  readonly usesKeys: boolean;
  /** Called before agents with new keys are attached. */
  readonly onKeys: () => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** For tools that are programs. */
  readonly sandbox: HostSandbox;
}

/** The variables with keys of providers and tools. Their values are secrets, whatever they are called. */
export function keyVariables({ models, packs }: Pick<Project, "models" | "packs">): readonly string[] {
  const providers = [...(models?.providers.values() ?? [])].flatMap(({ keyEnv }) => keyEnv ?? []);
  return [...providers, ...packs.flatMap(({ model }) => variablesOfTools(model?.tools ?? []))];
}

/** Model agents of the project: a process that attaches them, as long as there are any. */
export class ModelAgents {
  readonly #options: ModelAgentsOptions;
  readonly #keys = new Map<string, { readonly key: string; readonly entry: KeyEntry }>();
  /** Also those whose pack is gone: their agents finish what they have. */
  readonly #packs = new Set<string>();
  #project: Project;
  #tenants: readonly string[];
  #hub: string | undefined;
  #host: HostProcess | undefined;

  constructor(options: ModelAgentsOptions) {
    this.#options = options;
    this.#project = options.project;
    this.#tenants = options.tenants;
    this.#notePacks();
  }

  /**
   * The keys of the host, one per tenant and pack, so that an agent of one pack may review the work of another. None at a hub
   * without keys.
   */
  keysFor(tenants: readonly string[]): readonly KeyEntry[] {
    if (!this.#options.usesKeys) return [];
    return tenants.flatMap((tenant) => [...this.#packs].map((pack) => this.#keyOf(tenant, pack).entry));
  }

  /** Resolves when the agents are attached, or take too long. */
  async start(grpcAddress: string): Promise<void> {
    this.#hub = grpcAddress.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
    this.#apply();
    await this.#host?.settled();
  }

  use(project: Project): void {
    this.#project = project;
    this.#notePacks();
    this.#options.onKeys();
    this.#apply();
  }

  setTenants(tenants: readonly string[]): void {
    this.#tenants = tenants;
    this.#apply();
  }

  /** Public, so without names. */
  warnings(): readonly string[] {
    return this.#host?.warning === undefined ? [] : [this.#host.warning];
  }

  async stop(): Promise<void> {
    await this.#host?.stop();
  }

  #notePacks(): void {
    for (const { pack } of this.#project.packFiles) if (pack.model) this.#packs.add(pack.manifest.packId);
  }

  #apply(): void {
    if (this.#hub === undefined) return;
    const config = this.#configFor(this.#hub);
    if (this.#host !== undefined) this.#host.configure(config);
    else if (config.packs.length > 0) this.#host = new HostProcess(config, this.#options.log);
  }

  #configFor(hub: string): HostConfig {
    const { packFiles, models, redaction } = this.#project;
    const { usesKeys, env } = this.#options;
    const variables = keyVariables(this.#project).flatMap((name) => (env[name] ? [[name, env[name]]] : []));
    return {
      hub,
      tenants: this.#tenants.map((tenantId) => ({
        tenantId,
        ...(usesKeys && {
          keys: Object.fromEntries([...this.#packs].map((pack) => [pack, this.#keyOf(tenantId, pack).key])),
        }),
      })),
      packs: packFiles.flatMap(({ path, pack: { manifest, model } }) =>
        model === undefined
          ? []
          : [{ manifest: toJson(AgentManifestSchema, manifest), model, folder: dirname(resolve(path)) }],
      ),
      providers: [...(models?.providers.values() ?? [])],
      models: [...(models?.models.values() ?? [])],
      variables: Object.fromEntries(variables),
      ...(redaction && { redaction }),
      sandbox: this.#options.sandbox,
    };
  }

  #keyOf(tenant: string, pack: string) {
    const name = JSON.stringify([tenant, pack]);
    const known = this.#keys.get(name);
    if (known) return known;
    // The same id after a restart: a quarantine by pack and key lasts. The key itself is new.
    const id = `model-host-${createHash("sha256").update(name).digest("hex").slice(0, 16)}`;
    const made = generateKey({ id, tenant, roles: ["agent"] });
    this.#keys.set(name, made);
    return made;
  }
}
