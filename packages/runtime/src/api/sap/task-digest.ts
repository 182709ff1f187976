import { hash } from "node:crypto";
import { canonicalJson, type SubmitTaskRequest } from "@baton/contract";
import { taskFromContract } from "@baton/protocols/sap";

/** The digest of a governed task as it was submitted, over its RFC 8785 JSON; undefined for other tasks. */
export function taskDigestOf(request: SubmitTaskRequest): string | undefined {
  const task = taskFromContract(request);
  return task && `sha256:${hash("sha256", canonicalJson(task))}`;
}
