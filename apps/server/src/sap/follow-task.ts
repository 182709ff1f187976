import { once } from "node:events";
import { isNack, type NumberedResult } from "@baton/protocols/sap";
import { makeNack, nackOfError } from "./nacks.ts";
import { checkCorrelation, correlationHeader, headerOf, type SapCall, sendNack } from "./sap-call.ts";

/** The delay after which a client reconnects. */
const retryMs = 1_000;

/** GET /sap/v2/tasks/{taskId}/events: the Results as server-sent events. The id of an event is the number of its Result. */
export async function followTask(call: SapCall): Promise<void> {
  const { request, response, port, caller, taskId, log } = call;
  const after = headerOf(request, "last-event-id") ?? "0";
  if (!/^\d{1,9}$/.test(after)) return sendNack(response, wrongPosition());
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const ended = new AbortController();
  const stop = caller.keyId === undefined ? () => {} : port.keys.onEnd(caller.keyId, () => ended.abort());
  const signal = AbortSignal.any([gone.signal, ended.signal, port.stopped]);
  try {
    const now = await port.hub.sap.result(caller, taskId);
    const wrongHeader = isNack(now) ? now : checkCorrelation(call, now);
    if (wrongHeader) return sendNack(response, wrongHeader);
    call.note(now);
    const results = await port.hub.sap.follow(caller, taskId, Number(after), signal);
    if (!(Symbol.asyncIterator in results)) return sendNack(response, results);
    response.setHeader(correlationHeader, String(now.correlationId));
    await write(call, results, signal);
  } catch (error) {
    if (!response.headersSent) throw error;
    // The stream has begun: its last event says why it ends.
    const { error: reason } = nackOfError(error, { log, errors: port.errors });
    if (!gone.signal.aborted) response.write(`event: error\ndata: ${JSON.stringify(reason)}\n\n`);
  } finally {
    stop();
    // A stream that ends is complete; one that is cut off has to be continued.
    if (response.headersSent && signal.aborted) response.destroy();
    else if (response.headersSent) response.end();
  }
}

async function write(
  { response, port }: SapCall,
  results: AsyncIterable<NumberedResult>,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-accel-buffering": "no", // Stops nginx from buffering the stream.
  });
  response.write(`retry: ${retryMs}\n\n`);
  // Keeps a silent stream open, also in proxies; not for a client that does not read.
  const heartbeat = setInterval(() => {
    if (!response.writableNeedDrain) response.write(": alive\n\n");
  }, port.heartbeatMs);
  try {
    for await (const { number, result } of results) {
      const isRead = response.write(`id: ${number}\nevent: result\ndata: ${JSON.stringify(result)}\n\n`);
      if (!isRead) await once(response, "drain", { signal }).catch(() => undefined);
    }
  } finally {
    clearInterval(heartbeat);
  }
}

function wrongPosition() {
  const message = "Last-Event-ID is not the id of an event";
  const fix = "send the id of the last event that was received, or leave it out";
  const violations = [{ path: "Last-Event-ID", rule: "position", message, fix }];
  return makeNack({ code: "INVALID_TASK", id: "BATON-SAP-001", message, fix, violations });
}
