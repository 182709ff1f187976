import { describeChanges } from "@baton/kernel";
import { type ConfigurableHub, configurationChanged } from "@baton/runtime";
import type { Logger } from "pino";
import type { KeyEntry } from "../border/keys.ts";
import type { ConfigProblem } from "../files/problem.ts";
import type { ProjectPaths } from "./paths.ts";
import type { Project } from "./read-project.ts";
import { commandPacks, registerPacks, tenantsOf } from "./register-packs.ts";
import { watchProject } from "./watch-project.ts";

export interface KeepCurrentOptions {
  readonly hub: ConfigurableHub;
  /** The project in force. */
  readonly project: Project;
  readonly paths: ProjectPaths;
  readonly digest: string;
  readonly keys: readonly KeyEntry[];
  readonly log: Logger;
  /** Called when another project comes into force. */
  readonly onChange?: (project: Project) => void;
  readonly intervalMs?: number;
}

export interface CurrentProject {
  /** Registers the project for these tenants, and stops the commands of all others. */
  setTenants(tenants: readonly string[]): Promise<void>;
  /** What prevents the current files from coming into force. */
  problems(): readonly ConfigProblem[];
  stop(): void;
}

/** `baton check` prints all of them. */
const maxLogged = 20;

/** Puts changed files into force while the hub runs, all of them or none, and logs the changes. */
export function keepCurrent(options: KeepCurrentOptions): CurrentProject {
  const { hub, log, paths, digest, onChange, intervalMs } = options;
  let tenants = tenantsOf(options.keys);
  let current = options.project;
  let openProblems: readonly ConfigProblem[] = [];
  let lastError = "";

  /** All or none. */
  const setCommands = async (next: Project): Promise<void> => {
    try {
      await hub.setCommands(commandPacks(next.packFiles, tenants));
    } catch (error) {
      // When this fails as well, the next poll tries everything again.
      await hub.setCommands(commandPacks(current.packFiles, tenants)).catch(() => {});
      throw error;
    }
  };
  /** The change is already in force; a failing store does not revert it. */
  const record = (changes: readonly string[]) =>
    hub
      .recordEvent(tenants, configurationChanged(changes))
      .catch((error) => log.error({ err: error }, "cannot record the configuration change"));
  const apply = async (next: Project): Promise<readonly ConfigProblem[]> => {
    const missing = findRemoved(current, next, paths);
    const problems = missing.length > 0 ? missing : await registerPacks(hub, next.packFiles, tenants);
    if (problems.length > 0) return problems;
    const changes = describeChanges(current, next);
    await setCommands(next);
    const { policy, templates, guardrails, constitution, spendLimits, webhooks } = next;
    hub.configure({ policy, templates, guardrails, constitution, spendLimits, webhooks });
    onChange?.(next);
    current = next;
    const isFixed = openProblems.length > 0;
    openProblems = [];
    lastError = "";
    if (changes.length > 0) {
      log.info({ changes }, "the configuration has changed");
      await record(changes);
    } else if (isFixed) log.info("the configuration is valid again and unchanged in meaning");
    return [];
  };
  const watch = watchProject({
    ...{ paths, digest, apply, intervalMs },
    refuse: (problems) => {
      openProblems = problems;
      log.error(
        { problems: problems.length },
        "the changed configuration is invalid; the configuration in force stays in force",
      );
      for (const { message, ...more } of problems.slice(0, maxLogged)) log.error(more, message);
    },
    onError: (error) => {
      if (String(error) === lastError) return; // Every poll tries again.
      lastError = String(error);
      log.error({ err: error }, "cannot apply the configuration");
    },
  });
  return {
    problems: () => openProblems,
    stop: () => watch.stop(),
    async setTenants(next) {
      tenants = next;
      await registerPacks(hub, current.packFiles, tenants);
      await hub.setCommands(commandPacks(current.packFiles, tenants));
    },
  };
}

/**
 * Without its policy the hub would allow what the policy forbids, and without templates or packs no work would be done. A
 * folder that is unmounted for a moment must not cause that, so removing them takes a restart.
 */
function findRemoved(before: Project, after: Project, paths: ProjectPaths): readonly ConfigProblem[] {
  const gone = (path: string, what: string): ConfigProblem => ({
    ...{ code: "BATON-CONFIG-004", at: path, message: `the ${what} is gone` },
    fix: "restore it, or restart the hub to run without it",
  });
  return [
    ...(before.policy && !after.policy ? [gone(paths.routingPolicy.path, "routing policy")] : []),
    ...(before.redaction && !after.redaction ? [gone(paths.redactionPolicy.path, "redaction policy")] : []),
    ...(before.guardrails && !after.guardrails ? [gone(paths.guardrails.path, "file of guardrails")] : []),
    ...(before.constitution && !after.constitution ? [gone(paths.constitution.path, "constitution")] : []),
    ...(before.spendLimits && !after.spendLimits
      ? [gone(paths.spendLimits.path, "file of spend limits")]
      : []),
    ...(before.webhooks && !after.webhooks ? [gone(paths.webhooks.path, "file of webhooks")] : []),
    ...(count(before, false) > 0 && count(after, false) === 0
      ? [gone(paths.pipelineTemplates.path, "file of pipeline templates")]
      : []),
    ...(before.models && !after.models ? [gone(paths.models.path, "file of models")] : []),
    ...(count(before, true) > 0 && count(after, true) === 0
      ? [gone(paths.workflows.path, "last of the workflows")]
      : []),
    ...(before.packFiles.length > 0 && after.packFiles.length === 0
      ? [gone(paths.packs.path, "last of the packs")]
      : []),
  ];
}

/** Workflows, or the other templates. */
function count({ templates }: Project, isWorkflow: boolean): number {
  return [...templates.values()].filter(({ workflow }) => (workflow !== undefined) === isWorkflow).length;
}
