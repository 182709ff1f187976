import type { AttachAgentRequest, AttachAgentResponse, AttachWelcome } from "@baton/contract";
import { durationMs } from "@bufbuild/protobuf/wkt";
import type { HubClient } from "../hub-client.ts";
import { limits } from "../limits.ts";
import { Outgoing } from "./outgoing.ts";

/** What is to be said and done on a stream. */
export interface StreamParts {
  readonly hub: HubClient;
  readonly signal: AbortSignal;
  hello(): AttachAgentRequest;
  /** The agent is in: from now on messages may be sent. */
  welcomed(welcome: AttachWelcome, outgoing: Outgoing<AttachAgentRequest>): void;
  heard(message: AttachAgentResponse["message"]): void;
  beat(): void;
  ended(): void;
}

export interface StreamEnd {
  /** How long the agent was welcome; undefined when it never was. */
  readonly livedMs: number | undefined;
  /** Undefined when the hub ended the stream in good order. */
  readonly error: unknown;
}

/** One stream, from hello to its end. */
export async function openStream(parts: StreamParts): Promise<StreamEnd> {
  const outgoing = new Outgoing<AttachAgentRequest>();
  const over = new AbortController();
  const signal = AbortSignal.any([parts.signal, over.signal]);
  const patience = setTimeout(() => over.abort(), limits.answerMs);
  let welcomedMs: number | undefined;
  let heartbeats: NodeJS.Timeout | undefined;
  let error: unknown;
  try {
    outgoing.push(parts.hello());
    for await (const { message } of parts.hub.registry.attachAgent(outgoing, { signal })) {
      if (welcomedMs !== undefined) {
        parts.heard(message);
      } else if (message.case === "welcome") {
        clearTimeout(patience);
        welcomedMs = performance.now();
        parts.welcomed(message.value, outgoing);
        heartbeats = setInterval(() => parts.beat(), intervalMs(message.value));
      }
    }
  } catch (cause) {
    error = cause;
  } finally {
    clearTimeout(patience);
    clearInterval(heartbeats);
    outgoing.end();
    over.abort();
    parts.ended();
  }
  return { livedMs: welcomedMs === undefined ? undefined : performance.now() - welcomedMs, error };
}

function intervalMs({ heartbeatInterval }: AttachWelcome): number {
  const stated = heartbeatInterval ? durationMs(heartbeatInterval) : limits.heartbeatMostMs;
  return Math.min(Math.max(stated, limits.heartbeatLeastMs), limits.heartbeatMostMs);
}
