import type { IncomingMessage, ServerResponse } from "node:http";
import { httpStatusOf, type Nack, UuidSchema } from "@baton/protocols/sap";
import type { Caller, Hub } from "@baton/runtime";
import type { Logger } from "pino";
import type { Authorization } from "../calls/authorize.ts";
import { answerJson } from "../transport/answer-error.ts";
import { makeNack } from "./nacks.ts";

export interface SapPort extends Authorization {
  readonly hub: Pick<Hub, "sap">;
  readonly bodyTimeoutMs: number;
  readonly heartbeatMs: number;
  /** Fires when the server stops. */
  readonly stopped: AbortSignal;
}

/** One authorised request. */
export interface SapCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly port: SapPort;
  readonly caller: Caller;
  readonly log: Logger;
  /** The taskId of the path; empty for a submission. */
  readonly taskId: string;
  /** The header X-Correlation-Id. */
  readonly correlationId: string | undefined;
  /** For the log. */
  readonly note: (ids: object) => void;
}

export const correlationHeader = "x-correlation-id";

export function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}

/** Answers with a value that carries a correlationId, or with nothing but it. */
export function send({ response, note }: SapCall, status: number, value: object, isSilent = false): void {
  note(value);
  setCorrelation(response, value);
  if (isSilent) response.writeHead(status, { "cache-control": "no-store" }).end();
  else answerJson(response, status, value);
}

export function sendNack(response: ServerResponse, nack: Nack, status = statusOf(nack)): void {
  const { retryAfterMs } = nack.error.details ?? {};
  setCorrelation(response, nack);
  if (typeof retryAfterMs === "number") response.setHeader("retry-after", Math.ceil(retryAfterMs / 1_000));
  answerJson(response, status, nack);
}

function setCorrelation(response: ServerResponse, value: object): void {
  if ("correlationId" in value && typeof value.correlationId === "string")
    response.setHeader(correlationHeader, value.correlationId);
}

/** A conflict, a size and a state of the hub have statuses of their own. */
function statusOf({ error: { code, details } }: Nack): number {
  const [first] = details?.violations ?? [];
  if (first?.rule === "conflict") return 409;
  if (first?.rule === "size") return 413;
  if (code === "INTERNAL" && details?.retryAfterMs !== undefined) return 503;
  return httpStatusOf[code];
}

/** Why the header contradicts the task; undefined when it does not. */
export function checkCorrelation(
  { correlationId }: Pick<SapCall, "correlationId">,
  answer: { readonly taskId?: string | undefined; readonly correlationId?: string | undefined },
): Nack | undefined {
  if (correlationId === undefined) return undefined;
  if (!UuidSchema.safeParse(correlationId).success)
    return mismatch(
      "is not an RFC 4122 UUID",
      answer,
      "write the correlationId of the task, or leave it out",
    );
  if (answer.correlationId === undefined || answer.correlationId === correlationId) return undefined;
  return mismatch("differs from the correlationId of the task", answer, "write the same, or leave it out");
}

function mismatch(message: string, ids: object, fix: string): Nack {
  const violations = [{ path: "X-Correlation-Id", rule: "correlation", message, fix }];
  const text = `X-Correlation-Id ${message}`;
  return makeNack({ code: "INVALID_TASK", id: "BATON-SAP-007", message: text, fix, violations }, ids);
}
