import type { IncomingMessage, ServerResponse } from "node:http";
import { sapLimits, sapOpenApi } from "@baton/protocols/sap";
import type { Caller } from "@baton/runtime";
import { authenticateBy } from "../border/authenticate.ts";
import type { Rule } from "../border/methods.ts";
import { readTrace, writeTrace } from "../calls/trace.ts";
import { answerJson } from "../transport/answer-error.ts";
import { endUnreadBody } from "../transport/end-unread-body.ts";
import { followTask } from "./follow-task.ts";
import { nackOfError, noSuchPath, tooLarge, wrongMethod } from "./nacks.ts";
import { BodyTooLarge } from "./read-body.ts";
import { correlationHeader, headerOf, type SapCall, type SapPort, sendNack } from "./sap-call.ts";
import { cancelTask, readResult, readTranscript, submitTask } from "./task-calls.ts";

interface Route {
  readonly method: "GET" | "POST";
  readonly rule: Rule;
  /** Whether it stays open, and counts as a watcher. */
  readonly isStream?: true;
  answer(call: SapCall): Promise<void>;
}

const submitting: Rule = { roles: ["submit"], kind: "human", isOpen: true };
const looking: Rule = { roles: ["submit", "operate", "review", "audit"], kind: "human", isOpen: true };
const operating: Rule = { roles: ["operate"], kind: "human" };

/** By the path, with `*` for the taskId. */
const routes: Readonly<Record<string, Route>> = {
  "/sap/v2/tasks": { method: "POST", rule: submitting, answer: submitTask },
  "/sap/v2/tasks/*": { method: "GET", rule: looking, answer: readResult },
  "/sap/v2/tasks/*/events": { method: "GET", rule: looking, isStream: true, answer: followTask },
  "/sap/v2/tasks/*/cancel": { method: "POST", rule: operating, answer: cancelTask },
  "/sap/v2/tasks/*/transcript": { method: "GET", rule: looking, answer: readTranscript },
};

const openApiPath = "/sap/v2/openapi.json";
const openApi = sapOpenApi();

interface Noted {
  caller?: Caller;
  ids?: object;
}

/** Governed tasks over HTTP (TRN-04, SAP-10). Returns whether the path is one of theirs. */
export function answerSap(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  port: SapPort,
): boolean {
  if (!path.startsWith("/sap/")) return false;
  if (path === openApiPath && request.method === "GET") answerJson(response, 200, openApi);
  else void answer(request, response, path, port);
  return true;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  port: SapPort,
): Promise<void> {
  const startedMs = performance.now();
  const trace = readTrace(headerOf(request, "traceparent"));
  const log = port.log.child({ traceId: trace.traceId });
  const noted: Noted = {};
  const [taskId = ""] = /(?<=^\/sap\/v2\/tasks\/)[^/]+/.exec(path) ?? [];
  const name = taskId === "" ? path : path.replace(taskId, "*");
  const route = routes[name];
  response.setHeader("traceresponse", writeTrace(trace));
  response.once("close", () => {
    log.info(
      {
        ...{ method: `SAP ${request.method} ${route ? name : "?"}`, status: response.statusCode },
        durationMs: Math.round(performance.now() - startedMs),
        ...{ tenant: noted.caller?.tenantId, caller: noted.caller?.id },
        ...idsIn(noted.ids),
      },
      "call",
    );
  });
  const refuse = (nack: Parameters<typeof sendNack>[1], status?: number) => {
    endUnreadBody(request, response);
    sendNack(response, nack, status);
  };
  try {
    if (!route) return refuse(noSuchPath());
    if (request.method !== route.method) {
      response.setHeader("allow", route.method);
      return refuse(wrongMethod(route.method), 405);
    }
    const known = authenticateBy(port, { name }, route.rule, headerOf(request, "authorization"));
    const { traceId, parentSpanId } = trace;
    const caller = { ...known, traceId, ...(parentSpanId !== undefined && { parentSpanId }) };
    noted.caller = caller;
    port.readiness.refuseWhenStopping();
    const leave = port.admission.enter(route.isStream ? "watcher" : "call", caller.tenantId);
    const note = (ids: object) => {
      noted.ids = ids;
    };
    const correlationId = headerOf(request, correlationHeader);
    endUnreadBody(request, response);
    await route.answer({ request, response, port, caller, log, taskId, correlationId, note }).finally(leave);
  } catch (error) {
    if (error instanceof BodyTooLarge) return refuse(tooLarge(sapLimits.taskBytes));
    const nack = nackOfError(error, { log, errors: port.errors });
    // What is missing must not look like the end.
    if (response.headersSent) response.destroy();
    else refuse(nack);
  }
}

function idsIn(ids: object | undefined): object {
  const { taskId, parentTaskId, correlationId, pipelineId } = (ids ?? {}) as Record<string, unknown>;
  return { taskId, parentTaskId, correlationId, pipelineId };
}
