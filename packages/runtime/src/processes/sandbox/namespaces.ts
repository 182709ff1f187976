import { homedir } from "node:os";
import { join } from "node:path";
import { hubVariables } from "../run-command.ts";
import { programFolders } from "./find-program.ts";
import {
  arrangeMounts,
  holdersIn,
  leadsToPrivate,
  type MountRule,
  mountScript,
  readOnlyPathsIn,
} from "./mounts.ts";
import {
  type Program,
  passedOn,
  type RunEnvironment,
  type Sandbox,
  type SandboxSettings,
} from "./sandbox.ts";
import { endFirstOnLowMemory, endWithHub, limitResources, type SystemTools } from "./system-tools.ts";

/**
 * Namespaces by `unshare`, for machines without bubblewrap: no network, child processes end with the command, and the
 * hub's data, its keys and the user's home are covered by empty folders. The command has no capabilities to unmount
 * those; in its user namespace the kernel locks them.
 */
export function namespaces(
  unshare: string,
  setpriv: string,
  tools: SystemTools,
  settings: SandboxSettings,
): Sandbox {
  const unshareFlags = ["--user", "--map-root-user", "--mount", "--pid", "--ipc", "--fork", "--kill-child"];
  return {
    kind: "namespaces",
    warning:
      "commands can read and change what the hub's user can outside of its home; processes are not limited; install bubblewrap",
    enclose: (program, environment) => {
      const { own } = environment;
      const network = environment.network ?? settings.network;
      const runFolder = join(own.temporary, "..");
      const { stage, steps } = arrangeMounts(
        coveredPaths(settings),
        mountRules(settings, program, environment),
        runFolder,
      );
      const { memoryBytes, fileBytes } = { ...settings, ...environment.limits };
      const [first = "", ...rest] = [
        ...endWithHub(tools),
        ...endFirstOnLowMemory(tools),
        ...[unshare, ...unshareFlags, "--mount-proc", ...(network ? [] : ["--net"]), "--"],
        ...["sh", "-c", mountScript, "sh", stage, environment.directory, ...steps, "--"],
        ...[setpriv, "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--"],
        ...limitResources(tools.prlimit, { memoryBytes, fileBytes }),
        ...[program.file, ...program.args],
      ];
      const env = { ...hubVariables(passedOn), HOME: own.home, TMPDIR: own.temporary };
      return { file: first, args: rest, env };
    },
  };
}

/** Includes the user's home, unless that is the root folder, as for service users. */
function coveredPaths({ hidden }: SandboxSettings): readonly string[] {
  const home = homedir();
  return home === "/" ? hidden : [home, ...hidden];
}

function mountRules(
  settings: SandboxSettings,
  { needs }: Program,
  environment: RunEnvironment,
): readonly MountRule[] {
  const { directory, own, readable = [], visible = [], mounts = [], fixed = [], home = [] } = environment;
  const same = (paths: readonly string[], more: Partial<MountRule>) =>
    paths.map((path) => ({ from: path, to: path, writable: false, ...more }));
  const readOnly = readOnlyPathsIn(settings.fixed, directory);
  const listed = (paths: readonly string[]) => paths.filter((path) => !leadsToPrivate(path, settings.hidden));
  return [
    ...same(listed([...settings.readable, ...programFolders(), ...needs]), {}),
    ...same([...listed(readable), ...visible], { always: true }),
    ...same([directory, own.home, own.temporary], { writable: true }),
    ...same([...new Set(fixed.map(({ holder }) => holder))], { writable: true, always: true }),
    ...same(
      fixed.map(({ path }) => path),
      { always: true },
    ),
    ...same(holdersIn(directory, [...readOnly, ...settings.hidden]), { writable: true, always: true }),
    ...same(readOnly, { always: true }),
    ...mounts.map(({ from, to }) => ({ from, to, writable: false })),
    ...home.map(({ from, path, writable }) => ({ from, to: join(own.home, path), writable })),
  ];
}
