import { dirname, join } from "node:path";
import type { HostSandbox } from "@baton/models/host-config";
import {
  type AuditOptions,
  adaptiveAuditWorker,
  type ConfigurableHub,
  commandVerifier,
  createHub,
  type EgressFilter,
  findSandbox,
  gitWorkspaces,
  type HubAuditEvent,
  inlineAuditWorker,
  makeSigningKey,
  type NoSandbox,
  openMemoryStore,
  openSigningKey,
  openSqliteStore,
  openTextCipher,
  openUploads,
  referenceReader,
  type Sandbox,
  type Store,
  StoreUnavailable,
  sandboxDowngraded,
  type Uploads,
  workspacesIn,
} from "@baton/runtime";
import type { Logger } from "pino";
import type { HubConfig } from "./config/load-config.ts";
import { makeScratchFolder, makeTemporaryFolder, temporaryFolders } from "./own-folders.ts";
import { singleFiles } from "./project/paths.ts";
import { version } from "./version.ts";

export interface Composed {
  readonly hub: ConfigurableHub;
  readonly store: Store;
  readonly uploads: Uploads;
  /** Conditions that need attention although the hub works. */
  readonly warnings: () => readonly string[];
  /** The audit event for a sandbox that is weaker than bubblewrap. */
  readonly downgrade: HubAuditEvent | undefined;
  readonly toolSandbox: HostSandbox;
  readonly logSandbox: () => void;
}

/** Creates the hub from its parts as configured: the only place that knows all of them. */
export async function openHub(config: HubConfig, log: Logger, filter: EgressFilter): Promise<Composed> {
  const { data, project, allowedAgentHosts, evidence, references } = config;
  const { policy, templates, guardrails, constitution, spendLimits, webhooks } = project;
  const storeCheck = new StoreCheck(log);
  const store =
    data === undefined
      ? await openMemoryStore()
      : await openSqliteStore({
          directory: data,
          key: config.storeKey,
          onBackgroundCheck: storeCheck.report,
        });
  const scratch = data === undefined ? undefined : makeScratchFolder(data);
  const workspacesFolder = config.workspaces.folder ?? join(makeTemporaryFolder(), "workspaces");
  const own = [data, config.auditFolder, workspacesFolder, temporaryFolders()];
  const hidden = [...config.secrets, ...own].filter((path) => path !== undefined);
  const settings = { ...evidence.settings, hidden, fixed: configuredBy(config) };
  const sandbox = await findSandbox(evidence.sandbox, settings);
  // A plain sandbox is configured for evidence only; a pack chooses the sandbox of its agent.
  const agentSandbox = sandbox.kind === "plain" ? await findSandbox("auto", settings) : sandbox;
  const hub = await createHub({
    ...{ store, policy, templates, guardrails, constitution, spendLimits, webhooks },
    ...{ orchestratorVersion: version, mode: config.mode },
    verifier: commandVerifier({
      ...{ sandbox, workspaces: evidence.workspaces, limits: evidence.limits, scratch, closed: hidden },
      redactor: filter.at("event"),
      onProblem: (problem) => log.error({ err: problem }, "the output of a command was withheld"),
    }),
    guardCommands: { sandbox, folder: dirname(config.paths.guardrails.path) },
    constitutionFolder: dirname(config.paths.constitution.path),
    workspaces: gitWorkspaces({
      ...{ allowed: evidence.workspaces, dependencies: evidence.dependencies },
      ...{ ...config.workspaces, folder: workspacesFolder },
      cipher: data === undefined ? openTextCipher(workspacesFolder) : openTextCipher(data, config.storeKey),
    }),
    references: referenceReader(references),
    ...{ retention: config.retention, entropy: config.entropy },
    push: { allowedAgentHosts, callsThisMachine: config.keysFile === undefined },
    commands: {
      ...{ workspaces: evidence.workspaces, ownPlaces: workspacesIn(workspacesFolder), scratch },
      ...{ sandbox: agentSandbox, hidden },
    },
    filter,
    audit: auditOptions(config, store),
    onProblem: (problem) => log.error({ err: problem }, "a problem of the hub"),
  });
  const warnings = () => [...storeCheck.warnings(), ...sandboxWarnings(sandbox)];
  const downgrade = downgradeOf(sandbox);
  const uploads = openUploads(data ?? makeTemporaryFolder(), {
    settings: config.uploads,
    ...(data !== undefined && { key: config.storeKey }),
    onProblem: (problem) => log.error({ err: problem }, "cannot remove old uploads"),
  });
  // Tools of models run in the sandbox that evidence has.
  const toolSandbox = { choice: sandbox.kind === "none" ? evidence.sandbox : sandbox.kind, settings };
  return {
    hub,
    store,
    uploads,
    warnings,
    downgrade,
    toolSandbox,
    logSandbox: () => logSandbox(log, sandbox),
  };
}

/** The signing key of a store in memory lasts as long as the process. */
function auditOptions({ data, auditFolder: folder, checkpoints }: HubConfig, store: Store): AuditOptions {
  const copies = { folder, checkpoints };
  if (data === undefined) return { key: makeSigningKey(), auditWorker: inlineAuditWorker(store), ...copies };
  return {
    key: openSigningKey(data),
    auditWorker: adaptiveAuditWorker(store, data),
    ...copies,
    headFolder: data,
  };
}

/** The project's files and folders: agents must not change them, because the hub applies the changes. */
function configuredBy({ paths }: HubConfig): readonly string[] {
  const { packs, workflows } = paths;
  const files = singleFiles(paths).map(([, { path }]) => path);
  return [...new Set([...files.map((path) => dirname(path)), ...files, packs.path, workflows.path])];
}

/** For probes, which anyone may read: without details of this machine. */
function sandboxWarnings({ kind }: Sandbox | NoSandbox): readonly string[] {
  if (kind === "none") return ["no sandbox works: commands of contracts are not run, and their checks fail"];
  if (kind === "plain") return ["commands of contracts run without a sandbox"];
  return kind === "namespaces" ? ["commands of contracts run in a weak sandbox: namespaces"] : [];
}

function downgradeOf(sandbox: Sandbox | NoSandbox): HubAuditEvent | undefined {
  const { kind: used } = sandbox;
  if (used === "bubblewrap") return undefined;
  const reason = (sandbox.kind === "none" ? sandbox.reason : sandbox.warning) ?? "";
  return sandboxDowngraded({ wanted: "bubblewrap", used, reason: `commands of contracts: ${reason}` });
}

function logSandbox(log: Logger, sandbox: Sandbox | NoSandbox): void {
  const { kind } = sandbox;
  if (sandbox.kind === "none")
    log.error({ reason: sandbox.reason }, "no sandbox works: contract commands are not run");
  else if (sandbox.warning)
    log.warn({ sandbox: kind, warning: sandbox.warning }, "sandbox of contract commands");
  else log.info({ sandbox: kind }, "sandbox of contract commands");
}

/** The result of the background check of a large store, for the log and `/readyz`. */
class StoreCheck {
  readonly #log: Logger;
  #warning: string | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  readonly report = (problem: Error | undefined): void => {
    if (problem === undefined) return this.#log.info("the background check found no damage in the store");
    const code = problem instanceof StoreUnavailable ? problem.code : undefined;
    const isDamaged = code === "BATON-STORE-003";
    const what = isDamaged ? "the store is damaged" : "the background check of the store failed";
    this.#log.fatal({ err: problem }, what);
    this.#warning = `${what}${code === undefined ? "" : ` (${code})`}: see the log or run baton store check`;
  };

  /** Without paths: anyone may read `/readyz`. */
  readonly warnings = (): readonly string[] => (this.#warning === undefined ? [] : [this.#warning]);
}
