import type { AttachAgentResponse, AttachWelcome } from "@baton/contract";
import { durationMs } from "@bufbuild/protobuf/wkt";
import type { HubClient } from "../hub-client.ts";
import { limits } from "../limits.ts";
import { openHubStream } from "./hub-stream.ts";
import type { Sender } from "./sender.ts";

export interface StreamParts {
  readonly hub: HubClient;
  readonly signal: AbortSignal;
  /** The encoded first message. */
  hello(): Uint8Array;
  /** The hub accepted the agent: messages may be sent now. */
  welcomed(welcome: AttachWelcome, sender: Sender): void;
  received(message: AttachAgentResponse["message"]): void;
  heartbeat(): void;
  ended(): void;
}

export interface StreamEnd {
  /** Time since the welcome; undefined when there was none. */
  readonly livedMs: number | undefined;
  /** Undefined when the hub ended the stream without an error. */
  readonly error: unknown;
}

/** One stream, from hello to its end. */
export async function openStream(parts: StreamParts): Promise<StreamEnd> {
  const over = new AbortController();
  const signal = AbortSignal.any([parts.signal, over.signal]);
  const deadline = setTimeout(() => over.abort(noWelcome()), limits.answerMs);
  let sender: Sender | undefined;
  let welcomedMs: number | undefined;
  let heartbeats: NodeJS.Timeout | undefined;
  let error: unknown;
  try {
    await openHubStream({
      ...{ hub: parts.hub, signal },
      opened: (opened) => {
        sender = opened;
        sender.send(parts.hello());
      },
      received: (message) => {
        if (welcomedMs !== undefined) {
          parts.received(message);
        } else if (message.case === "welcome" && sender) {
          clearTimeout(deadline);
          welcomedMs = performance.now();
          parts.welcomed(message.value, sender);
          heartbeats = setInterval(() => parts.heartbeat(), intervalMs(message.value));
        }
      },
    });
  } catch (cause) {
    error = cause;
  } finally {
    clearTimeout(deadline);
    clearInterval(heartbeats);
    over.abort();
    parts.ended();
  }
  return { livedMs: welcomedMs === undefined ? undefined : performance.now() - welcomedMs, error };
}

function noWelcome(): Error {
  return new Error(`the hub did not welcome the agent within ${limits.answerMs} ms`);
}

function intervalMs({ heartbeatInterval }: AttachWelcome): number {
  const stated = heartbeatInterval ? durationMs(heartbeatInterval) : limits.heartbeatMostMs;
  return Math.min(Math.max(stated, limits.heartbeatLeastMs), limits.heartbeatMostMs);
}
