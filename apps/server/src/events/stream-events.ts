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
import { Call } from "../calls/call.ts";
import { followUntil } from "../calls/follow.ts";
import { endWithKey, type Gate } from "../calls/gate.ts";
import { logCall } from "../calls/log-call.ts";
import { readTrace, writeTrace } from "../calls/trace.ts";
import { toConnectError } from "../errors/to-connect-error.ts";
import { acceptsEncoding } from "../transport/accepts-encoding.ts";
import { answerError } from "../transport/answer-error.ts";
import { publishChangeHints } from "./change-hints.ts";
import { EventAnswer } from "./event-answer.ts";
import { frame } from "./event-frames.ts";

const { watchEvents } = OrchestratorService.method;

/** How long an answer waits for the first item before it begins: who looks for a needle shows that it is alive. */
const firstItemMs = 500;

/** After how long a browser that has lost the stream comes back. */
const retryMs = 1_000;

export interface EventStreams extends Gate {
  readonly hub: Hub;
  readonly heartbeatMs: number;
  /** Where gRPC is spoken: what the command line calls the hub. */
  readonly grpcAddress: string;
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
  const signal = call.signal(gone.signal, streams.stopped);
  response.setHeader("traceresponse", writeTrace(call.trace));
  // The page learns with its first answer what it takes to decide here.
  response.setHeader("baton-sign-in", streams.keys.inUse ? "key" : "operator");
  response.setHeader("baton-hub", streams.grpcAddress);
  const answer = new EventAnswer(response, acceptsEncoding(headerOf(request, "accept-encoding"), "gzip"));
  try {
    const caller = authenticate(streams, watchEvents, headerOf(request, "authorization"));
    streams.readiness.refuseWhenStopping();
    call.admit(caller, streams.admission.enter("watcher", caller.tenantId));
    endWithKey(streams.keys, call, caller);
    // The page shows it from the first moment on, without asking.
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
    const told = toConnectError(error, { log, errors: streams.errors });
    call.code = told.code;
    if (answer.hasBegun) tellError(answer, told);
    else answerError(response, told);
  } finally {
    answer.end();
  }
}

/** `Last-Event-ID` is where a browser was; it goes before `after`, which is where it began. */
function readRequest(request: IncomingMessage): {
  readonly watched: WatchEventsRequest;
  readonly changeHints: boolean;
} {
  const query = new URL(request.url ?? "", "http://hub").searchParams;
  const unknown = [...query.keys()].find((name) => !["after", "filter", "stirs"].includes(name));
  if (unknown !== undefined)
    throw invalidRequest(
      `there is no parameter "${unknown.slice(0, 50)}"; use after, filter and changeHints`,
    );
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
    fix: "ask as in docs/reference/api.md: GET /v1/events?after=<sequence>&filter=<filter>",
  });
}

async function writeEvents(
  answer: EventAnswer,
  events: AsyncIterable<EventList>,
  signal: AbortSignal,
  heartbeatMs: number,
): Promise<void> {
  const items = followUntil(signal, events);
  // What is wrong with the request is mostly known with the first item: then the answer is an error, and no stream begins.
  const first = items.next();
  first.catch(() => undefined);
  await Promise.race([first, pause(firstItemMs, undefined, { ref: false })]);
  answer.begin();
  answer.write(`retry: ${retryMs}\n\n`);
  // A comment shows a silent stream to be alive, to proxies as well; a client that does not read gets none.
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

/** Once the stream has begun, an error is its last event. */
function tellError(answer: EventAnswer, error: ConnectError): void {
  const [detail] = error.findDetails(ErrorDetailSchema);
  answer.write(frame("error", detail ? encodeJson(ErrorDetailSchema, detail) : "{}"));
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}
