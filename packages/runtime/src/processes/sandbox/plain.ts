import { hubVariables } from "../run-command.ts";
import { passedOn, type Sandbox, type SandboxSettings } from "./sandbox.ts";
import { endFirstOnLowMemory, endWithHub, limitResources, type SystemTools } from "./system-tools.ts";

/**
 * Without isolation: clean variables, limits per process, a process group that is killed with the command. The number
 * of processes is not limited, because the system would count all processes of the hub's user.
 */
export function plain(tools: SystemTools, { memoryBytes, fileBytes }: SandboxSettings): Sandbox {
  return {
    kind: "plain",
    warning:
      "commands run with the network and with every file that the hub's user has, and what leaves their process group may outlive them",
    enclose: ({ file, args }, { own }) => {
      const [first = file, ...rest] = [
        ...endWithHub(tools),
        ...endFirstOnLowMemory(tools),
        ...limitResources(tools.prlimit, { memoryBytes, fileBytes }),
        ...[file, ...args],
      ];
      const env = { ...hubVariables(passedOn), HOME: own.home, TMPDIR: own.temporary };
      return { file: first, args: rest, env };
    },
  };
}
