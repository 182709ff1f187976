/**
 * Packs whose tasks a command does (A §3.4, the dev adapter). The hub registers one instance of each, says in its place how
 * it is, and starts the command for every attempt. One attempt at a time: branches that could run side by side run one
 * after another (A §4.7).
 */
import { hash } from "node:crypto";
import { type AgentHeartbeat, AgentHeartbeatSchema, HealthStatus } from "@baton/contract";
import { type AttemptNote, judgeHealth, noteAttempt, type Redactor } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { sandboxDowngraded } from "../../audit/hub-events.ts";
import type { Driver } from "../../driver/driver.ts";
import { pipelineOf } from "../../driver/order.ts";
import type { NoSandbox } from "../../evidence/sandbox/find-sandbox.ts";
import type { Sandbox } from "../../evidence/sandbox/sandbox.ts";
import type { WaitingRoom } from "../../hub/waiting-room.ts";
import { type Address, keyOf } from "../address.ts";
import { type AgentDesk, fleetRefusal } from "../agent-desk.ts";
import type { Switchboard } from "../switchboard.ts";
import { CommandCalls } from "./command-calls.ts";
import { CommandLink, type Definition } from "./command-link.ts";
import { hasProgram, programOf } from "./find-program.ts";
import { presets } from "./presets/index.ts";
import { probeAgent } from "./probe/probe-agent.ts";
import { Prober } from "./probe/prober.ts";
import type { CommandPack, CommandSettings } from "./settings.ts";

export interface CommandAgentsParts {
  readonly driver: Driver;
  readonly switchboard: Switchboard;
  readonly desk: AgentDesk;
  readonly room: WaitingRoom;
  readonly redactor: Redactor;
  readonly settings: CommandSettings;
  readonly after: (delayMs: number, callback: () => void) => () => void;
  readonly leaseTtlMs: number;
  readonly onProblem: (problem: Error) => void;
}

interface Known {
  pack: CommandPack;
  readonly link: CommandLink;
  /** What makes it another agent when it changes. */
  digest: string;
  notes: readonly AttemptNote[];
  prober: Prober;
  stopBeating: () => void;
}

export class CommandAgents {
  readonly #parts: CommandAgentsParts;
  readonly #known = new Map<string, Known>();
  /** What commands run in whose pack does not say otherwise; found when there is one. */
  #sandbox: Sandbox | NoSandbox | undefined;
  #packIds: ReadonlySet<string> = new Set();

  constructor(parts: CommandAgentsParts) {
    this.#parts = parts;
  }

  /** The packs that have a command; another set once they change. */
  get packIds(): ReadonlySet<string> {
    return this.#packIds;
  }

  /**
   * From now on these are there, and no others. What a command that is gone works on is ended, and lost; one whose pack has
   * changed finishes what it works on as it began.
   */
  async set(packs: readonly CommandPack[]): Promise<void> {
    this.#packIds = new Set(packs.map(({ manifest }) => manifest.packId));
    const wanted = new Map(packs.map((pack) => [keyOf(addressOf(pack)), pack]));
    if (packs.some(({ command }) => command.sandbox !== "off"))
      this.#sandbox = await this.#parts.settings.sandbox();
    for (const [key, known] of this.#known) {
      const pack = wanted.get(key);
      wanted.delete(key);
      if (!pack) await this.#remove(key, known);
      else if (digestOf(pack) !== known.digest) await this.#change(known, pack);
    }
    const added = [...wanted].map(([key, pack]) => ({ key, pack, prober: this.#prober(key, pack) }));
    // All at once: each may take as long as its program takes to start.
    await Promise.all(added.map(({ prober }) => prober.begin()));
    for (const { key, pack, prober } of added) await this.#add(key, pack, prober);
  }

  /** The hub's memory of the fleet has begun anew. */
  introduceAgain(): void {
    for (const known of this.#known.values()) void this.#introduce(known);
  }

  /** bubblewrap, namespaces, none when nothing works, or off; empty for an agent that is no command. */
  sandboxOf(agent: Address): string {
    const known = this.#known.get(keyOf(agent));
    if (!known) return "";
    return known.pack.command.sandbox === "off" ? "off" : (this.#sandbox?.kind ?? "");
  }

  /** How many of them cannot work, and how many run with less than a full sandbox. */
  warnings(): readonly string[] {
    const all = [...this.#known.values()];
    const { length: unready } = all.filter(
      ({ pack, prober }) => prober.why !== undefined || !hasProgram(pack),
    );
    const cannotWork = "not installed, not signed in or broken, as baton agent list says";
    return [
      ...(unready === 0 ? [] : [`${cannotWork}: ${unready} of ${all.length} command agents`]),
      ...this.#weakSandboxes(),
    ];
  }

  #weakSandboxes(): readonly string[] {
    const kinds = [...this.#known.values()].map(({ pack }) => this.sandboxOf(addressOf(pack)));
    return Object.entries(weakSandboxes).flatMap(([kind, what]) => {
      const { length } = kinds.filter((one) => one === kind);
      return length === 0 ? [] : [`${what}: ${length} of ${kinds.length} command agents`];
    });
  }

  /** Ends every command. Resolves when none runs any more. What they worked on, the hub's next life finds lost. */
  async close(): Promise<void> {
    await Promise.all([...this.#known].map(([key, known]) => this.#drop(key, known)));
  }

  async #add(key: string, pack: CommandPack, prober: Prober): Promise<void> {
    const { driver, switchboard, settings, redactor } = this.#parts;
    const { limits } = settings;
    const plain = (text: string) =>
      redactor.redactText(text).text.slice(0, limits.reasonLength).toWellFormed();
    const definition = this.#define(key, pack);
    const link = new CommandLink({ ...this.#parts, limits, plain }, definition, addressOf(pack));
    const known: Known = { pack, link, digest: digestOf(pack), notes: [], prober, stopBeating: () => {} };
    this.#known.set(key, known);
    if (!(await this.#introduce(known))) {
      this.#known.delete(key);
      return prober.close();
    }
    this.#recordDowngrade(pack);
    switchboard.connect(link);
    // Commands end with the hub that started them: what was under way there is lost.
    const { lost } = switchboard.reconcile(link, new Set());
    const reason = "the command ended with the hub that had started it";
    for (const dispatchId of lost)
      void driver.give(pipelineOf(dispatchId), { type: "agent-lost", dispatchId, reason });
    this.#beatOn(known);
  }

  async #change(known: Known, pack: CommandPack): Promise<void> {
    const { pack: packBefore, digest, prober: proberBefore } = known;
    const key = keyOf(addressOf(pack));
    const prober = this.#prober(key, pack);
    await prober.begin();
    Object.assign(known, { pack, digest: digestOf(pack), prober });
    // What is refused does not come into force: the one before goes on.
    const isTaken = await this.#introduce(known);
    await (isTaken ? proberBefore : prober).close();
    if (!isTaken) return void Object.assign(known, { pack: packBefore, digest, prober: proberBefore });
    known.notes = [];
    if (packBefore.command.sandbox !== pack.command.sandbox) this.#recordDowngrade(pack);
    known.link.use(this.#define(key, pack));
  }

  #prober(key: string, pack: CommandPack): Prober {
    const { settings, after } = this.#parts;
    return new Prober({
      probe: (signal) => probeAgent(pack, settings, signal),
      after,
      onChange: () => {
        const known = this.#known.get(key);
        if (known) void this.#beat(known);
      },
    });
  }

  #define(key: string, { manifest, command, folder }: CommandPack): Definition {
    const { driver, settings, redactor } = this.#parts;
    const { packId } = manifest;
    const calls = new CommandCalls({
      ...{ manifest, command, instanceId: instanceOf(packId), settings, redactor, packFolder: folder },
      nowMs: () => driver.nowMs,
      onAttempt: (note) => {
        const known = this.#known.get(key);
        if (!known) return;
        known.notes = noteAttempt(known.notes, note);
        void this.#beat(known);
      },
      onUnready: (why) => this.#known.get(key)?.prober.fail(why),
    });
    const { preset } = command;
    return { calls, restrained: preset !== undefined && presets[preset].restrained };
  }

  #whyNoSandbox(): string {
    const why = describeSandbox(this.#sandbox);
    return `no sandbox works here (${why}); install bubblewrap, or say sandbox: off in the pack`;
  }

  /** That a command runs with less than a full sandbox is on record from when it begins to. */
  #recordDowngrade(pack: CommandPack): void {
    const { driver, onProblem } = this.#parts;
    const used = this.sandboxOf(addressOf(pack));
    if (used === "bubblewrap" || used === "") return;
    const { packId } = pack.manifest;
    const why = used === "off" ? "it says sandbox: off" : describeSandbox(this.#sandbox);
    const event = sandboxDowngraded({ wanted: "bubblewrap", used, reason: `pack "${packId}": ${why}` });
    driver.recordEvent(pack.tenantId, event).catch(onProblem);
  }

  async #introduce(known: Known): Promise<boolean> {
    const { driver, onProblem } = this.#parts;
    const { tenantId, manifest } = known.pack;
    const refused =
      (await driver.tellFleet(tenantId, { kind: "register", manifest })) ?? (await this.#beat(known));
    if (refused) onProblem(fleetRefusal(refused));
    return refused === undefined;
  }

  #beat(known: Known) {
    const { tenantId } = known.pack;
    return this.#parts.driver.tellFleet(tenantId, { kind: "heartbeat", heartbeat: this.#heartbeat(known) });
  }

  #beatOn(known: Known): void {
    known.stopBeating = this.#parts.after(this.#parts.leaseTtlMs / 3, () => {
      void this.#beat(known);
      this.#beatOn(known);
    });
  }

  #heartbeat({ pack, notes, prober }: Known): AgentHeartbeat {
    const { driver, leaseTtlMs, redactor, settings } = this.#parts;
    const { nowMs } = driver;
    const health = judgeHealth(notes, {
      nowMs,
      isThere: hasProgram(pack),
      program: programOf(pack),
      unready: this.sandboxOf(addressOf(pack)) === "none" ? this.#whyNoSandbox() : prober.why,
    });
    const reason = redactor.redactText(health.reason).text.slice(0, settings.limits.reasonLength);
    const { packId, instanceId } = addressOf(pack);
    return create(AgentHeartbeatSchema, {
      ...{ packId, instanceId, packVersion: pack.manifest.packVersion },
      health: {
        status: HealthStatus[health.status],
        errorRate1m: health.errorRate1m,
        avgLatency1m: durationFromMs(Math.round(health.avgLatencyMs)),
        degradedTools: [...health.degradedTools],
        reason: reason.toWellFormed(),
      },
      capacity: { maxTasks: 1 },
      heartbeatAt: timestampFromMs(nowMs),
      leaseTtl: durationFromMs(leaseTtlMs),
    });
  }

  async #remove(key: string, known: Known): Promise<void> {
    await this.#drop(key, known);
    const { tenantId, packId, instanceId } = known.link;
    await this.#parts.driver.tellFleet(tenantId, { kind: "detach", packId, instanceId });
  }

  async #drop(key: string, { link, prober, stopBeating }: Known): Promise<void> {
    this.#known.delete(key);
    stopBeating();
    const probed = prober.close();
    this.#parts.switchboard.disconnect(link);
    await Promise.all([link.close(), probed]);
  }
}

const weakSandboxes = {
  off: "run without a sandbox",
  namespaces: "run in a weak sandbox",
  none: "not run, since no sandbox works",
};

function describeSandbox(sandbox: Sandbox | NoSandbox | undefined): string {
  if (sandbox === undefined) return "";
  return (sandbox.kind === "none" ? sandbox.reason : sandbox.warning) ?? "";
}

/** There is one of each pack, so it has one name, in every life of the hub. */
function addressOf({ tenantId, manifest: { packId } }: CommandPack) {
  return { tenantId, packId, instanceId: instanceOf(packId) };
}

function instanceOf(packId: string): string {
  return `${packId}-command`;
}

function digestOf({ manifest, command, folder }: CommandPack): string {
  const text = JSON.stringify([manifest, command, folder], (_, value) =>
    typeof value === "bigint" ? `${value}` : value,
  );
  return hash("sha256", text);
}
