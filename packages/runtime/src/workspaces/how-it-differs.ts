import type { KeptJob } from "../ports/outside.ts";
import { openDesk } from "./desk.ts";
import { findRepository } from "./repository.ts";
import type { WorkspaceParts } from "./settings.ts";

/**
 * Which files of a place are no longer as they were kept. A process of the agent may have outlived its answer; then what
 * the commands are run on is not what the commit holds. Files that the commit does not have do not count: commands build.
 */
export async function howItDiffers(
  { places, settings, desks }: WorkspaceParts,
  { branch, commit }: KeptJob,
  signal: AbortSignal,
): Promise<string | undefined> {
  const note = await places.note(branch);
  if (!note) return "its place is gone";
  const found = await findRepository(note.repository, settings.allowed, signal);
  if (!found.ok) return found.reason;
  const desk = await openDesk(desks, found.repository, signal);
  try {
    const read = await desk.git(["read-tree", commit]);
    if (!read.ok) return read.reason;
    const plain = ["-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv"];
    const seen = await desk.gitIn(places.folderOf(branch), ["diff", ...plain, "--ignore-submodules=dirty"]);
    return seen.ok ? tell(seen.output.split("\0").filter((path) => path !== "")) : seen.reason;
  } finally {
    await desk.close();
  }
}

const mostTold = 20;

function tell(paths: readonly string[]): string | undefined {
  if (paths.length === 0) return undefined;
  const more = paths.length > mostTold ? ` and ${paths.length - mostTold} more` : "";
  return `${paths.slice(0, mostTold).join(", ")}${more} changed after the agent had answered`;
}
