import { hash, randomInt, randomUUID } from "node:crypto";
import { schemaVersion } from "@baton/contract";
import {
  defaultEntropyOptions,
  defaultFleetSettings,
  type EntropyOptions,
  type FleetSettings,
  type HubMode,
  type PipelineTemplate,
  type ReviewPolicy,
  type RoutingPolicy,
} from "@baton/kernel";
import { AgentDesk } from "../agents/agent-desk.ts";
import { AttachedAgents } from "../agents/attached/attach.ts";
import type { AttachSettings } from "../agents/attached/settings.ts";
import { CommandAgents } from "../agents/command/command-agents.ts";
import { type CommandOptions, commandSettings } from "../agents/command/settings.ts";
import { HeldCancels } from "../agents/held-cancels.ts";
import { PushAgents } from "../agents/push/push-agents.ts";
import { type PushOptions, pushSettings } from "../agents/push/settings.ts";
import { Switchboard } from "../agents/switchboard.ts";
import type { AuditOptions } from "../audit/auditor.ts";
import { carryOut } from "../driver/carry-out.ts";
import { Driver, type Point } from "../driver/driver.ts";
import type { Kernel } from "../driver/kernel.ts";
import { Restorations } from "../driver/restorations.ts";
import { type DriverLimits, defaultDriverLimits } from "../driver/settings.ts";
import { Filter } from "../filter/filter.ts";
import type { Clock } from "../ports/clock.ts";
import type { Chance, ReferenceReader, Verifier, Workspaces } from "../ports/outside.ts";
import type { Store } from "../ports/store.ts";
import type { RetentionOptions } from "../retention/retainer.ts";
import { noWorkspaces } from "../workspaces/no-workspaces.ts";
import { findAgents } from "./agent-of.ts";
import { HubConfiguration } from "./configuration.ts";
import { Stirs } from "./stirs.ts";
import { defaultRoomLimits, type RoomLimits, WaitingRoom } from "./waiting-room.ts";
import { Watchers } from "./watch.ts";

export interface HubParts {
  readonly store: Store;
  /** Without one, every pack may take the tasks it says it does. */
  readonly policy?: RoutingPolicy | undefined;
  readonly templates: ReadonlyMap<string, PipelineTemplate>;
  readonly orchestratorVersion: string;
  /** How strict it is; production unless stated. */
  readonly mode?: HubMode;
  readonly verifier: Verifier;
  readonly references: ReferenceReader;
  /** Without it, only tasks that name a folder to share, or none at all, can be done. */
  readonly workspaces?: Workspaces | undefined;
  readonly review?: ReviewPolicy;
  readonly entropy?: EntropyOptions;
  /** How long events and turns stay; without it, for ever. */
  readonly retention?: RetentionOptions;
  readonly fleet?: FleetSettings;
  /** What everything passes that leaves the hub; the usual one unless told. */
  readonly filter?: Filter;
  /** Who signs the record, and where it is written besides. Without it, it is signed when somebody asks. */
  readonly audit?: AuditOptions;
  readonly limits?: Partial<DriverLimits>;
  readonly room?: Partial<RoomLimits>;
  readonly attach?: Partial<AttachSettings>;
  readonly push?: PushOptions;
  /** Packs whose tasks the hub gives to commands that it starts itself. */
  readonly commands?: CommandOptions;
  readonly clock?: Clock;
  readonly chance?: Chance;
  readonly kernel?: Kernel;
  /** Something went wrong that nobody asked about. */
  readonly onProblem?: (problem: Error) => void;
  /** For tests that stop the hub at a named point. */
  readonly reach?: (point: Point) => void;
}

/** What a hub is made of, wired and not yet started. */
export interface ComposedHub {
  readonly driver: Driver;
  readonly switchboard: Switchboard;
  readonly desk: AgentDesk;
  readonly attached: AttachedAgents;
  readonly push: PushAgents;
  readonly commands: CommandAgents;
  readonly watchers: Watchers;
  readonly stirs: Stirs;
  readonly room: WaitingRoom;
  readonly chance: Chance;
  readonly limits: DriverLimits;
  readonly configuration: HubConfiguration;
  readonly filter: Filter;
  readonly restorations: Restorations;
  /** Fires when the hub closes. */
  readonly closing: AbortController;
}

/** Puts a hub together. Whoever has its parts starts it: the hub itself, or a simulation of one. */
export function composeHub(parts: HubParts, clock: Clock): ComposedHub {
  const { store, orchestratorVersion, onProblem, reach } = parts;
  const chance = parts.chance ?? systemChance;
  const filter = parts.filter ?? new Filter();
  const fleet = parts.fleet ?? defaultFleetSettings;
  const limits = { ...defaultDriverLimits, ...parts.limits };
  const switchboard = new Switchboard(new HeldCancels(clock.after), filter);
  const room = new WaitingRoom({ ...defaultRoomLimits, ...parts.room });
  const closing = new AbortController();
  const configuration = new HubConfiguration(parts);
  const restorations = new Restorations();
  const stirs = new Stirs();

  const hands = {
    switchboard,
    verifier: parts.verifier,
    references: parts.references,
    uuid: chance.uuid,
    workspaces: parts.workspaces ?? noWorkspaces,
    restorations,
    signal: closing.signal,
  };
  const driver = new Driver({
    store,
    clock,
    chance,
    kernel: parts.kernel,
    settings: {
      policy: () => configuration.policy,
      fleet,
      ...(parts.mode === "dev" && { withoutBreaker: () => commands.packIds }),
      review: parts.review ?? { normal: "rule" },
      entropy: parts.entropy ?? defaultEntropyOptions,
      orchestratorVersion,
      schemaVersion,
      filter,
      // As text, and from there into pooled memory: a buffer of its own costs more than the hash.
      digest: (bytes) => Buffer.from(hash("sha256", bytes, "binary"), "latin1"),
      limits,
    },
    carryOut: (order, own) => carryOut(hands, order, own),
    onForget: () => switchboard.forgetAttempts(),
    onAttempt: (change) => {
      switchboard.hear(change);
      if (change.kind === "ended") desk.forget(change, change.dispatchId);
    },
    onEvents: (rows) => watchers.publish(rows),
    onStored: (batch, fleets) => stirs.publish(batch, fleets),
    onRecovered: () => {
      watchers.lookAgain();
      attached.introduceAgain();
      push.introduceAgain();
      commands.introduceAgain();
    },
    ...(onProblem && { onProblem }),
    ...(reach && { reach }),
  });
  const agentOf = findAgents(driver, store);
  const watchers = new Watchers({
    store,
    filter,
    lastEvent: (tenantId) => driver.lastEvent(tenantId),
    agentOf,
  });
  const desk = new AgentDesk({
    ...{ driver, switchboard, store, filter, agentOf },
    ...{ uuid: chance.uuid, after: clock.after, soon: clock.soon },
  });
  const push = new PushAgents({
    driver,
    switchboard,
    desk,
    room,
    settings: pushSettings(parts.push),
    after: clock.after,
  });
  const commands = new CommandAgents({
    ...{ driver, switchboard, desk, room, redactor: filter.at("event") },
    settings: commandSettings(parts.commands),
    after: clock.after,
    leaseTtlMs: fleet.leaseTtlMs.default,
    onProblem: onProblem ?? (() => {}),
  });
  const attached = new AttachedAgents({
    driver,
    switchboard,
    desk,
    room,
    settings: {
      leaseTtlMs: fleet.leaseTtlMs.default,
      heartbeatIntervalMs: fleet.leaseTtlMs.default / 3,
      resumeGraceMs: 2_000,
      outgoingLimit: 4_096,
      outstandingLimit: 256,
      orchestratorVersion,
      ...parts.attach,
    },
    errors: filter.at("error"),
    after: clock.after,
    uuid: chance.uuid,
  });
  return {
    driver,
    switchboard,
    desk,
    attached,
    push,
    commands,
    watchers,
    stirs,
    room,
    chance,
    limits,
    configuration,
    filter,
    restorations,
    closing,
  };
}

const systemChance: Chance = { uuid: randomUUID, seed: () => randomInt(2 ** 32) };
