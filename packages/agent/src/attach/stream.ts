import type { AttachAgentResponse, AttachWelcome } from "@baton/contract";
import { durationMs } from "@bufbuild/protobuf/wkt";
import type { HubClient } from "../hub-client.ts";
import { limits } from "../limits.ts";
import { openHubStream } from "./hub-stream.ts";
import type { Sender } from "./sender.ts";

/** What is to be said and done on a stream. */
export interface StreamParts {
  readonly hub: HubClient;
  readonly signal: AbortSignal;
  /** The first message, as it travels. */
  hello(): Uint8Array;
  /** The agent is in: from now on messages may be sent. */
  welcomed(welcome: AttachWelcome, sender: Sender): void;
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
  const over = new AbortController();
  const signal = AbortSignal.any([parts.signal, over.signal]);
  const patience = setTimeout(() => over.abort(noWelcome()), limits.answerMs);
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
      heard: (message) => {
        if (welcomedMs !== undefined) {
          parts.heard(message);
        } else if (message.case === "welcome" && sender) {
          clearTimeout(patience);
          welcomedMs = performance.now();
          parts.welcomed(message.value, sender);
          heartbeats = setInterval(() => parts.beat(), intervalMs(message.value));
        }
      },
    });
  } catch (cause) {
    error = cause;
  } finally {
    clearTimeout(patience);
    clearInterval(heartbeats);
    over.abort();
    parts.ended();
  }
  return { livedMs: welcomedMs === undefined ? undefined : performance.now() - welcomedMs, error };
}

function noWelcome(): Error {
  return new Error(`the hub did not say welcome within ${limits.answerMs} ms`);
}

function intervalMs({ heartbeatInterval }: AttachWelcome): number {
  const stated = heartbeatInterval ? durationMs(heartbeatInterval) : limits.heartbeatMostMs;
  return Math.min(Math.max(stated, limits.heartbeatLeastMs), limits.heartbeatMostMs);
}
