import type { SubmitTaskRequest } from "@baton/contract";
import type { Problem } from "../../problem.ts";

/** Checks the workspace of a task, as far as possible without reading files. */
export function checkWorkspace({ workspace }: SubmitTaskRequest): readonly Problem[] {
  if (workspace?.path !== "") return [];
  const { repository } = workspace;
  if (hasControls(repository) || hasControls(workspace.baseCommit))
    return [refused("has a control character", "remove it")];
  if (isAddress(repository)) {
    const fix = "clone it on the machine of the hub, and name the folder of the clone";
    return [
      refused(`"${repository}" is an address, and the hub works with repositories on its own machine`, fix),
    ];
  }
  if (isAbsolute(repository)) return [];
  return [
    refused(
      `"${repository}" is a relative path, and the hub may run in another folder`,
      "write the absolute path",
    ),
  ];
}

function hasControls(text: string): boolean {
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

/** With a scheme, or in the form of ssh. One letter before a colon is a drive. */
function isAddress(repository: string): boolean {
  return /^[a-z][a-z0-9+.-]+:/i.test(repository) || /^[^/\\]+@[^/\\]+:/.test(repository);
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[a-z]:[\\/]/i.test(path);
}

function refused(message: string, fix: string): Problem {
  return { code: "BATON-PIPELINE-001", at: "workspace.repository", message, fix };
}
