import { describeChanges } from "@baton/kernel";
import { type ConfigurableHub, configurationChanged } from "@baton/runtime";
import type { Logger } from "pino";
import type { HubConfig } from "../config/load-config.ts";
import type { ConfigProblem } from "../config/problem.ts";
import type { Project } from "./read-project.ts";
import { commandPacks, registerPacks, tenantsOf } from "./register-packs.ts";
import { ProjectWatch } from "./watch-project.ts";

export interface KeepCurrent {
  readonly hub: ConfigurableHub;
  readonly config: Pick<HubConfig, "project" | "places" | "digest" | "server">;
  readonly log: Logger;
  /** What else there is to do when another project comes into force. */
  readonly follow?: (project: Project) => void;
  readonly intervalMs?: number;
}

export interface CurrentProject {
  /** Makes what is in force known to other tenants than before; commands of those that are gone end. */
  followTenants(tenants: readonly string[]): Promise<void>;
  /** What keeps the files, as they are now, from coming into force. */
  problems(): readonly ConfigProblem[];
  stop(): void;
}

/** `baton check` tells all of them. */
const mostLogged = 20;

/** Brings changed files into force while the hub runs, all of them or none, and says what became different. */
export function keepCurrent({ hub, config, log, follow, intervalMs }: KeepCurrent): CurrentProject {
  let tenants = tenantsOf(config.server.keys);
  let current = config.project;
  let standing: readonly ConfigProblem[] = [];
  let lastFailure = "";

  /** All of them, or those that were there before. */
  const setCommands = async (next: Project): Promise<void> => {
    try {
      await hub.setCommands(commandPacks(next.packFiles, tenants));
    } catch (error) {
      // When that fails as well, the next look tries everything again.
      await hub.setCommands(commandPacks(current.packFiles, tenants)).catch(() => {});
      throw error;
    }
  };
  /** The change is in force already; a store that does not work is no reason to take it back. */
  const record = (changes: readonly string[]) =>
    hub
      .recordEvent(tenants, configurationChanged(changes))
      .catch((error) => log.error({ err: error }, "the change of the configuration is not in the record"));
  const apply = async (next: Project): Promise<readonly ConfigProblem[]> => {
    const missing = goneFrom(current, next, config);
    const problems = missing.length > 0 ? missing : await registerPacks(hub, next.packFiles, tenants);
    if (problems.length > 0) return problems;
    const changes = describeChanges(current, next);
    await setCommands(next);
    hub.configure({ policy: next.policy, templates: next.templates });
    follow?.(next);
    current = next;
    const isMended = standing.length > 0;
    standing = [];
    lastFailure = "";
    if (changes.length > 0) {
      log.info({ changes }, "the configuration has changed");
      await record(changes);
    } else if (isMended) log.info("the configuration is in order again, and means what it meant before");
    return [];
  };
  const watch = new ProjectWatch({
    ...{ places: config.places, digest: config.digest, apply },
    refuse: (problems) => {
      standing = problems;
      const { length } = problems;
      log.error(
        { problems: length },
        "the configuration has changed and is wrong; what was in force stays in force",
      );
      for (const { message, ...more } of problems.slice(0, mostLogged)) log.error(more, message);
    },
    fail: (error) => {
      if (String(error) === lastFailure) return; // It is tried again and again.
      lastFailure = String(error);
      log.error({ err: error }, "the configuration could not be looked at");
    },
    ...(intervalMs !== undefined && { intervalMs }),
  });
  watch.start();
  return {
    problems: () => standing,
    stop: () => watch.stop(),
    async followTenants(next) {
      tenants = next;
      await registerPacks(hub, current.packFiles, tenants);
      await hub.setCommands(commandPacks(current.packFiles, tenants));
    },
  };
}

/**
 * A policy that vanishes would open what it closed, and without templates or packs nothing would be done: a folder that is
 * not there for a moment must not do that. It takes a restart, which somebody has to want.
 */
function goneFrom(
  before: Project,
  after: Project,
  { places }: Pick<HubConfig, "places">,
): readonly ConfigProblem[] {
  const gone = (path: string, what: string): ConfigProblem => ({
    ...{ code: "BATON-CONFIG-004", at: path, message: `the ${what} is gone` },
    fix: "put it back, or start the hub again to go without it",
  });
  return [
    ...(before.policy && !after.policy ? [gone(places.routingPolicy.path, "routing policy")] : []),
    ...(before.redaction && !after.redaction ? [gone(places.redactionPolicy.path, "redaction policy")] : []),
    ...(before.templates.size > 0 && after.templates.size === 0
      ? [gone(places.pipelineTemplates.path, "file of pipeline templates")]
      : []),
    ...(before.packFiles.length > 0 && after.packFiles.length === 0
      ? [gone(places.packs.path, "last of the packs")]
      : []),
  ];
}
