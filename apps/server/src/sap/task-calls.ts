import type { IncomingMessage } from "node:http";
import { parseJson } from "@baton/contract";
import { isNack, sapLimits } from "@baton/protocols/sap";
import { makeNack, wrongForm } from "./nacks.ts";
import { readBody } from "./read-body.ts";
import { checkCorrelation, headerOf, type SapCall, send, sendNack } from "./sap-call.ts";

/** POST /sap/v2/tasks */
export async function submitTask(call: SapCall): Promise<void> {
  const { request, response, port, caller, note } = call;
  if (!isJson(request)) return sendNack(response, wrongForm(), 415);
  const wrongHeader = checkCorrelation(call, {});
  if (wrongHeader) return sendNack(response, wrongHeader);
  const body = await readBody(request, sapLimits.taskBytes, port.bodyTimeoutMs);
  const answer = await port.hub.sap.submit(caller, body, { correlationId: call.correlationId });
  if (!isNack(answer)) return send(call, 202, answer, answer.expected === false);
  note(answer);
  sendNack(response, answer);
}

/** GET /sap/v2/tasks/{taskId} */
export async function readResult(call: SapCall): Promise<void> {
  sendChecked(call, await call.port.hub.sap.result(call.caller, call.taskId));
}

/** GET /sap/v2/tasks/{taskId}/transcript */
export async function readTranscript(call: SapCall): Promise<void> {
  sendChecked(call, await call.port.hub.sap.transcript(call.caller, call.taskId));
}

/** POST /sap/v2/tasks/{taskId}/cancel */
export async function cancelTask(call: SapCall): Promise<void> {
  const { request, response, port, caller, taskId } = call;
  const reason = await readReason(request, port.bodyTimeoutMs);
  if (reason === undefined) return sendNack(response, wrongReason());
  // Before anything is done: a header of another task is a mistake.
  const before = await port.hub.sap.result(caller, taskId);
  const wrongHeader = isNack(before) ? before : checkCorrelation(call, before);
  if (wrongHeader) return sendNack(response, wrongHeader);
  sendChecked(call, await port.hub.sap.cancel(caller, taskId, reason));
}

function sendChecked(call: SapCall, answer: object): void {
  const refused = isNack(answer) ? answer : checkCorrelation(call, answer);
  if (!refused) return send(call, 200, answer);
  call.note(refused);
  sendNack(call.response, refused);
}

const defaultReason = "cancelled by its issuer";
const maxReasonBytes = 16_384;
const maxReasonLength = 2_000;

/** The reason in the body, which may be empty; undefined for anything else. */
async function readReason(request: IncomingMessage, timeoutMs: number): Promise<string | undefined> {
  const body = await readBody(request, maxReasonBytes, timeoutMs);
  if (body.length === 0) return defaultReason;
  if (!isJson(request)) return undefined;
  try {
    const limits = { maxBytes: maxReasonBytes, maxDepth: 4, maxElements: 100 };
    const { reason = defaultReason }: { readonly reason?: unknown } = {
      ...(parseJson("the cancel", body, limits) as object),
    };
    const isText = typeof reason === "string" && reason.trim() !== "" && reason.length <= maxReasonLength;
    return isText ? reason : undefined;
  } catch {
    return undefined;
  }
}

function wrongReason() {
  const message = `the body is not {"reason": "..."} with 1 to ${maxReasonLength} characters`;
  const fix = "send a reason as JSON, or no body";
  const violations = [{ path: "reason", rule: "text", message, fix }];
  return makeNack({ code: "INVALID_TASK", id: "BATON-SAP-001", message, fix, violations });
}

function isJson(request: IncomingMessage): boolean {
  const encoding = headerOf(request, "content-encoding") ?? "identity";
  const form = headerOf(request, "content-type") ?? "";
  return encoding === "identity" && /^application\/json *(; *charset=utf-?8 *)?$/i.test(form);
}
