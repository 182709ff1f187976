import type { Readiness } from "../readiness.ts";
import type { NodeResponse } from "../rpc/node-types.ts";
import { answerJson } from "./answer-error.ts";

/** Answers whether the process lives (`/healthz`) and whether it takes work (`/readyz`) (TRN-05). */
export function answerProbe(path: string, response: NodeResponse, readiness: Readiness): boolean {
  if (path === "/healthz") {
    answerJson(response, 200, { status: "ok" });
    return true;
  }
  if (path !== "/readyz") return false;
  const reason = readiness.whyNot();
  const warnings = readiness.warnings();
  const { mode } = readiness;
  const more = { ...(mode !== undefined && { mode }), ...(warnings.length > 0 && { warnings }) };
  if (reason === undefined) answerJson(response, 200, { status: "ready", ...more });
  else answerJson(response, 503, { status: "not ready", reason, ...more });
  return true;
}
