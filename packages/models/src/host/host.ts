import { type AgentDefinition, AgentError, type AttachedAgent, startAgent } from "@baton/agent";
import type { ModelCatalogue } from "@baton/kernel";
import { findSandbox } from "@baton/runtime/guarded";
import { openParts, runWith } from "../agent/model-agent.ts";
import { type OpenModel, openModels } from "../providers/open-models.ts";
import { definitionOf } from "./definition.ts";
import type { HostConfig, HostPack, HostReport, HostSandbox, HostTenant } from "./host-config.ts";

interface Running {
  /** Changed in place: attempts under way finish as they began. */
  run: AgentDefinition["run"];
  digests: NonNullable<AgentDefinition["digests"]>;
  agent: AttachedAgent | undefined;
  isGone: boolean;
}

interface Opened {
  readonly run: AgentDefinition["run"];
  readonly digests: NonNullable<AgentDefinition["digests"]>;
  readonly capacity: number;
}

/** The agents of a hub's model packs: one per pack, version and tenant. */
export class Host {
  readonly #report: (report: HostReport) => void;
  readonly #running = new Map<string, Running>();
  #sandbox: { readonly key: string; readonly found: ReturnType<typeof findSandbox> } | undefined;
  #opened: { readonly key: string; readonly models: ReadonlyMap<string, OpenModel> } | undefined;

  constructor(report: (report: HostReport) => void) {
    this.#report = report;
  }

  /** Replaces the configuration. Agents that are gone finish what they have. */
  apply(config: HostConfig): void {
    const wanted = new Set<string>();
    for (const pack of config.packs)
      for (const tenant of config.tenants) wanted.add(this.#set(config, pack, tenant));
    for (const [key, running] of this.#running) if (!wanted.has(key)) this.#remove(key, running);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ agent }) => agent?.close({ graceMs: 0 })));
  }

  #set(config: HostConfig, pack: HostPack, tenant: HostTenant): string {
    const definition = definitionOf(pack.manifest);
    const key = JSON.stringify([config.hub, tenant.tenantId, definition.pack, definition.version]);
    const opened = this.#open(config, pack);
    const running = this.#running.get(key);
    if (running) {
      running.run = opened.run;
      running.digests = opened.digests;
      // Decisions from now on name the new digests.
      running.agent?.refresh();
    } else this.#start(key, { config, definition, tenant, ...opened });
    return key;
  }

  /** Options that cannot be used end every attempt with the reason, so that it is seen where the work is. */
  #open(config: HostConfig, { model, folder }: HostPack): Opened {
    const catalogue: ModelCatalogue = {
      providers: new Map(config.providers.map((provider) => [provider.id, provider])),
      models: new Map(config.models.map((one) => [one.id, one])),
    };
    try {
      const open = this.#models(catalogue, config);
      const { variables, redaction: policy } = config;
      const sandbox = () => this.#findSandbox(config.sandbox);
      const parts = openParts(model, catalogue, { tools: [], variables, policy, open, folder, sandbox });
      const capacity = Math.max(1, ...parts.models.map(({ provider }) => provider.concurrency));
      const { run, digests } = runWith(model, parts);
      return { run, digests, capacity };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const run: AgentDefinition["run"] = (task) => task.failure(reason, { code: "MODEL_MISCONFIGURED" });
      return { run, digests: () => ({}), capacity: 1 };
    }
  }

  /** Searched for once per configuration, when a tool needs it. */
  #findSandbox(wanted: HostSandbox) {
    const key = JSON.stringify(wanted);
    if (this.#sandbox?.key !== key)
      this.#sandbox = { key, found: findSandbox(wanted.choice, wanted.settings) };
    return this.#sandbox.found;
  }

  /** Opened once for all packs, so that limits on concurrent calls are shared. */
  #models(catalogue: ModelCatalogue, { providers, models, variables }: HostConfig) {
    const key = JSON.stringify([providers, models, variables]);
    if (this.#opened?.key !== key) this.#opened = { key, models: openModels(catalogue, variables) };
    return this.#opened.models;
  }

  #start(
    key: string,
    {
      config,
      definition,
      tenant,
      run,
      digests,
      capacity,
    }: Opened & {
      readonly config: HostConfig;
      readonly definition: Omit<AgentDefinition, "run">;
      readonly tenant: HostTenant;
    },
  ): void {
    const running: Running = { run, digests, agent: undefined, isGone: false };
    this.#running.set(key, running);
    const { pack: packId, maxConcurrentTasks = capacity } = definition;
    const { tenantId } = tenant;
    const problem = (message: string, fix: string) => this.#report({ kind: "problem", packId, message, fix });
    startAgent({
      ...definition,
      ...{
        hub: config.hub,
        key: tenant.keys?.[packId] ?? "",
        instanceId: instanceOf(definition),
        handleSignals: false,
      },
      capacity: Math.min(capacity, maxConcurrentTasks),
      run: (task) => running.run(task),
      digests: () => running.digests(),
      onProblem: ({ message, fix }) => problem(message, fix),
    }).then(
      (agent) => {
        running.agent = agent;
        this.#report({ kind: "attached", packId, tenantId });
        if (running.isGone) void agent.close();
        agent.closed.catch((error: unknown) => this.#refused(key, running, problem, error));
      },
      (error: unknown) => this.#refused(key, running, problem, error),
    );
  }

  /** The hub refuses the agent; a changed configuration tries again. */
  #refused(
    key: string,
    running: Running,
    problem: (message: string, fix: string) => void,
    error: unknown,
  ): void {
    if (this.#running.get(key) === running) this.#running.delete(key);
    if (running.isGone) return;
    problem(
      error instanceof Error ? error.message : String(error),
      error instanceof AgentError ? error.fix : "",
    );
  }

  #remove(key: string, running: Running): void {
    this.#running.delete(key);
    running.isGone = true;
    void running.agent?.close();
  }
}

/** With the same name after a restart. A new version is another instance: the one before finishes its work. */
function instanceOf({ pack, version }: Pick<AgentDefinition, "pack" | "version">): string {
  return `${pack}-model-${version}`;
}
