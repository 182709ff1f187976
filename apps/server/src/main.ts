import {
  configurationChanged,
  EgressFilter,
  egressLimits,
  StoreUnavailable,
  watchStalls,
} from "@baton/runtime";
import { type Logger, pino } from "pino";
import { runAuditCommand } from "./audit-command.ts";
import { closeInherited } from "./close-inherited.ts";
import { type Composed, composeHub } from "./compose.ts";
import { type KeptKeys, keepKeys } from "./config/keep-keys.ts";
import { type HubConfig, loadConfig } from "./config/load-config.ts";
import { describeOptions } from "./config/options.ts";
import { type ConfigProblem, describeProblems } from "./config/problem.ts";
import { exitCodes } from "./exit-codes.ts";
import { hubRedactor } from "./hub-redactor.ts";
import { runKeyCommand } from "./key-command.ts";
import { alertByLog, createLog } from "./log.ts";
import { announceHub } from "./operator/announce.ts";
import { openOperatorToken, tokenFileOf } from "./operator/token-file.ts";
import { findOpenFolder, makeTemporaryFolder } from "./own-folders.ts";
import { findPage } from "./page/find-page.ts";
import { print } from "./print.ts";
import { type CurrentProject, keepCurrent } from "./project/keep-current.ts";
import { commandPacks, registerPacks, tenantsOf } from "./project/register-packs.ts";
import { runProjectCommand } from "./project-command.ts";
import { ServerError } from "./server-error.ts";
import { type StartedServer, startServer } from "./start-server.ts";
import { runStoreCommand } from "./store-command.ts";
import { version } from "./version.ts";

/** After the grace: to close connections and the store. */
const closeMs = 5_000;

/** Warnings of the configuration that the log has one by one. */
const mostToldWarnings = 20;

/** Runs the hub until it is told to stop. */
export async function main(args: readonly string[] = process.argv.slice(2)): Promise<void> {
  if (args.includes("--help")) return say(describeOptions());
  if (args.includes("--version")) return say(version);
  if (args[0] === "key") {
    process.exitCode = runKeyCommand(args.slice(1));
    return;
  }
  const filter = new EgressFilter({ redactor: hubRedactor(undefined, process.env) });
  if (args[0] === "project") {
    process.exitCode = await runProjectCommand(args.slice(1), filter);
    return;
  }
  if (args[0] === "store") {
    process.exitCode = await runStoreCommand(args.slice(1), process.env, filter);
    return;
  }
  if (args[0] === "audit") {
    process.exitCode = await runAuditCommand(args.slice(1), process.env, filter);
    return;
  }
  const reading = loadConfig(args, process.env, process.cwd());
  if (!reading.ok) {
    print(process.stderr, describeProblems(reading.problems), filter);
    process.exitCode = exitCodes.misconfigured;
    return;
  }
  const { config } = reading;
  filter.use(hubRedactor(config.project.redaction, process.env));
  const log = createLog(config.logLevel, filter, pino.destination({ dest: 2, sync: true }));
  alertByLog(filter, log);
  filter.watchStallsWith(watchStalls(egressLimits.redactionMs));
  const { length: warnings } = reading.warnings;
  for (const { code, at, message, fix } of reading.warnings.slice(0, mostToldWarnings))
    log.warn({ code, at, fix }, message);
  if (warnings > mostToldWarnings)
    log.warn({ warnings }, "`baton check` tells all that may be wrong with the configuration");
  try {
    await run(config, log, filter);
  } catch (error) {
    print(process.stderr, describeFailure(error), filter);
    process.exit(exitCodeOf(error));
  }
}

async function run(config: HubConfig, log: Logger, filter: EgressFilter): Promise<void> {
  closeInherited();
  // Nothing is known to be right any more: what was answered is stored, and the next start goes on from there.
  process.on("uncaughtException", (error) => {
    log.fatal({ err: error }, "a mistake that nobody caught");
    process.exit(exitCodes.failed);
  });
  const { hub, store, warnings, downgrade, tellSandbox } = await composeHub(config, log, filter);
  const open = config.data === undefined ? undefined : findOpenFolder(config.data);
  if (open) log.warn({ code: open.code, at: open.at, fix: open.fix }, open.message);
  const tenants = tenantsOf(config.server.keys);
  const refused = await registerPacks(hub, config.project.packFiles, tenants);
  if (refused.length > 0) throw new Misconfigured(refused);
  if (downgrade) await hub.recordEvent(tenants, downgrade);
  await hub.setCommands(commandPacks(config.project.packFiles, tenants));
  const operator = config.keysFile === undefined ? openOperator(config.data) : undefined;
  const server = await startServer({
    hub,
    config: { ...config.server, page: findPage(), mode: config.mode, operatorToken: operator?.token },
    log,
    filter,
    recordEvent: (tenants, event) => hub.recordEvent(tenants, event),
  });
  tellSandbox();
  const current = keepCurrent({
    ...{ hub, config, log },
    follow: ({ redaction }) => filter.use(hubRedactor(redaction, process.env)),
  });
  const keyFile = followKeys({ hub, config, log, server, current });
  server.warnWith(() => [
    ...warningsOf(current.problems().length),
    ...(keyFile && keyFile.problems().length > 0
      ? ["the file of keys has changed and is wrong; the keys that were in force stay in force"]
      : []),
    ...warnings(),
    ...hub.commandWarnings(),
    ...hub.recordWarnings(),
  ]);
  stopOnSignals({ hub, store, server, current, keyFile, log, graceMs: config.graceMs });
  const { grpcAddress: grpc, httpAddress: http } = server;
  tellProject(config, log);
  const { mode } = config;
  const keys = config.server.keys.length;
  log.info({ version, mode, grpc, http, data: config.data ?? "memory", keys }, "ready");
  if (operator) process.once("exit", announceHub({ grpc, http, tokenFile: operator.tokenFile }));
  const more = operator ? { operatorTokenFile: operator.tokenFile } : {};
  say(JSON.stringify({ ready: true, grpc, http, mode, pid: process.pid, ...more }));
}

/** Other keys come into force without a restart, and each tenant's record says what changed for it. */
function followKeys({
  hub,
  config,
  log,
  server,
  current,
}: Pick<Running, "hub" | "log" | "server" | "current"> & { readonly config: HubConfig }):
  | KeptKeys
  | undefined {
  if (config.keysFile === undefined) return undefined;
  return keepKeys({
    ...{ path: config.keysFile, entries: config.server.keys, log },
    apply: async (entries, changes) => {
      server.replaceKeys(entries);
      for (const [tenant, own] of Map.groupBy(changes, ({ tenant }) => tenant)) {
        const event = configurationChanged(own.map(({ text }) => text));
        await hub
          .recordEvent([tenant], event)
          .catch((error) => log.error({ err: error }, "the change of the keys is not in the record"));
      }
      await current.followTenants(tenantsOf(entries));
    },
  });
}

/** A store in memory has no folder: its token goes with the process. */
function openOperator(data: string | undefined): { readonly token: string; readonly tokenFile: string } {
  const folder = data ?? makeTemporaryFolder();
  return { token: openOperatorToken(folder), tokenFile: tokenFileOf(folder) };
}

/** Where the files are is for the log alone: probes are answered to anybody. */
function warningsOf(problems: number): readonly string[] {
  if (problems === 0) return [];
  return [
    `the configuration has changed and has ${problems === 1 ? "1 problem" : `${problems} problems`}; what was in force stays in force`,
  ];
}

function tellProject({ project: { policy, templates, redaction, packs } }: HubConfig, log: Logger): void {
  const found = {
    ...(policy && { routingPolicy: policy.version, routes: policy.routes.size }),
    ...(templates.size > 0 && { templates: templates.size }),
    ...(redaction && { redactionPolicy: "as in the file" }),
    ...(packs.length > 0 && { packs: packs.length }),
  };
  if (Object.keys(found).length > 0) log.info(found, "configured");
}

/** The files are good by themselves, and go against what the hub knows. */
class Misconfigured extends Error {
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    super(describeProblems(problems));
    this.problems = problems;
  }
}

interface Running extends Omit<Composed, "warnings" | "downgrade" | "tellSandbox"> {
  readonly current: CurrentProject;
  readonly keyFile: KeptKeys | undefined;
  readonly server: StartedServer;
  readonly log: Logger;
  readonly graceMs: number;
}

/** The first signal stops the hub in order; a second one ends the process as it is: the store can bear that. */
function stopOnSignals(running: Running): void {
  let asked = false;
  for (const [signal, number] of [
    ["SIGTERM", 15],
    ["SIGINT", 2],
  ] as const) {
    process.on(signal, () => {
      if (asked) process.exit(128 + number);
      asked = true;
      running.log.info({ signal, graceMs: running.graceMs }, "stopping");
      stop(running).then(
        () => process.exit(exitCodes.stopped),
        (error) => {
          running.log.fatal({ err: error }, "stopped without being done");
          process.exit(exitCodes.failed);
        },
      );
    });
  }
}

/** After this long without a word, whoever has pressed Ctrl-C wonders. */
const silentMs = 1_000;

/** Not ready and nothing new, then agents finish and the hub stores what they say, then connections end, then the store. */
async function stop({ hub, store, server, current, keyFile, log, graceMs }: Running): Promise<void> {
  server.stopTaking();
  current.stop();
  keyFile?.stop();
  const late = setTimeout(
    () => {
      log.fatal("stopping took too long");
      process.exit(exitCodes.failed);
    },
    graceMs + 2 * closeMs,
  );
  const patience = setTimeout(() => {
    const seconds = (graceMs + closeMs) / 1_000;
    log.info(`waits for what is under way, ${seconds} s at the most; a second signal ends it at once`);
  }, silentMs);
  await hub.drain(graceMs);
  await server.close(closeMs);
  clearTimeout(patience);
  await store.close();
  clearTimeout(late);
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
  return error instanceof ServerError ? String(error) : `the hub could not be started: ${stackOf(error)}`;
}

function stackOf(error: unknown): string {
  return (error instanceof Error && error.stack) || String(error);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
