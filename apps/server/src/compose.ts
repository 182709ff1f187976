import {
  type AuditOptions,
  type ConfigurableHub,
  commandVerifier,
  createHub,
  type Filter,
  makeSigningKey,
  openMemoryStore,
  openSigningKey,
  openSqliteStore,
  referenceReader,
  type Store,
  workshopHere,
  workshopInThread,
} from "@baton/runtime";
import type { Logger } from "pino";
import type { HubConfig } from "./config/load-config.ts";
import { StoreWatch } from "./store-watch.ts";
import { version } from "./version.ts";

export interface Composed {
  readonly hub: ConfigurableHub;
  readonly store: Store;
  /** What somebody has to look at, although the hub works. */
  readonly warnings: () => readonly string[];
}

/** Puts the hub together from its parts, as the configuration says: the one place that knows all of them. */
export async function composeHub(config: HubConfig, log: Logger, filter: Filter): Promise<Composed> {
  const { data, project, allowedAgentHosts, workspaces, references } = config;
  const { policy, templates } = project;
  const watch = new StoreWatch(log);
  const store =
    data === undefined
      ? await openMemoryStore()
      : await openSqliteStore({ directory: data, onLateCheck: watch.tell });
  const hub = await createHub({
    ...{ store, policy, templates, orchestratorVersion: version },
    verifier: commandVerifier({ workspaces }),
    references: referenceReader(references),
    push: { allowedAgentHosts },
    filter,
    audit: auditOptions(config, store),
    onProblem: (problem) => log.error({ err: problem }, "a problem of the hub"),
  });
  return { hub, store, warnings: watch.warnings };
}

/** The key of a data folder stays; that of a store in memory goes with it. */
function auditOptions({ data, auditFolder: folder }: HubConfig, store: Store): AuditOptions {
  if (data === undefined) return { key: makeSigningKey(), workshop: workshopHere(store), folder };
  return { key: openSigningKey(data), workshop: workshopInThread(data), folder };
}
