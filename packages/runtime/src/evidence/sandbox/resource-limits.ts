import type { ResourceLimits } from "./sandbox.ts";

/**
 * The beginning of an argument list that limits what follows it, by `prlimit` of util-linux. Memory is limited by what a
 * process may write to (RLIMIT_DATA): address space alone costs nothing, and some runtimes reserve a great deal of it.
 */
export function limitResources(
  prlimit: string | undefined,
  { memoryBytes, processes, fileBytes }: ResourceLimits,
): readonly string[] {
  if (prlimit === undefined) return [];
  return [
    prlimit,
    "--core=0",
    ...(memoryBytes === undefined ? [] : [`--data=${memoryBytes}`]),
    ...(processes === undefined ? [] : [`--nproc=${processes}`]),
    ...(fileBytes === undefined ? [] : [`--fsize=${fileBytes}`]),
  ];
}
