import { defaultLimits } from "@baton/contract";
import type { Address } from "../address.ts";

/** How agents that listen are called. */
export interface PushSettings {
  /**
   * Who may be called besides this machine: names, addresses, and networks such as `10.0.0.0/8`. An agent says itself
   * where it listens, so without this list anybody who may register could make the hub call any service it can reach.
   */
  readonly allowedAgentHosts: readonly string[];
  /** Whether agents on this machine may be called without being named: not where callers are of different tenants. */
  readonly callsThisMachine: boolean;
  /** The token that the hub shows an agent. It is asked for at every call, goes to the agent and nowhere else. */
  readonly tokenOf: (agent: Address) => string | undefined;
  readonly limits: PushLimits;
}

/** Every size, count and time of a call to an agent that listens. */
export interface PushLimits {
  /** Of one message; in JSON, of one line. */
  readonly messageBytes: number;
  /** What one attempt may say in all; beyond, it is lost. */
  readonly runMessages: number;
  readonly runBytes: number;
  /** Messages of one attempt that are not durable yet; beyond, its stream is not read. */
  readonly outstanding: number;
  /** Attempts that are heard at the same time, of one agent. */
  readonly runs: number;
  readonly uriLength: number;
  readonly connectMs: number;
  /** How long one call of cancel may take, and how often an agent is told that does not know the attempt yet. */
  readonly cancelMs: number;
  readonly cancelTries: number;
  readonly cancelAgainMs: number;
  /** How long a stream may stay open when its attempt is over: what comes late is still put on record. */
  readonly lingerMs: number;
  /** A connection that is silent this long is asked whether it lives, and has this long to answer. */
  readonly pingMs: number;
  readonly pingAnswerMs: number;
  /** How long a connection without a call is kept. */
  readonly idleMs: number;
  /** How long the link outlives the lease, so that what was lost with it can still be cancelled. */
  readonly leaseSlackMs: number;
  /** What is read of an error, and what is kept of it. */
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

/** What an operator may set; the rest has its default. */
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
