import { dirname, join } from "node:path";
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
  referenceReader,
  type Sandbox,
  type Store,
  sandboxDowngraded,
  workspacesIn,
} from "@baton/runtime";
import type { Logger } from "pino";
import type { HubConfig } from "./config/load-config.ts";
import { makeScratchFolder, makeTemporaryFolder, temporaryFolders } from "./own-folders.ts";
import { StoreWatch } from "./store-watch.ts";
import { version } from "./version.ts";

export interface Composed {
  readonly hub: ConfigurableHub;
  readonly store: Store;
  /** What somebody has to look at, although the hub works. */
  readonly warnings: () => readonly string[];
  /** What the record says of a sandbox that is less than bubblewrap. */
  readonly downgrade: HubAuditEvent | undefined;
  /** Logs how well commands are kept apart. */
  readonly tellSandbox: () => void;
}

/** Puts the hub together from its parts, as the configuration says: the one place that knows all of them. */
export async function composeHub(config: HubConfig, log: Logger, filter: EgressFilter): Promise<Composed> {
  const { data, project, allowedAgentHosts, evidence, references } = config;
  const { policy, templates } = project;
  const watch = new StoreWatch(log);
  const store =
    data === undefined
      ? await openMemoryStore()
      : await openSqliteStore({ directory: data, key: config.storeKey, onBackgroundCheck: watch.tell });
  const scratch = data === undefined ? undefined : makeScratchFolder(data);
  const placesFolder = config.ownPlaces.folder ?? join(makeTemporaryFolder(), "workspaces");
  const own = [data, config.auditFolder, placesFolder, temporaryFolders()];
  const hidden = [...config.secrets, ...own].filter((path) => path !== undefined);
  const settings = { ...evidence.settings, hidden, fixed: configuredBy(config) };
  const sandbox = await findSandbox(evidence.sandbox, settings);
  // Checks without a sandbox are the operator's choice; agents have one of their own in their pack.
  const agentSandbox = sandbox.kind === "plain" ? await findSandbox("auto", settings) : sandbox;
  const hub = await createHub({
    ...{ store, policy, templates, orchestratorVersion: version, mode: config.mode },
    verifier: commandVerifier({
      ...{ sandbox, workspaces: evidence.workspaces, limits: evidence.limits, scratch, closed: hidden },
      redactor: filter.at("event"),
      onProblem: (problem) => log.error({ err: problem }, "what a command printed was withheld"),
    }),
    workspaces: gitWorkspaces({
      ...{ allowed: evidence.workspaces, dependencies: evidence.dependencies },
      ...{ ...config.ownPlaces, folder: placesFolder },
      cipher: data === undefined ? openTextCipher(placesFolder) : openTextCipher(data, config.storeKey),
    }),
    references: referenceReader(references),
    ...{ retention: config.retention, entropy: config.entropy },
    push: { allowedAgentHosts, callsThisMachine: config.keysFile === undefined },
    commands: {
      ...{ workspaces: evidence.workspaces, ownPlaces: workspacesIn(placesFolder), scratch },
      ...{ sandbox: agentSandbox, hidden },
    },
    filter,
    audit: auditOptions(config, store),
    onProblem: (problem) => log.error({ err: problem }, "a problem of the hub"),
  });
  const warnings = () => [...watch.warnings(), ...sandboxWarnings(sandbox)];
  const downgrade = downgradeOf(sandbox);
  return { hub, store, warnings, downgrade, tellSandbox: () => tellSandbox(log, sandbox) };
}

/** The key of a data folder stays; that of a store in memory goes with it. */
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

/** What the hub reads again when it changes: files of the project, with the folder that holds them where it is theirs. */
function configuredBy({ places }: HubConfig): readonly string[] {
  const { routingPolicy, pipelineTemplates, redactionPolicy, packs } = places;
  const files = [routingPolicy, pipelineTemplates, redactionPolicy].map(({ path }) => path);
  return [...new Set([...files.map((path) => dirname(path)), ...files, packs.path])];
}

/** For probes, which anybody may read: what commands are not kept from, without the reasons of this machine. */
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

/** Whoever starts the hub reads how well commands are kept apart, once it is clear that it starts. */
function tellSandbox(log: Logger, sandbox: Sandbox | NoSandbox): void {
  const { kind } = sandbox;
  if (sandbox.kind === "none")
    log.error({ reason: sandbox.reason }, "no sandbox works: no command of a contract is run");
  else if (sandbox.warning) log.warn({ sandbox: kind, warning: sandbox.warning }, "the sandbox of commands");
  else log.info({ sandbox: kind }, "the sandbox of commands");
}
