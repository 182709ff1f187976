import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { SubmitTaskRequest } from "@baton/contract";
import { CliError } from "../errors/cli-error.ts";
import { isLoopback } from "../hub/address.ts";

/** A hub on this machine sees the same folders as we do; of those of another machine we cannot know. */
export function checkWorkspace({ workspace }: SubmitTaskRequest, hub: URL, isOption: boolean): void {
  const path = workspace?.path ?? "";
  if (!isLoopback(hub) || !isAbsolute(path)) return;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  const problem = found === undefined ? "is not there" : "is no folder";
  throw new CliError("BATON-CLI-001", `the workspace ${path} ${problem}`, {
    at: isOption ? "--workspace" : "workspace.path",
    fix: "name a folder that is there: agents work in it, and the hub looks at what they changed",
  });
}
