import { hash, randomInt, randomUUID } from "node:crypto";
import { schemaVersion } from "@baton/contract";
import {
  type Constitution,
  defaultEntropyOptions,
  defaultFleetSettings,
  type EntropyOptions,
  type FleetSettings,
  type GuardrailPolicy,
  type HubMode,
  notificationsOf,
  type PipelineTemplate,
  type ReviewPolicy,
  type RoutingPolicy,
  type SpendLimits,
  type WebhookPolicy,
} from "@baton/kernel";
import { AgentReports } from "../agents/agent-reports.ts";
import { AttachedAgents } from "../agents/attached/attach.ts";
import type { AttachSettings } from "../agents/attached/settings.ts";
import { CommandAgents } from "../agents/command/command-agents.ts";
import { type CommandOptions, commandSettings } from "../agents/command/settings.ts";
import { AgentConnections } from "../agents/connections.ts";
import { HeldCancels } from "../agents/held-cancels.ts";
import { PushAgents } from "../agents/push/push-agents.ts";
import { type PushOptions, pushSettings } from "../agents/push/settings.ts";
import { GivenSteps } from "../agents/steps/given-steps.ts";
import { HubConfiguration } from "../api/configuration.ts";
import { governedResultBody } from "../api/sap/result-body.ts";
import type { AuditOptions } from "../audit/auditor.ts";
import { findAgents } from "../engine/agent-of.ts";
import { Engine, type Point } from "../engine/engine.ts";
import { defaultIntakeLimits, IntakeBuffer, type IntakeLimits } from "../engine/intake-buffer.ts";
import type { Kernel } from "../engine/kernel.ts";
import { defaultEngineLimits, type EngineLimits } from "../engine/settings.ts";
import { executeCommand } from "../executors/execute.ts";
import { Restorations } from "../executors/restorations.ts";
import { createAlignments } from "../governance/alignments.ts";
import { type GuardCommandOptions, guardCommands } from "../guardrails/guard-commands.ts";
import { createGuards, type GuardrailFunction, withFunctions } from "../guardrails/guards.ts";
import type { Clock } from "../ports/clock.ts";
import type { Chance, ReferenceReader, Verifier, Workspaces } from "../ports/outside.ts";
import type { Store } from "../ports/store.ts";
import { EgressFilter } from "../redaction/egress-filter.ts";
import type { RetentionOptions } from "../retention/retainer.ts";
import { ChangeHints } from "../watch/change-hints.ts";
import { Watchers } from "../watch/watch.ts";
import type { Deliveries } from "../webhooks/deliveries.ts";
import { type HookOptions, openDeliveries } from "../webhooks/open-deliveries.ts";
import { noWorkspaces } from "../workspaces/no-workspaces.ts";

export interface HubParts {
  readonly store: Store;
  /** Default: every pack may take the task types of its manifest. */
  readonly policy?: RoutingPolicy | undefined;
  readonly templates: ReadonlyMap<string, PipelineTemplate>;
  /** What tenants may spend a day and a month. Default: no limits. */
  readonly spendLimits?: SpendLimits | undefined;
  /** Who is sent what about runs. Default: nobody, and tasks cannot ask for results. */
  readonly webhooks?: WebhookPolicy | undefined;
  /** How messages to webhooks are written and sent. */
  readonly hooks?: HookOptions | undefined;
  readonly orchestratorVersion: string;
  /** Default: production. */
  readonly mode?: HubMode;
  readonly verifier: Verifier;
  /** What is checked of each answer before anybody sees it. Default: nothing. */
  readonly guardrails?: GuardrailPolicy | undefined;
  /** What governed tasks and their answers are checked against. Default: nothing. */
  readonly constitution?: Constitution | undefined;
  /** Guardrails that are functions of this program; they apply beside those of the policy. */
  readonly guardrailFunctions?: readonly GuardrailFunction[] | undefined;
  /** Runs guardrails that are commands. Default: the best available sandbox, in an empty folder. */
  readonly guardCommands?: GuardCommandOptions | undefined;
  /** The folder of the constitution, for its commands. Default: that of the guardrails. */
  readonly constitutionFolder?: string | undefined;
  readonly references: ReferenceReader;
  /** Without it, tasks may only name a folder to share, or none. */
  readonly workspaces?: Workspaces | undefined;
  readonly review?: ReviewPolicy;
  readonly entropy?: EntropyOptions;
  /** How long events and turns stay. Default: forever. */
  readonly retention?: RetentionOptions;
  readonly fleet?: FleetSettings;
  /** Redacts everything that leaves the hub. */
  readonly filter?: EgressFilter;
  /** The signer of checkpoints and their copies. Default: signed on request. */
  readonly audit?: AuditOptions;
  readonly limits?: Partial<EngineLimits>;
  readonly room?: Partial<IntakeLimits>;
  readonly attach?: Partial<AttachSettings>;
  readonly push?: PushOptions;
  /** Packs of command agents. */
  readonly commands?: CommandOptions;
  readonly clock?: Clock;
  readonly chance?: Chance;
  readonly kernel?: Kernel;
  /** Receives errors that belong to no call. */
  readonly onProblem?: (problem: Error) => void;
  /** For tests that stop the hub at a point. */
  readonly reach?: (point: Point) => void;
}

/** The parts of a hub, wired and not started. */
export interface ComposedHub {
  readonly engine: Engine;
  readonly connections: AgentConnections;
  readonly reports: AgentReports;
  readonly attached: AttachedAgents;
  readonly push: PushAgents;
  readonly commands: CommandAgents;
  readonly givenSteps: GivenSteps;
  readonly watchers: Watchers;
  readonly changeHints: ChangeHints;
  readonly intake: IntakeBuffer;
  readonly chance: Chance;
  readonly limits: EngineLimits;
  readonly configuration: HubConfiguration;
  readonly deliveries: Deliveries;
  readonly filter: EgressFilter;
  readonly restorations: Restorations;
  /** Aborts when the hub closes. */
  readonly closing: AbortController;
}

/** Wires a hub. `createHub` starts it; a simulation drives its parts itself. */
export function composeHub(parts: HubParts, clock: Clock): ComposedHub {
  const { store, orchestratorVersion, onProblem, reach } = parts;
  const chance = parts.chance ?? systemChance;
  const filter = parts.filter ?? new EgressFilter();
  const fleet = parts.fleet ?? defaultFleetSettings;
  const limits = { ...defaultEngineLimits, ...parts.limits };
  const connections = new AgentConnections(new HeldCancels(clock.after), filter, (tenantId, envelope) =>
    givenSteps.fill(tenantId, envelope),
  );
  const intake = new IntakeBuffer({ ...defaultIntakeLimits, ...parts.room });
  const closing = new AbortController();
  const configuration = new HubConfiguration(parts);
  const restorations = new Restorations();
  const guardrailFunctions = parts.guardrailFunctions ?? [];
  const changeHints = new ChangeHints();

  const { guardCommands: guarding, constitutionFolder } = parts;
  const alignCommands = {
    ...guarding,
    ...(constitutionFolder !== undefined && { folder: constitutionFolder }),
  };
  const deliveries: Deliveries = openDeliveries({
    ...{ clock, filter, policy: () => configuration.webhooks },
    options: { resultBody: governedResultBody(filter), ...parts.hooks },
    stateAt: (pipelineId, version) => engine.pipelineAt(pipelineId, version),
    signal: closing.signal,
    onProblem: onProblem ?? (() => {}),
  });

  const executors = {
    connections,
    alignments: createAlignments({
      redactor: filter.at("event"),
      runCommand: guardCommands(alignCommands),
      soon: clock.soon,
    }),
    verifier: parts.verifier,
    guards: createGuards({
      redactor: filter.at("event"),
      functions: guardrailFunctions,
      runCommand: guardCommands(guarding),
      after: clock.after,
      soon: clock.soon,
    }),
    references: parts.references,
    uuid: chance.uuid,
    workspaces: parts.workspaces ?? noWorkspaces,
    restorations,
    deliveries,
    signal: closing.signal,
  };
  const engine = new Engine({
    store,
    clock,
    chance,
    kernel: parts.kernel,
    settings: {
      policy: () => configuration.policy,
      guardrails: withFunctions(() => configuration.guardrails, guardrailFunctions),
      constitution: () => configuration.constitution,
      spendLimits: () => configuration.spendLimits,
      notifications: (tenantId) => notificationsOf(configuration.webhooks, tenantId),
      fleet,
      ...(parts.mode === "dev" && { withoutBreaker: () => commands.packIds }),
      review: parts.review ?? { normal: "rule" },
      entropy: parts.entropy ?? defaultEntropyOptions,
      orchestratorVersion,
      schemaVersion,
      filter,
      // Through a string into pooled memory: a buffer per hash costs more than the hash.
      digest: (bytes) => Buffer.from(hash("sha256", bytes, "binary"), "latin1"),
      limits,
    },
    executeCommand: (order, own) => executeCommand(executors, order, own),
    onForget: () => connections.forgetAttempts(),
    onAttempt: (change) => {
      connections.update(change);
      if (change.kind === "ended") reports.forget(change, change.dispatchId);
    },
    onEvents: (rows) => watchers.publish(rows),
    onStored: (batch, fleets) => changeHints.publish(batch, fleets),
    onRecovered: () => {
      watchers.rereadStore();
      attached.introduceAgain();
      push.introduceAgain();
      commands.introduceAgain();
    },
    ...(onProblem && { onProblem }),
    ...(reach && { reach }),
  });
  const givenSteps = new GivenSteps({ engine, store });
  const agentOf = findAgents(engine, store);
  const watchers = new Watchers({
    store,
    filter,
    lastEvent: (tenantId) => engine.lastEvent(tenantId),
    agentOf,
  });
  const reports = new AgentReports({
    ...{ engine, connections, store, filter, agentOf },
    ...{ uuid: chance.uuid, after: clock.after, soon: clock.soon },
  });
  const push = new PushAgents({
    engine,
    connections,
    reports,
    intake,
    settings: pushSettings(parts.push),
    after: clock.after,
  });
  const commands = new CommandAgents({
    ...{ engine, connections, reports, intake, givenSteps, redactor: filter.at("event") },
    settings: commandSettings(parts.commands),
    after: clock.after,
    leaseTtlMs: fleet.leaseTtlMs.default,
    onProblem: onProblem ?? (() => {}),
  });
  const attached = new AttachedAgents({
    engine,
    connections,
    reports,
    intake,
    settings: {
      leaseTtlMs: fleet.leaseTtlMs.default,
      heartbeatIntervalMs: fleet.leaseTtlMs.default / 3,
      resumeGraceMs: 2_000,
      outgoingLimit: 4_096,
      outstandingLimit: 256,
      orchestratorVersion,
      ...parts.attach,
    },
    refuseCommandInstance: (agent) => commands.refuseCommandInstance(agent),
    errors: filter.at("error"),
    after: clock.after,
    uuid: chance.uuid,
  });
  return {
    engine,
    connections,
    reports,
    attached,
    push,
    commands,
    givenSteps,
    watchers,
    changeHints,
    intake,
    chance,
    limits,
    configuration,
    deliveries,
    filter,
    restorations,
    closing,
  };
}

const systemChance: Chance = { uuid: randomUUID, seed: () => randomInt(2 ** 32) };
