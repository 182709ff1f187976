import { defaultLimits } from "@baton/contract";
import type { Address } from "../../ports/agent-address.ts";

/** How push agents are called. */
export interface PushSettings {
  /**
   * Hosts that may be called besides this machine: names, addresses, and networks such as `10.0.0.0/8`. Agents state their
   * own address, so without this list anyone who may register could make the hub call any service it can reach.
   */
  readonly allowedAgentHosts: readonly string[];
  /** Whether agents on this machine may be called without being listed: not where callers are of different tenants. */
  readonly callsThisMachine: boolean;
  /** The token for an agent, read at every call and sent to that agent only. */
  readonly tokenOf: (agent: Address) => string | undefined;
  readonly limits: PushLimits;
}

/** Limits of a call of a push agent. */
export interface PushLimits {
  /** One message; in JSON, one line. */
  readonly messageBytes: number;
  /** Messages and bytes of one attempt; beyond, it is lost. */
  readonly runMessages: number;
  readonly runBytes: number;
  /** Messages of one attempt that are not durable yet; at the limit its stream is not read. */
  readonly outstanding: number;
  /** Open calls of one agent. */
  readonly runs: number;
  readonly uriLength: number;
  readonly connectMs: number;
  /** Timeout of a cancel, and how often it is repeated for an agent that does not know the attempt yet. */
  readonly cancelMs: number;
  readonly cancelTries: number;
  readonly cancelAgainMs: number;
  /** How long a stream stays open after its attempt is over: late results are still recorded. */
  readonly lingerMs: number;
  /** A connection that is idle for `pingMs` is pinged, and closed without an answer within `pingAnswerMs`. */
  readonly pingMs: number;
  readonly pingAnswerMs: number;
  /** How long a connection without calls stays open. */
  readonly idleMs: number;
  /** How long the link outlives the lease, so that lost attempts can still be cancelled. */
  readonly leaseSlackMs: number;
  /** How much of an error is read, and stored. */
  readonly errorBytes: number;
  readonly reasonLength: number;
}

export const defaultPushLimits: PushLimits = {
  messageBytes: defaultLimits.maxBytes,
  runMessages: 100_000,
  runBytes: 256 * 1024 * 1024,
  outstanding: 256,
  runs: 1_024,
  uriLength: 2_048,
  connectMs: 5_000,
  cancelMs: 10_000,
  cancelTries: 3,
  cancelAgainMs: 500,
  lingerMs: 10_000,
  pingMs: 10_000,
  pingAnswerMs: 5_000,
  idleMs: 60_000,
  leaseSlackMs: 5_000,
  errorBytes: 4_096,
  reasonLength: 300,
};

/** Overrides of the defaults. */
export interface PushOptions extends Partial<Omit<PushSettings, "limits">> {
  readonly limits?: Partial<PushLimits>;
}

export function pushSettings({ limits, ...options }: PushOptions = {}): PushSettings {
  return {
    allowedAgentHosts: [],
    callsThisMachine: true,
    tokenOf: () => undefined,
    ...options,
    limits: { ...defaultPushLimits, ...limits },
  };
}
