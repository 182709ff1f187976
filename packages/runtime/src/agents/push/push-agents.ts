/**
 * Agents that listen (A §3.4): they register, say with every heartbeat where they are, and are called with RunAgent.
 */
import type { AgentEndpoint, AgentHeartbeat } from "@baton/contract";
import { attemptsUnderWay, instanceInfo } from "@baton/kernel";
import type { Driver } from "../../driver/driver.ts";
import { pipelineOf } from "../../driver/order.ts";
import type { WaitingRoom } from "../../hub/waiting-room.ts";
import type { Address } from "../address.ts";
import type { AgentDesk } from "../agent-desk.ts";
import type { Switchboard } from "../switchboard.ts";
import { AllowedHosts } from "./allowed-hosts.ts";
import { checkName, type Endpoint, readEndpoint } from "./endpoint.ts";
import { PushLink } from "./push-link.ts";
import type { PushSettings } from "./settings.ts";

export interface PushParts {
  readonly driver: Driver;
  readonly switchboard: Switchboard;
  readonly desk: AgentDesk;
  readonly room: WaitingRoom;
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

  /** A heartbeat that the fleet has taken. Throws `HubError` when the agent listens where the hub will not call. */
  async heard(tenantId: string, heartbeat: AgentHeartbeat): Promise<void> {
    const { switchboard } = this.#parts;
    const { packId, instanceId, endpoint } = heartbeat;
    if (!endpoint || this.#isClosed) return;
    const address = { tenantId, packId, instanceId };
    const key = `${tenantId}\n${packId}\n${instanceId}`;
    const known = this.#known.get(key);
    const connected = switchboard.link(address);
    if (connected && connected !== known?.link) return; // It has attached, and is reached by its stream.
    const where = this.#read(address, endpoint);
    if (!known?.link.isAt(where)) await this.#check(address, where);
    if (this.#isClosed) return;
    this.#connect(key, address, where, heartbeat);
  }

  #connect(key: string, address: Address, where: Endpoint, heartbeat: AgentHeartbeat): void {
    const { switchboard } = this.#parts;
    const known = this.#known.get(key);
    const connected = switchboard.link(address);
    if (connected && connected !== known?.link) return;
    if (known) {
      known.heartbeat = heartbeat;
      known.link.moveTo(where);
    }
    const link = known?.link ?? this.#meet(key, address, where, heartbeat);
    if (connected) return void switchboard.tellCancels(link);
    switchboard.connect(link);
    this.#goOn(link);
  }

  /** The hub's memory of the fleet has begun anew: what the agents said last still holds. */
  introduceAgain(): void {
    for (const { link, heartbeat } of this.#known.values())
      void this.#parts.driver.tellFleet(link.tenantId, { kind: "heartbeat", heartbeat });
  }

  /** Calls nobody any more. What the agents work on they answer to the hub's next life. */
  close(): void {
    this.#isClosed = true;
    for (const key of this.#known.keys()) this.#drop(key);
  }

  /** An agent that cannot be called must not be given work, though the fleet has let it in. */
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
    void this.#parts.driver.tellFleet(tenantId, { kind: "detach", packId, instanceId });
  }

  #meet(key: string, address: Address, where: Endpoint, heartbeat: AgentHeartbeat): PushLink {
    const link = new PushLink({ ...this.#parts, hosts: this.#hosts }, address, where);
    const known: Known = { link, heartbeat, stopWatching: undefined };
    this.#known.set(key, known);
    this.#watchLease(key, known);
    return link;
  }

  /** The fleet decides when an agent is gone; its link goes a little later. */
  #watchLease(key: string, known: Known): void {
    const { driver, settings, after } = this.#parts;
    const { tenantId, packId, instanceId } = known.link;
    const info = () => instanceInfo(driver.fleet(tenantId), packId, instanceId, driver.nowMs);
    const leftMs = Math.max(0, (info()?.leaseUntilMs ?? 0) - driver.nowMs);
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
    this.#parts.switchboard.disconnect(known.link);
    known.link.close();
  }

  /**
   * Everything that is under way there is sent again, with the same dispatch_id: the agent runs it once, and says again
   * what it has said. That is how a hub that was restarted hears of what was answered meanwhile.
   */
  #goOn(link: PushLink): void {
    const { switchboard, desk } = this.#parts;
    for (const dispatchId of switchboard.underWay(link))
      if (!link.running.has(dispatchId)) desk.mayRepeat(link, dispatchId);
    const { lost } = switchboard.reconcile(link, link.running);
    for (const dispatchId of lost) void this.#sendAgain(link, dispatchId);
  }

  async #sendAgain(link: PushLink, dispatchId: string): Promise<void> {
    const { driver } = this.#parts;
    const pipelineId = pipelineOf(dispatchId);
    try {
      const state = await driver.pipeline(pipelineId);
      for (const { sent } of state ? attemptsUnderWay(state) : [])
        if (sent.dispatchId === dispatchId) await link.send(sent.envelope);
    } catch (error) {
      // Whether it ran in an earlier life of the hub nobody knows.
      const reason = error instanceof Error ? error.message : String(error);
      void driver.give(pipelineId, { type: "agent-lost", dispatchId, reason });
    }
  }
}
