import type { SubmitTaskRequest } from "@baton/contract";
import type { Caller } from "@baton/runtime";
import { Code } from "@connectrpc/connect";
import { localCallerId } from "../border/authenticate.ts";
import { refuse } from "../errors/refuse.ts";

/**
 * Refuses a folder that a caller without a credential names. An agent with network access can be such a caller: its next
 * attempt would change the folder, or read the repository.
 */
export function refuseUnlistedFolder(caller: Caller, { workspace }: SubmitTaskRequest): void {
  if (caller.id !== localCallerId || caller.keyId !== undefined || workspace === undefined) return;
  throw refuse({
    code: Code.PermissionDenied,
    id: "BATON-SERVER-016",
    message: "a task in a folder of this machine needs the operator token",
    fix: "use `npx baton` as the user who started the hub, send operator.token of the hub's data folder (--api-key-file), or list the folders that any caller may name in evidence.workspaces",
  });
}
