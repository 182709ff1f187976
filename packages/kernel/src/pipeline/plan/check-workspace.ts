import type { SubmitTaskRequest } from "@baton/contract";
import type { Problem } from "../../problem.ts";

/** What a task says of its workspace is checked when it comes in, as far as it can be without looking. */
export function checkWorkspace({ workspace }: SubmitTaskRequest): readonly Problem[] {
  if (workspace?.path !== "") return [];
  const { repository } = workspace;
  if (hasControls(repository) || hasControls(workspace.baseCommit))
    return [refused("has a character in it that no path and no commit has", "write it without")];
  if (isAddress(repository)) {
    const fix = "clone it on the machine of the hub, and name the folder of the clone";
    return [
      refused(`"${repository}" is an address, and the hub works with repositories on its own machine`, fix),
    ];
  }
  if (isAbsolute(repository)) return [];
  return [
    refused(`"${repository}" begins nowhere: the hub may run in another folder`, "write the whole path"),
  ];
}

function hasControls(text: string): boolean {
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

/** With a scheme, or as ssh writes it. One letter before a colon is a drive. */
function isAddress(repository: string): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(repository) || /^[^/\\]+@[^/\\]+:/.test(repository);
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[a-z]:[\\/]/i.test(path);
}

function refused(message: string, fix: string): Problem {
  return { code: "BATON-PIPELINE-001", at: "workspace.repository", message, fix };
}
