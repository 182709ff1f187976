import { openDesk } from "./desk.ts";
import type { Repository } from "./repository.ts";

/** Which files of a folder are no longer as a commit has them. Files that the commit does not have do not count: commands build. */
export async function howItDiffers(
  desks: string,
  repository: Repository,
  folder: string,
  commit: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const desk = await openDesk(desks, repository, signal);
  try {
    const read = await desk.git(["read-tree", commit]);
    if (!read.ok) return read.reason;
    const plain = ["-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv"];
    const seen = await desk.gitIn(folder, ["diff", ...plain, "--ignore-submodules=dirty"]);
    return seen.ok ? tell(seen.output.split("\0").filter((path) => path !== "")) : seen.reason;
  } finally {
    await desk.close();
  }
}

const mostTold = 20;

function tell(paths: readonly string[]): string | undefined {
  if (paths.length === 0) return undefined;
  const more = paths.length > mostTold ? ` and ${paths.length - mostTold} more` : "";
  return `${paths.slice(0, mostTold).join(", ")}${more} changed while the commands ran`;
}
