/**
 * Everything the server bounds, in one table; docs/reference/server.md explains each. Sizes are in bytes, times in
 * milliseconds. How deep and how manifold a message may be is the contract's business (`defaultLimits` there).
 */
export interface ServerLimits {
  /** A message, as it travels and decompressed. */
  readonly messageBytes: number;
  /** Items on a page of a list. */
  readonly pageSize: number;
  /** Calls that are being answered. */
  readonly callsInFlight: number;
  readonly callsInFlightPerTenant: number;
  /** Streams that are open: attached agents and watchers, over any protocol. */
  readonly openStreams: number;
  readonly openStreamsPerTenant: number;
  /** Of them, watchers of events. */
  readonly eventWatchers: number;
  readonly eventWatchersPerTenant: number;
  /** Connections to each port. */
  readonly connections: number;
  /** Headers of a request, all of them. */
  readonly headerBytes: number;
  readonly headerCount: number;
  /** Until the headers of a request are there. */
  readonly headersTimeoutMs: number;
  /** From the headers until the body of a call, or the first message of a stream, is there. */
  readonly bodyTimeoutMs: number;
  /** From the headers of a call until its answer has been read. */
  readonly callTimeoutMs: number;
  /** A connection on which nothing is being asked. */
  readonly idleTimeoutMs: number;
  /** Calls and streams at once on one connection of HTTP/2. */
  readonly streamsPerConnection: number;
  /** What Node keeps for one connection of HTTP/2, in megabytes. */
  readonly sessionMegabytes: number;
  /** Calls that a client may cancel at once, and each second from then on, before its connection is ended. */
  readonly resetBurst: number;
  readonly resetsPerSecond: number;
  /** How often a silent stream is shown to be alive, and how long the other side has to show it too. */
  readonly heartbeatMs: number;
  readonly heartbeatTimeoutMs: number;
  /** What a caller is told to wait when there is too much. */
  readonly retryAfterMs: number;
}

export const defaultServerLimits: ServerLimits = {
  messageBytes: 4 * 1024 * 1024,
  pageSize: 1_000,
  callsInFlight: 1_000,
  callsInFlightPerTenant: 500,
  openStreams: 10_000,
  openStreamsPerTenant: 5_000,
  eventWatchers: 1_000,
  eventWatchersPerTenant: 500,
  connections: 10_000,
  headerBytes: 16 * 1024,
  headerCount: 100,
  headersTimeoutMs: 10_000,
  bodyTimeoutMs: 30_000,
  callTimeoutMs: 60_000,
  idleTimeoutMs: 120_000,
  streamsPerConnection: 1_000,
  sessionMegabytes: 32,
  resetBurst: 1_000,
  resetsPerSecond: 33,
  heartbeatMs: 15_000,
  heartbeatTimeoutMs: 15_000,
  retryAfterMs: 1_000,
};

/** The name of a limit in the configuration: `callTimeoutMs` is written as `call_timeout`. */
export function settingOf(limit: string): string {
  return limit.replace(/Ms$/, "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
