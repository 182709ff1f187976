import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import {
  assertValid,
  ContractError,
  ErrorDetailSchema,
  encodeJson,
  OrchestratorService,
  type WatchEventsRequest,
  WatchEventsRequestSchema,
} from "@baton/contract";
import type { EventList, Hub } from "@baton/runtime";
import { create } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import { authenticate } from "../border/authenticate.ts";
import { type Authorization, endWithKey } from "../calls/authorize.ts";
import { Call } from "../calls/call.ts";
import { followUntil } from "../calls/follow.ts";
import { logCall } from "../calls/log-call.ts";
import { readTrace, writeTrace } from "../calls/trace.ts";
import { toConnectError } from "../errors/to-connect-error.ts";
import { acceptsEncoding } from "../transport/accepts-encoding.ts";
import { answerError } from "../transport/answer-error.ts";
import { publishChangeHints } from "./change-hints.ts";
import { EventAnswer } from "./event-answer.ts";
import { frame } from "./event-frames.ts";

const { watchEvents } = OrchestratorService.method;

/** How long the response waits for the first item, which may be an error, before it begins. */
const firstItemMs = 500;

/** The delay after which a browser reconnects. */
const retryMs = 1_000;

export interface EventStreams extends Authorization {
  readonly hub: Hub;
  readonly heartbeatMs: number;
  /** The address that the page shows for the command line. */
  readonly grpcAddress: string;
  /** Fires when the server stops. */
  readonly stopped: AbortSignal;
}

/**
 * `GET /v1/events?after=…&filter=…`: WatchEvents as server-sent events (TUR-04). The id of an event is its sequence, so that a
 * browser that reconnects continues where it was.
 */
export async function streamEvents(
  request: IncomingMessage,
  response: ServerResponse,
  streams: EventStreams,
): Promise<void> {
  const call = new Call(watchEvents, readTrace(headerOf(request, "traceparent")));
  const log = streams.log.child({ traceId: call.trace.traceId });
  const gone = new AbortController();
  response.once("close", () => {
    gone.abort();
    call.close();
    logCall(call, undefined, true, log);
  });
  const signal = call.signal(gone.signal, streams.stopped);
  response.setHeader("traceresponse", writeTrace(call.trace));
  // Says which credential decisions need.
  response.setHeader("baton-sign-in", streams.keys.inUse ? "key" : "operator");
  response.setHeader("baton-hub", streams.grpcAddress);
  const answer = new EventAnswer(response, acceptsEncoding(headerOf(request, "accept-encoding"), "gzip"));
  try {
    const caller = authenticate(streams, watchEvents, headerOf(request, "authorization"));
    streams.readiness.refuseWhenStopping();
    call.admit(caller, streams.admission.enter("watcher", caller.tenantId));
    endWithKey(streams.keys, call, caller);
    // Lets the page show the state without another request.
    if (streams.hub.stoppedTenants().includes(caller.tenantId)) response.setHeader("baton-tenant", "stopped");
    const { watched, changeHints } = readRequest(request);
    if (changeHints)
      publishChangeHints(answer, (listener) => streams.hub.onChangeHint(caller, listener), signal);
    await writeEvents(
      answer,
      streams.hub.watchTogether(caller, watched, signal),
      signal,
      streams.heartbeatMs,
    );
    call.ended.throwIfAborted();
  } catch (error) {
    if (gone.signal.aborted) return;
    const failure = call.fail(toConnectError(error, { log, errors: streams.errors }));
    if (answer.hasBegun) writeError(answer, failure);
    else answerError(response, failure);
  } finally {
    answer.end();
  }
}

/** `Last-Event-ID`, the position of a browser that reconnects, takes precedence over `after`, where it began. */
function readRequest(request: IncomingMessage): {
  readonly watched: WatchEventsRequest;
  readonly changeHints: boolean;
} {
  const query = new URL(request.url ?? "", "http://hub").searchParams;
  const unknown = [...query.keys()].find((name) => !["after", "filter", "stirs"].includes(name));
  if (unknown !== undefined)
    throw invalidRequest(`there is no parameter "${unknown.slice(0, 50)}"; use after, filter and stirs`);
  const after = headerOf(request, "last-event-id") || query.get("after") || undefined;
  if (after !== undefined && !/^\d{1,18}$/.test(after))
    throw invalidRequest("after must be a sequence number");
  const watched = create(WatchEventsRequestSchema, {
    filter: query.get("filter") ?? "",
    ...(after !== undefined && { afterSequence: BigInt(after) }),
  });
  assertValid(WatchEventsRequestSchema, watched);
  return { watched, changeHints: query.get("stirs") === "1" };
}

function invalidRequest(problem: string): ContractError {
  return new ContractError("BATON-CONTRACT-002", WatchEventsRequestSchema.typeName, problem, [], {
    fix: "write the request as in docs/reference/api.md: GET /v1/events?after=<sequence>&filter=<filter>",
  });
}

async function writeEvents(
  answer: EventAnswer,
  events: AsyncIterable<EventList>,
  signal: AbortSignal,
  heartbeatMs: number,
): Promise<void> {
  const items = followUntil(signal, events);
  // An invalid request usually fails with the first item: then the response is an error instead of a stream.
  const first = items.next();
  first.catch(() => undefined);
  await Promise.race([first, pause(firstItemMs, undefined, { ref: false })]);
  answer.begin();
  answer.write(`retry: ${retryMs}\n\n`);
  // Keeps a silent stream open, also in proxies; not for a client that does not read.
  const heartbeat = setInterval(() => {
    if (!answer.isBehind) answer.write(": alive\n\n");
  }, heartbeatMs);
  try {
    for (let next = await first; !next.done; next = await items.next()) {
      await answer.writeEvents(next.value, signal);
    }
  } finally {
    clearInterval(heartbeat);
    await items.return(undefined);
  }
}

/** An error of a stream that has begun is its last event. */
function writeError(answer: EventAnswer, error: ConnectError): void {
  const [detail] = error.findDetails(ErrorDetailSchema);
  answer.write(frame("error", detail ? encodeJson(ErrorDetailSchema, detail) : "{}"));
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}
