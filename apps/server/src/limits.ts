/**
 * All limits of the server; docs/reference/server.md explains each. Sizes are in bytes, times in milliseconds. The contract
 * limits the depth and the number of elements of a message (`defaultLimits` there).
 */
export interface ServerLimits {
  /** A message, both compressed and decompressed. */
  readonly messageBytes: number;
  /** Items on a page of a list. */
  readonly pageSize: number;
  /** Concurrent calls. */
  readonly callsInFlight: number;
  readonly callsInFlightPerTenant: number;
  /** Open streams of attached agents and watchers, over any protocol. */
  readonly openStreams: number;
  readonly openStreamsPerTenant: number;
  /** The part of them that watches events. */
  readonly eventWatchers: number;
  readonly eventWatchersPerTenant: number;
  /** Connections to each port. */
  readonly connections: number;
  /** All headers of a request together. */
  readonly headerBytes: number;
  readonly headerCount: number;
  /** Until the headers of a request have arrived. */
  readonly headersTimeoutMs: number;
  /** From the headers until the body of a call, or the first message of a stream, has arrived. */
  readonly bodyTimeoutMs: number;
  /** From the headers of a call until its response has been read. */
  readonly callTimeoutMs: number;
  /** For a connection without calls or streams. */
  readonly idleTimeoutMs: number;
  /** Concurrent calls and streams on one HTTP/2 connection. */
  readonly streamsPerConnection: number;
  /** Memory that Node may use for one HTTP/2 connection, in megabytes. */
  readonly sessionMegabytes: number;
  /** Calls that a client may cancel at once, and then per second, before its connection is closed. */
  readonly resetBurst: number;
  readonly resetsPerSecond: number;
  /** Interval of heartbeats on a silent stream, and the time to answer one. */
  readonly heartbeatMs: number;
  readonly heartbeatTimeoutMs: number;
  /** The `retry_after` of refused calls. */
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
