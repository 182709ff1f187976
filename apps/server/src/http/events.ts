import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import {
  assertValid,
  ContractError,
  ErrorDetailSchema,
  EventRecordSchema,
  encodeJson,
  OrchestratorService,
  WatchCaughtUpSchema,
  WatchDroppedSchema,
  type WatchEventsRequest,
  WatchEventsRequestSchema,
  type WatchEventsResponse,
} from "@baton/contract";
import type { Hub } from "@baton/runtime";
import { create } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import { authenticate } from "../border/authenticate.ts";
import { Call } from "../rpc/call.ts";
import type { Gate } from "../rpc/gate.ts";
import { linkSignals } from "../rpc/link-signals.ts";
import { logCall } from "../rpc/log-call.ts";
import { toConnectError } from "../rpc/to-connect-error.ts";
import { readTrace, writeTrace } from "../rpc/trace.ts";
import { followUntil } from "../services/follow.ts";
import { answerError } from "./answer-error.ts";
import { httpStatusOf } from "./http-status.ts";
import { tellStirs } from "./stirs.ts";

const { watchEvents } = OrchestratorService.method;

/** How long an answer waits for the first item before it begins: who looks for a needle shows that it is alive. */
const firstItemMs = 500;

/** After how long a browser that has lost the stream comes back. */
const retryMs = 1_000;

export interface EventStreams extends Gate {
  readonly hub: Hub;
  readonly heartbeatMs: number;
  /** Fires when the server stops. */
  readonly stopped: AbortSignal;
}

/**
 * `GET /v1/events?after=…&filter=…`: WatchEvents as server-sent events (TUR-04). The id of each is the sequence, so
 * that a browser which lost the stream goes on by itself where it was.
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
  const signal = linkSignals(gone.signal, streams.stopped);
  response.setHeader("traceresponse", writeTrace(call.trace));
  try {
    const caller = authenticate(streams.keys, watchEvents, headerOf(request, "authorization"));
    streams.readiness.refuseWhenStopping();
    call.admit(caller, streams.admission.enter("watcher", caller.tenantId));
    const { watched, stirs } = readRequest(request);
    if (stirs) tellStirs(response, (listener) => streams.hub.onStir(caller, listener), signal);
    await writeEvents(
      response,
      streams.hub.watchTogether(caller, watched, signal),
      signal,
      streams.heartbeatMs,
    );
  } catch (error) {
    if (gone.signal.aborted) return;
    const told = toConnectError(error, { log, errors: streams.errors });
    call.code = told.code;
    tellError(response, told);
  } finally {
    response.end();
  }
}

/** `Last-Event-ID` is where a browser was; it goes before `after`, which is where it began. */
function readRequest(request: IncomingMessage): {
  readonly watched: WatchEventsRequest;
  readonly stirs: boolean;
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
  return { watched, stirs: query.get("stirs") === "1" };
}

function invalidRequest(problem: string): ContractError {
  return new ContractError("BATON-CONTRACT-002", WatchEventsRequestSchema.typeName, problem, [], {
    fix: "ask as in docs/reference/api.md: GET /v1/events?after=<sequence>&filter=<filter>",
  });
}

async function writeEvents(
  response: ServerResponse,
  events: AsyncIterable<readonly WatchEventsResponse[]>,
  signal: AbortSignal,
  heartbeatMs: number,
): Promise<void> {
  const items = followUntil(signal, events);
  // What is wrong with the request is mostly known with the first item: then the answer is an error, and no stream begins.
  const first = items.next();
  first.catch(() => undefined);
  await Promise.race([first, pause(firstItemMs, undefined, { ref: false })]);
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-accel-buffering": "no", // Proxies of one kind hold streams back unless they are told not to.
  });
  response.write(`retry: ${retryMs}\n\n`);
  // A comment shows a silent stream to be alive, to proxies as well; a client that does not read gets none.
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(": alive\n\n");
  }, heartbeatMs);
  try {
    for (let next = await first; !next.done; next = await items.next()) {
      if (!response.write(writeOnce(next.value))) await drained(response, signal);
    }
  } finally {
    clearInterval(heartbeat);
    await items.return(undefined);
  }
}

/** Resolves when the client has read, or will not read any more. */
async function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  await once(response, "drain", { signal }).catch(() => undefined);
}

/** Those who watch everything are given the same lists. */
const written = new WeakMap<readonly WatchEventsResponse[], Buffer>();

function writeOnce(events: readonly WatchEventsResponse[]): Buffer {
  const known = written.get(events);
  if (known) return known;
  const bytes = Buffer.from(events.map(write).join(""));
  written.set(events, bytes);
  return bytes;
}

function write({ message }: WatchEventsResponse): string {
  switch (message.case) {
    case "record":
      return frame("record", encodeJson(EventRecordSchema, message.value), message.value.sequence);
    case "caughtUp":
      return frame("caught_up", encodeJson(WatchCaughtUpSchema, message.value), message.value.sequence);
    case "dropped":
      return frame(
        "dropped",
        encodeJson(WatchDroppedSchema, message.value),
        message.value.resumeAfterSequence,
      );
    default:
      return "";
  }
}

/** JSON has no line breaks outside of texts, and within them they are escaped: each event is one line of data. */
function frame(event: string, data: string, id?: bigint): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}

/** Once the stream has begun, an error is its last event. */
function tellError(response: ServerResponse, error: ConnectError): void {
  if (!response.headersSent) {
    answerError(response, httpStatusOf(error.code), error);
    return;
  }
  const [detail] = error.findDetails(ErrorDetailSchema);
  response.write(frame("error", detail ? encodeJson(ErrorDetailSchema, detail) : "{}"));
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}
