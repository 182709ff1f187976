/**
 * Command agents (A §3.4, the dev adapter). The hub registers one instance for each pack, sends its heartbeats, and starts the
 * command for every attempt, one at a time: parallel branches run one after another (A §4.7).
 */
import { hash } from "node:crypto";
import type { AgentHeartbeat } from "@baton/contract";
import { type AttemptNote, noteAttempt, type Redactor } from "@baton/kernel";
import { sandboxDowngraded } from "../../audit/hub-events.ts";
import type { Engine } from "../../engine/engine.ts";
import type { IntakeBuffer } from "../../engine/intake-buffer.ts";
import { type Address, keyOf } from "../../ports/agent-address.ts";
import { HubError } from "../../ports/hub-error.ts";
import { pipelineOf } from "../../ports/stored-command.ts";
import type { NoSandbox } from "../../processes/sandbox/find-sandbox.ts";
import type { Sandbox } from "../../processes/sandbox/sandbox.ts";
import { fleetRefusal } from "../accept.ts";
import type { AgentReports } from "../agent-reports.ts";
import type { AgentConnections } from "../connections.ts";
import type { GivenSteps } from "../steps/given-steps.ts";
import { CommandCalls } from "./command-calls.ts";
import { CommandLink, type Definition } from "./command-link.ts";
import { hasProgram } from "./find-program.ts";
import { addressOf, commandHeartbeat, instanceOf } from "./heartbeat.ts";
import { presets } from "./presets/index.ts";
import { probeAgent } from "./probe/probe-agent.ts";
import { Prober } from "./probe/prober.ts";
import { homeFoldersOf } from "./sandbox/enclose-agent.ts";
import type { CommandPack, CommandSettings } from "./settings.ts";

export interface CommandAgentsParts {
  readonly engine: Engine;
  readonly connections: AgentConnections;
  readonly reports: AgentReports;
  readonly intake: IntakeBuffer;
  readonly redactor: Redactor;
  readonly givenSteps: Pick<GivenSteps, "all">;
  readonly settings: CommandSettings;
  readonly after: (delayMs: number, callback: () => void) => () => void;
  readonly leaseTtlMs: number;
  readonly onProblem: (problem: Error) => void;
}

interface Known {
  pack: CommandPack;
  readonly link: CommandLink;
  /** Of manifest, command and folder: another digest is another agent. */
  digest: string;
  notes: readonly AttemptNote[];
  prober: Prober;
  stopBeating: () => void;
}

export class CommandAgents {
  readonly #parts: CommandAgentsParts;
  readonly #known = new Map<string, Known>();
  /** The sandbox of packs that do not turn it off; found with the first of them. */
  #sandbox: Sandbox | NoSandbox | undefined;
  #packIds: ReadonlySet<string> = new Set();
  #homeFolders: readonly string[] = [];

  constructor(parts: CommandAgentsParts) {
    this.#parts = { ...parts, settings: { ...parts.settings, homeFolders: () => this.#homeFolders } };
  }

  /** Packs with a command; a new set after a change. */
  get packIds(): ReadonlySet<string> {
    return this.#packIds;
  }

  /**
   * Replaces the command agents. The attempt of a removed one is ended and lost; a changed one finishes its attempt as it
   * began.
   */
  async set(packs: readonly CommandPack[]): Promise<void> {
    this.#packIds = new Set(packs.map(({ manifest }) => manifest.packId));
    this.#homeFolders = packs.flatMap(({ command }) => homeFoldersOf(command));
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
    // In parallel: each takes as long as its program takes to start.
    await Promise.all(added.map(({ prober }) => prober.begin()));
    for (const { key, pack, prober } of added) await this.#add(key, pack, prober);
  }

  /** Registers all again after the engine has recovered. */
  introduceAgain(): void {
    for (const known of this.#known.values()) void this.#introduce(known);
  }

  /** bubblewrap, namespaces, none when nothing works, or off; empty for other agents. */
  sandboxOf(agent: Address): string {
    const known = this.#known.get(keyOf(agent));
    if (!known) return "";
    return known.pack.command.sandbox === "off" ? "off" : (this.#sandbox?.kind ?? "");
  }

  /** Throws for the instance of a command agent: another program in its place would get its tasks, reviews included. */
  refuseCommandInstance(agent: Address): void {
    if (!this.#known.has(keyOf(agent))) return;
    const message = `instance "${agent.instanceId}" of pack "${agent.packId}" is a command that the hub starts itself`;
    throw new HubError("precondition", "BATON-FLEET-001", message, {
      fix: "choose another instance id",
      violations: [{ field: "heartbeat.instance_id", rule: "BATON-FLEET-001", message }],
    });
  }

  /** How many cannot work, and how many run with less than a full sandbox. */
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

  /** Ends every command. Resolves when none runs any more. Their attempts are lost after the restart. */
  async close(): Promise<void> {
    await Promise.all([...this.#known].map(([key, known]) => this.#drop(key, known)));
  }

  async #add(key: string, pack: CommandPack, prober: Prober): Promise<void> {
    const { engine, connections, settings } = this.#parts;
    const { limits } = settings;
    const plain = (text: string) => this.#plain(text);
    const definition = this.#define(key, pack);
    const link = new CommandLink({ ...this.#parts, limits, plain }, definition, addressOf(pack));
    const known: Known = { pack, link, digest: digestOf(pack), notes: [], prober, stopBeating: () => {} };
    this.#known.set(key, known);
    if (!(await this.#introduce(known))) {
      this.#known.delete(key);
      return prober.close();
    }
    this.#recordDowngrade(pack);
    connections.connect(link);
    // Commands end with the hub that started them: attempts under way are lost.
    const { lost } = connections.reconcile(link, new Set());
    const reason = "the command ended with the hub that had started it";
    for (const dispatchId of lost)
      void engine.enqueue(pipelineOf(dispatchId), { type: "agent-lost", dispatchId, reason });
    this.#beatOn(known);
  }

  async #change(known: Known, pack: CommandPack): Promise<void> {
    const { pack: packBefore, digest, prober: proberBefore } = known;
    const key = keyOf(addressOf(pack));
    const prober = this.#prober(key, pack);
    await prober.begin();
    Object.assign(known, { pack, digest: digestOf(pack), prober });
    // A refused change is not applied.
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

  #define(key: string, { tenantId, manifest, command, folder }: CommandPack): Definition {
    const { engine, settings, redactor, givenSteps } = this.#parts;
    const { packId } = manifest;
    const calls = new CommandCalls({
      ...{ manifest, command, instanceId: instanceOf(packId), settings, redactor, packFolder: folder },
      nowMs: () => engine.nowMs,
      givenSteps: ({ steps, execution }) =>
        steps ? givenSteps.all({ tenantId, dispatchId: execution?.dispatchId ?? "" }) : noSteps(),
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

  /** Records that a command runs with less than a full sandbox. */
  #recordDowngrade(pack: CommandPack): void {
    const { engine, onProblem } = this.#parts;
    const used = this.sandboxOf(addressOf(pack));
    if (used === "bubblewrap" || used === "") return;
    const { packId } = pack.manifest;
    const why = used === "off" ? "it says sandbox: off" : describeSandbox(this.#sandbox);
    const event = sandboxDowngraded({ wanted: "bubblewrap", used, reason: `pack "${packId}": ${why}` });
    engine.recordEvent(pack.tenantId, event).catch(onProblem);
  }

  async #introduce(known: Known): Promise<boolean> {
    const { engine, onProblem } = this.#parts;
    const { tenantId, manifest } = known.pack;
    const refused =
      (await engine.enqueueFleet(tenantId, { kind: "register", manifest })) ?? (await this.#beat(known));
    if (refused) onProblem(fleetRefusal(refused));
    return refused === undefined;
  }

  #beat(known: Known) {
    const { tenantId } = known.pack;
    return this.#parts.engine.enqueueFleet(tenantId, {
      kind: "heartbeat",
      heartbeat: this.#heartbeat(known),
    });
  }

  #beatOn(known: Known): void {
    known.stopBeating = this.#parts.after(this.#parts.leaseTtlMs / 3, () => {
      void this.#beat(known);
      this.#beatOn(known);
    });
  }

  #heartbeat({ pack, notes, prober }: Known): AgentHeartbeat {
    const { engine, leaseTtlMs } = this.#parts;
    const unready = this.sandboxOf(addressOf(pack)) === "none" ? this.#whyNoSandbox() : prober.why;
    const options = { nowMs: engine.nowMs, leaseTtlMs, unready, plain: (text: string) => this.#plain(text) };
    return commandHeartbeat(pack, notes, options);
  }

  /** Without secrets, and short. */
  #plain(text: string): string {
    const { redactor, settings } = this.#parts;
    return redactor.redactText(text).text.slice(0, settings.limits.reasonLength).toWellFormed();
  }

  async #remove(key: string, known: Known): Promise<void> {
    await this.#drop(key, known);
    const { tenantId, packId, instanceId } = known.link;
    await this.#parts.engine.enqueueFleet(tenantId, { kind: "detach", packId, instanceId });
  }

  async #drop(key: string, { link, prober, stopBeating }: Known): Promise<void> {
    this.#known.delete(key);
    stopBeating();
    const probed = prober.close();
    this.#parts.connections.disconnect(link);
    await Promise.all([link.close(), probed]);
  }
}

async function* noSteps(): AsyncGenerator<never> {}

const weakSandboxes = {
  off: "run without a sandbox",
  namespaces: "run in a weak sandbox",
  none: "not run, since no sandbox works",
};

function describeSandbox(sandbox: Sandbox | NoSandbox | undefined): string {
  if (sandbox === undefined) return "";
  return (sandbox.kind === "none" ? sandbox.reason : sandbox.warning) ?? "";
}

function digestOf({ manifest, command, folder }: CommandPack): string {
  const text = JSON.stringify([manifest, command, folder], (_, value) =>
    typeof value === "bigint" ? `${value}` : value,
  );
  return hash("sha256", text);
}
