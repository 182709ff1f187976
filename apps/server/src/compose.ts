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
import { version } from "./version.ts";

export interface Composed {
  readonly hub: ConfigurableHub;
  readonly store: Store;
}

/** Puts the hub together from its parts, as the configuration says: the one place that knows all of them. */
export async function composeHub(config: HubConfig, log: Logger, filter: Filter): Promise<Composed> {
  const { data, project, allowedAgentHosts, workspaces, references } = config;
  const { policy, templates } = project;
  const store =
    data === undefined
      ? await openMemoryStore()
      : await openSqliteStore({ directory: data, onLateCheck: (problem) => tellLateCheck(log, problem) });
  const hub = await createHub({
    ...{ store, policy, templates, orchestratorVersion: version },
    verifier: commandVerifier({ workspaces }),
    references: referenceReader(references),
    push: { allowedAgentHosts },
    filter,
    audit: auditOptions(config, store),
    onProblem: (problem) => log.error({ err: problem }, "a problem of the hub"),
  });
  return { hub, store };
}

/** The key of a data folder stays; that of a store in memory goes with it. */
function auditOptions({ data, auditFolder: folder }: HubConfig, store: Store): AuditOptions {
  if (data === undefined) return { key: makeSigningKey(), workshop: workshopHere(store), folder };
  return { key: openSigningKey(data), workshop: workshopInThread(data), folder };
}

/** A large store is looked at whole while the hub runs. */
function tellLateCheck(log: Logger, problem: Error | undefined): void {
  if (problem) log.fatal({ err: problem }, "the store is damaged");
  else log.info("the store was looked at whole, and is sound");
}
