/**
 * Push agents (A §3.4): they register, state their address with every heartbeat, and are called with RunAgent.
 */
import type { AgentEndpoint, AgentHeartbeat } from "@baton/contract";
import { activeAttempts, instanceInfo } from "@baton/kernel";
import type { Engine } from "../../engine/engine.ts";
import type { IntakeBuffer } from "../../engine/intake-buffer.ts";
import type { Address } from "../../ports/agent-address.ts";
import { pipelineOf } from "../../ports/stored-command.ts";
import type { AgentReports } from "../agent-reports.ts";
import type { AgentConnections } from "../connections.ts";
import { AllowedHosts } from "./allowed-hosts.ts";
import { checkName, type Endpoint, readEndpoint } from "./endpoint.ts";
import { PushLink } from "./push-link.ts";
import type { PushSettings } from "./settings.ts";

export interface PushParts {
  readonly engine: Engine;
  readonly connections: AgentConnections;
  readonly reports: AgentReports;
  readonly intake: IntakeBuffer;
  readonly settings: PushSettings;
  readonly after: (delayMs: number, callback: () => void) => () => void;
}

interface Known {
  readonly link: PushLink;
  heartbeat: AgentHeartbeat;
  stopWatching: (() => void) | undefined;
}

export class PushAgents {
  readonly #parts: PushParts;
  readonly #hosts: AllowedHosts;
  readonly #known = new Map<string, Known>();
  #isClosed = false;

  constructor(parts: PushParts) {
    this.#parts = parts;
    const { allowedAgentHosts, callsThisMachine } = parts.settings;
    this.#hosts = new AllowedHosts(allowedAgentHosts, callsThisMachine);
  }

  /** For a heartbeat that the fleet has accepted. Throws `HubError` when the hub may not call its address. */
  async onHeartbeat(tenantId: string, heartbeat: AgentHeartbeat): Promise<void> {
    const { connections } = this.#parts;
    const { packId, instanceId, endpoint } = heartbeat;
    if (!endpoint || this.#isClosed) return;
    const address = { tenantId, packId, instanceId };
    const key = `${tenantId}\n${packId}\n${instanceId}`;
    const known = this.#known.get(key);
    const connected = connections.link(address);
    if (connected && connected !== known?.link) return; // It is attached, and reached over its stream.
    const where = this.#read(address, endpoint);
    if (!known?.link.isAt(where)) await this.#check(address, where);
    if (this.#isClosed) return;
    this.#connect(key, address, where, heartbeat);
  }

  #connect(key: string, address: Address, where: Endpoint, heartbeat: AgentHeartbeat): void {
    const { connections } = this.#parts;
    const known = this.#known.get(key);
    const connected = connections.link(address);
    if (connected && connected !== known?.link) return;
    if (known) {
      known.heartbeat = heartbeat;
      known.link.moveTo(where);
    }
    const link = known?.link ?? this.#add(key, address, where, heartbeat);
    if (connected) return void connections.sendCancels(link);
    connections.connect(link);
    this.#resume(link);
  }

  /** Repeats the last heartbeats after the engine has recovered. */
  introduceAgain(): void {
    for (const { link, heartbeat } of this.#known.values())
      void this.#parts.engine.enqueueFleet(link.tenantId, { kind: "heartbeat", heartbeat });
  }

  /** Ends all calls. Agents keep their work, and are called again after the restart. */
  close(): void {
    this.#isClosed = true;
    for (const key of this.#known.keys()) this.#drop(key);
  }

  /** An agent that cannot be called is detached: it must not get work. */
  #read(address: Address, endpoint: AgentEndpoint): Endpoint {
    try {
      return readEndpoint(endpoint, this.#hosts, this.#parts.settings.limits.uriLength);
    } catch (error) {
      this.#detach(address);
      throw error;
    }
  }

  async #check(address: Address, where: Endpoint): Promise<void> {
    try {
      await checkName(where, this.#hosts);
    } catch (error) {
      this.#detach(address);
      throw error;
    }
  }

  #detach({ tenantId, packId, instanceId }: Address): void {
    void this.#parts.engine.enqueueFleet(tenantId, { kind: "detach", packId, instanceId });
  }

  #add(key: string, address: Address, where: Endpoint, heartbeat: AgentHeartbeat): PushLink {
    const link = new PushLink({ ...this.#parts, hosts: this.#hosts }, address, where);
    const known: Known = { link, heartbeat, stopWatching: undefined };
    this.#known.set(key, known);
    this.#watchLease(key, known);
    return link;
  }

  /** The fleet decides when an agent is gone; its link is dropped a little later. */
  #watchLease(key: string, known: Known): void {
    const { engine, settings, after } = this.#parts;
    const { tenantId, packId, instanceId } = known.link;
    const info = () => instanceInfo(engine.fleet(tenantId), packId, instanceId, engine.nowMs);
    const leftMs = Math.max(0, (info()?.leaseUntilMs ?? 0) - engine.nowMs);
    known.stopWatching = after(leftMs + settings.limits.leaseSlackMs, () => {
      if (info()?.presence === "LIVE") this.#watchLease(key, known);
      else this.#drop(key);
    });
  }

  #drop(key: string): void {
    const known = this.#known.get(key);
    if (!known) return;
    this.#known.delete(key);
    known.stopWatching?.();
    this.#parts.connections.disconnect(known.link);
    known.link.close();
  }

  /**
   * Sends all attempts under way again, with the same dispatch_id: the agent runs each once, and repeats its reports. So a
   * restarted hub receives results that came while it was down.
   */
  #resume(link: PushLink): void {
    const { connections, reports } = this.#parts;
    for (const dispatchId of connections.underWay(link))
      if (!link.running.has(dispatchId)) reports.mayRepeat(link, dispatchId);
    const { lost } = connections.reconcile(link, link.running);
    for (const dispatchId of lost) void this.#sendAgain(link, dispatchId);
  }

  async #sendAgain(link: PushLink, dispatchId: string): Promise<void> {
    const { engine } = this.#parts;
    const pipelineId = pipelineOf(dispatchId);
    try {
      const state = await engine.pipeline(pipelineId);
      for (const { sent } of state ? activeAttempts(state) : [])
        if (sent.dispatchId === dispatchId) await link.send(sent.envelope);
    } catch (error) {
      // It may have run before the restart.
      const reason = error instanceof Error ? error.message : String(error);
      void engine.enqueue(pipelineId, { type: "agent-lost", dispatchId, reason });
    }
  }
}
