import {
  configurationChanged,
  EgressFilter,
  egressLimits,
  StoreUnavailable,
  watchStalls,
} from "@baton/runtime";
import { type Logger, pino } from "pino";
import type { KeyEntry } from "./border/keys.ts";
import { runAuditCommand } from "./commands/audit-command.ts";
import { runKeyCommand } from "./commands/key-command.ts";
import { exitCodes, print } from "./commands/print.ts";
import { runProjectCommand } from "./commands/project-command.ts";
import { runStoreCommand } from "./commands/store-command.ts";
import { type Composed, openHub } from "./compose.ts";
import { type KeyFile, watchKeyFile } from "./config/key-file.ts";
import { type HubConfig, loadConfig } from "./config/load-config.ts";
import { describeOptions } from "./config/options.ts";
import { type ConfigProblem, describeProblems } from "./files/problem.ts";
import { hubRedactor } from "./hub-redactor.ts";
import { alertByLog, createLog } from "./log.ts";
import { keyVariables, ModelAgents } from "./models/model-agents.ts";
import { announceHub } from "./operator/announce.ts";
import { openOperatorToken, tokenFileOf } from "./operator/token-file.ts";
import { findOpenFolder, makeTemporaryFolder } from "./own-folders.ts";
import { findPage } from "./page/page-files.ts";
import { type CurrentProject, keepCurrent } from "./project/keep-current.ts";
import type { Project } from "./project/read-project.ts";
import { commandPacks, registerPacks, tenantsOf } from "./project/register-packs.ts";
import { webhookVariables } from "./project/webhooks-file.ts";
import { ServerError } from "./server-error.ts";
import { type StartedServer, startServer } from "./start-server.ts";
import { version } from "./version.ts";

/** Time to close connections and the store, after the grace period. */
const closeMs = 5_000;

/** Warnings of the configuration that are logged one by one. */
const maxLoggedWarnings = 20;

/** Runs a command, or the hub until a signal stops it. */
export async function main(args: readonly string[] = process.argv.slice(2)): Promise<void> {
  if (args.includes("--help")) return printLine(describeOptions());
  if (args.includes("--version")) return printLine(version);
  const filter = new EgressFilter({ redactor: hubRedactor(undefined, process.env) });
  const [name = "", ...rest] = args;
  const command = {
    key: () => runKeyCommand(rest),
    project: () => runProjectCommand(rest, filter),
    store: () => runStoreCommand(rest, process.env, filter),
    audit: () => runAuditCommand(rest, process.env, filter),
  }[name];
  if (command !== undefined) {
    process.exitCode = await command();
    return;
  }
  const reading = loadConfig(args, process.env, process.cwd());
  if (!reading.ok) {
    print(process.stderr, describeProblems(reading.problems), filter);
    process.exitCode = exitCodes.misconfigured;
    return;
  }
  const { config } = reading;
  filter.use(hubRedactor(config.project.redaction, process.env, secretVariables(config.project)));
  const log = createLog(config.logLevel, filter, pino.destination({ dest: 2, sync: true }));
  alertByLog(filter, log);
  filter.watchStallsWith(watchStalls(egressLimits.redactionMs));
  const { length: warnings } = reading.warnings;
  for (const { code, at, message, fix } of reading.warnings.slice(0, maxLoggedWarnings))
    log.warn({ code, at, fix }, message);
  if (warnings > maxLoggedWarnings)
    log.warn({ warnings }, "run `baton check` to see all warnings of the configuration");
  try {
    await run(config, log, filter);
  } catch (error) {
    print(process.stderr, describeFailure(error), filter);
    process.exit(exitCodeOf(error));
  }
}

/** Of providers of models and of webhooks. */
function secretVariables(project: Project): readonly string[] {
  return [...keyVariables(project), ...webhookVariables(project.webhooks)];
}

async function run(config: HubConfig, log: Logger, filter: EgressFilter): Promise<void> {
  // The state in memory may be wrong. Everything acknowledged is stored, and the next start continues from the store.
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "uncaught exception");
    process.exit(exitCodes.failed);
  });
  const opened = await openHub(config, log, filter);
  const { hub, store, uploads, warnings, downgrade, toolSandbox, logSandbox } = opened;
  const open = config.data === undefined ? undefined : findOpenFolder(config.data);
  if (open) log.warn({ code: open.code, at: open.at, fix: open.fix }, open.message);
  const tenants = tenantsOf(config.server.keys);
  const refused = await registerPacks(hub, config.project.packFiles, tenants);
  if (refused.length > 0) throw new Misconfigured(refused);
  if (downgrade) await hub.recordEvent(tenants, downgrade);
  await hub.setCommands(commandPacks(config.project.packFiles, tenants));
  const usesKeys = config.keysFile !== undefined;
  const models = new ModelAgents({
    ...{ project: config.project, tenants, usesKeys, env: process.env, log, sandbox: toolSandbox },
    onKeys: () => useKeys(),
  });
  const operator = config.keysFile === undefined ? openOperator(config.data) : undefined;
  const server = await startServer({
    hub,
    config: {
      ...{ ...config.server, page: findPage(), mode: config.mode, operatorToken: operator?.token },
      keys: [...config.server.keys, ...models.keysFor(tenants)],
    },
    log,
    uploads,
    webhookKeys: () => hub.webhookKeys(),
    filter,
    recordEvent: (tenants, event) => hub.recordEvent(tenants, event),
  });
  let entries = config.server.keys;
  const useKeys = (next = entries) => {
    entries = next;
    if (usesKeys) server.replaceKeys([...entries, ...models.keysFor(tenantsOf(entries))]);
  };
  logSandbox();
  const { project, paths, digest } = config;
  const current = keepCurrent({
    ...{ hub, project, paths, digest, keys: config.server.keys, log },
    onChange: (next) => {
      filter.use(hubRedactor(next.redaction, process.env, secretVariables(next)));
      models.use(next);
    },
  });
  const keyFile = followKeys({ hub, config, log, useKeys, current, models });
  server.warnWith(() => [
    ...warningsOf(current.problems().length),
    ...(keyFile && keyFile.problems().length > 0
      ? ["the changed key file is invalid; the keys in force stay in force"]
      : []),
    ...warnings(),
    ...hub.commandWarnings(),
    ...models.warnings(),
    ...hub.recordWarnings(),
  ]);
  stopOnSignals({ hub, store, server, models, current, keyFile, log, graceMs: config.graceMs });
  const { grpcAddress: grpc, httpAddress: http } = server;
  await models.start(grpc);
  logProject(config, log);
  const { mode } = config;
  const keys = config.server.keys.length;
  log.info({ version, mode, grpc, http, data: config.data ?? "memory", keys }, "ready");
  if (operator) process.once("exit", announceHub({ grpc, http, tokenFile: operator.tokenFile }));
  const more = operator ? { operatorTokenFile: operator.tokenFile } : {};
  printLine(JSON.stringify({ ready: true, grpc, http, mode, pid: process.pid, ...more }));
}

/** Puts changed keys into force without a restart, and records the changes for each tenant. */
function followKeys({
  hub,
  config,
  log,
  useKeys,
  current,
  models,
}: Pick<Running, "hub" | "log" | "current" | "models"> & {
  readonly config: HubConfig;
  readonly useKeys: (entries: readonly KeyEntry[]) => void;
}): KeyFile | undefined {
  if (config.keysFile === undefined) return undefined;
  return watchKeyFile({
    ...{ path: config.keysFile, entries: config.server.keys, log },
    apply: async (entries, changes) => {
      useKeys(entries);
      for (const [tenant, own] of Map.groupBy(changes, ({ tenant }) => tenant)) {
        const event = configurationChanged(own.map(({ text }) => text));
        await hub
          .recordEvent([tenant], event)
          .catch((error) => log.error({ err: error }, "cannot record the change of the keys"));
      }
      await current.setTenants(tenantsOf(entries));
      models.setTenants(tenantsOf(entries));
    },
  });
}

/** Without a data folder, the token lasts as long as the process. */
function openOperator(data: string | undefined): { readonly token: string; readonly tokenFile: string } {
  const folder = data ?? makeTemporaryFolder();
  return { token: openOperatorToken(folder), tokenFile: tokenFileOf(folder) };
}

/** Without paths: anyone may read `/readyz`. */
function warningsOf(problems: number): readonly string[] {
  if (problems === 0) return [];
  return [
    `the changed configuration has ${problems === 1 ? "1 problem" : `${problems} problems`}; the configuration in force stays in force`,
  ];
}

function logProject(
  {
    project: { policy, templates, redaction, guardrails, constitution, spendLimits, webhooks, packs },
  }: HubConfig,
  log: Logger,
): void {
  const workflows = [...templates.values()].filter(({ workflow }) => workflow !== undefined).length;
  const found = {
    ...(policy && { routingPolicy: policy.version, routes: policy.routes.size }),
    ...(templates.size > workflows && { templates: templates.size - workflows }),
    ...(workflows > 0 && { workflows }),
    ...(redaction && { redactionPolicy: "from file" }),
    ...(guardrails && { guardrails: guardrails.rules.length }),
    ...(constitution && { constitution: constitution.version }),
    ...(spendLimits && { spendLimits: "from file" }),
    ...(webhooks && { notifications: webhooks.notifications.length }),
    ...(packs.length > 0 && { packs: packs.length }),
  };
  if (Object.keys(found).length > 0) log.info(found, "configured");
}

/** The files are valid but conflict with what the hub has registered. */
class Misconfigured extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(describeProblems(problems));
    this.problems = problems;
  }
}

interface Running extends Pick<Composed, "hub" | "store"> {
  readonly models: ModelAgents;
  readonly current: CurrentProject;
  readonly keyFile: KeyFile | undefined;
  readonly server: StartedServer;
  readonly log: Logger;
  readonly graceMs: number;
}

/** The first signal shuts the hub down; a second one exits at once, which the store survives. */
function stopOnSignals(running: Running): void {
  let isStopping = false;
  for (const [signal, number] of [
    ["SIGTERM", 15],
    ["SIGINT", 2],
  ] as const) {
    process.on(signal, () => {
      if (isStopping) process.exit(128 + number);
      isStopping = true;
      running.log.info({ signal, graceMs: running.graceMs }, "stopping");
      stop(running).then(
        () => process.exit(exitCodes.stopped),
        (error) => {
          running.log.fatal({ err: error }, "shutdown failed");
          process.exit(exitCodes.failed);
        },
      );
    });
  }
}

/** After this time, a shutdown that still waits says so. */
const silentMs = 1_000;

/** Refuses new work, lets agents finish and stores their results, then closes the connections and the store. */
async function stop({ hub, store, server, models, current, keyFile, log, graceMs }: Running): Promise<void> {
  server.stopTaking();
  current.stop();
  keyFile?.stop();
  const timeout = setTimeout(
    () => {
      log.fatal("shutdown took too long");
      process.exit(exitCodes.failed);
    },
    graceMs + 2 * closeMs,
  );
  const notice = setTimeout(() => {
    const seconds = (graceMs + closeMs) / 1_000;
    log.info(`waiting for running work, at most ${seconds} s; a second signal exits at once`);
  }, silentMs);
  await hub.drain(graceMs);
  await models.stop();
  await server.close(closeMs);
  clearTimeout(notice);
  await store.close();
  clearTimeout(timeout);
  log.info("stopped");
}

function exitCodeOf(error: unknown): number {
  if (error instanceof StoreUnavailable) return exitCodes.noStore;
  if (error instanceof Misconfigured) return exitCodes.misconfigured;
  if (error instanceof ServerError && error.code === "BATON-SERVER-001") return exitCodes.noAddress;
  return error instanceof ServerError ? exitCodes.misconfigured : exitCodes.failed;
}

function describeFailure(error: unknown): string {
  if (error instanceof StoreUnavailable) return `${error.code}  ${error.message}\n  fix: ${error.fix}`;
  if (error instanceof Misconfigured) return error.message;
  return error instanceof ServerError ? String(error) : `the hub cannot start: ${stackOf(error)}`;
}

function stackOf(error: unknown): string {
  return (error instanceof Error && error.stack) || String(error);
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
