import { hubVariables } from "../run-command.ts";
import { endWithHub, type SystemTools } from "./namespaces.ts";
import { limitResources } from "./resource-limits.ts";
import { passedOn, type Sandbox, type SandboxSettings } from "./sandbox.ts";

/**
 * A child process and no more: clean variables, limits on each process, a group that is ended with it. The number of
 * processes is not limited, because here the system counts all those of the hub's user.
 */
export function plain(tools: SystemTools, { memoryBytes, fileBytes }: SandboxSettings): Sandbox {
  return {
    kind: "plain",
    warning:
      "commands run with the network and with every file that the hub's user has, and what leaves their process group may outlive them",
    enclose: ({ file, args }, { own }) => {
      const [first = file, ...rest] = [
        ...endWithHub(tools),
        ...limitResources(tools.prlimit, { memoryBytes, fileBytes }),
        ...[file, ...args],
      ];
      const env = { ...hubVariables(passedOn), HOME: own.home, TMPDIR: own.temporary };
      return { file: first, args: rest, env };
    },
  };
}
