import { hubVariables } from "../run-command.ts";
import { limitResources } from "./resource-limits.ts";
import { passedOn, type Sandbox, type SandboxSettings } from "./sandbox.ts";

/** Programs of util-linux, where they were found. */
export interface SystemTools {
  readonly unshare?: string | undefined;
  readonly prlimit?: string | undefined;
  readonly setpriv?: string | undefined;
}

/** Ends what follows when the hub ends, also when that is killed. */
export function endWithHub({ setpriv }: SystemTools): readonly string[] {
  return setpriv === undefined ? [] : [setpriv, "--pdeathsig", "KILL"];
}

/**
 * Namespaces by `unshare`, for machines without bubblewrap: no network, and whatever a command starts ends with it. Files
 * are there as the hub's user sees them.
 */
export function namespaces(unshare: string, tools: SystemTools, given: SandboxSettings): Sandbox {
  const apart = ["--user", "--map-current-user", "--pid", "--ipc", "--fork", "--kill-child", "--mount-proc"];
  return {
    kind: "namespaces",
    warning: "commands can read and change every file that the hub's user can; install bubblewrap",
    enclose: ({ file, args }, { own }) => {
      const [first = file, ...rest] = [
        ...endWithHub(tools),
        ...[unshare, ...apart, ...(given.network ? [] : ["--net"]), "--"],
        ...limitResources(tools.prlimit, given),
        ...[file, ...args],
      ];
      const env = { ...hubVariables(passedOn), HOME: own.home, TMPDIR: own.temporary };
      return { file: first, args: rest, env };
    },
  };
}
