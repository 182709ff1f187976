import { objectFolders } from "../../../workspaces/kept-copy.ts";
import { findRepository } from "../../../workspaces/repository.ts";
import type { CommandSettings } from "../settings.ts";

/**
 * The objects that a workspace of the hub borrows, to be read. They are found by the repository that the task names: what a
 * workspace says of itself was in an agent's hands.
 */
export async function repositoryObjects(
  repository: string | undefined,
  { workspaces }: Pick<CommandSettings, "workspaces">,
): Promise<readonly string[]> {
  if (!repository) return [];
  const found = await findRepository(repository, workspaces, AbortSignal.timeout(searchMs));
  return found.ok ? objectFolders(found.repository.objects) : [];
}

const searchMs = 30_000;
