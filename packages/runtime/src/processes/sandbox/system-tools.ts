import type { ResourceLimits } from "./sandbox.ts";

/** Paths of util-linux programs that were found. */
export interface SystemTools {
  readonly unshare?: string | undefined;
  readonly prlimit?: string | undefined;
  readonly setpriv?: string | undefined;
  readonly choom?: string | undefined;
}

/** Arguments that kill the following command when the hub ends, also when it is killed. */
export function endWithHub({ setpriv }: SystemTools): readonly string[] {
  return setpriv === undefined ? [] : [setpriv, "--pdeathsig", "KILL"];
}

/**
 * Arguments that limit the following command with `prlimit`. Memory is limited by RLIMIT_DATA: address space alone
 * costs nothing, and some runtimes reserve much of it.
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

/** Arguments that make the kernel kill the command before the hub when memory is exhausted. */
export function endFirstOnLowMemory({ choom }: SystemTools): readonly string[] {
  return choom === undefined ? [] : [choom, "-n", "1000", "--"];
}
