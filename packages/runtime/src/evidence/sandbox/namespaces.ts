import { homedir } from "node:os";
import { join } from "node:path";
import { hubVariables } from "../run-command.ts";
import { programFolders } from "./find-program.ts";
import { fixedWithin } from "./fixed-within.ts";
import { arrangeMounts, type Kept, mountScript } from "./mounts.ts";
import { limitResources } from "./resource-limits.ts";
import { type Place, type Program, passedOn, type Sandbox, type SandboxSettings } from "./sandbox.ts";

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
 * Namespaces by `unshare`, for machines without bubblewrap: no network, whatever a command starts ends with it, and the
 * hub's data, its keys and the user's home are covered by empty folders. The command has no capabilities, so it cannot take
 * those away; in a user namespace of its own the kernel locks them.
 */
export function namespaces(
  unshare: string,
  setpriv: string,
  tools: SystemTools,
  given: SandboxSettings,
): Sandbox {
  const apart = ["--user", "--map-root-user", "--mount", "--pid", "--ipc", "--fork", "--kill-child"];
  return {
    kind: "namespaces",
    warning:
      "commands can read and change what the hub's user can outside of its home; processes are not limited; install bubblewrap",
    enclose: (program, place) => {
      const { own } = place;
      const network = place.network ?? given.network;
      const runFolder = join(own.temporary, "..");
      const { stage, steps } = arrangeMounts(coveredBy(given), keptBy(given, program, place), runFolder);
      const { memoryBytes, fileBytes } = { ...given, ...place.limits };
      const [first = "", ...rest] = [
        ...endWithHub(tools),
        ...[unshare, ...apart, "--mount-proc", ...(network ? [] : ["--net"]), "--"],
        ...["sh", "-c", mountScript, "sh", stage, place.directory, ...steps, "--"],
        ...[setpriv, "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--"],
        ...limitResources(tools.prlimit, { memoryBytes, fileBytes }),
        ...[program.file, ...program.args],
      ];
      const env = { ...hubVariables(passedOn), HOME: own.home, TMPDIR: own.temporary };
      return { file: first, args: rest, env };
    },
  };
}

/** The home of the user, unless that is the whole system, as for a service that has none. */
function coveredBy({ hidden }: SandboxSettings): readonly string[] {
  const home = homedir();
  return home === "/" ? hidden : [home, ...hidden];
}

function keptBy(given: SandboxSettings, { needs }: Program, place: Place): readonly Kept[] {
  const { directory, own, readable = [], visible = [], shown = [], fixed = [], home = [] } = place;
  const same = (paths: readonly string[], more: Partial<Kept>) =>
    paths.map((path) => ({ from: path, to: path, writable: false, ...more }));
  return [
    ...same([...given.readable, ...programFolders(), ...needs], {}),
    ...same([...readable, ...visible], { always: true }),
    ...same([directory, own.home, own.temporary], { writable: true }),
    ...same([...new Set(fixed.map(({ holder }) => holder))], { writable: true, always: true }),
    ...same(
      fixed.map(({ path }) => path),
      { always: true },
    ),
    ...same(fixedWithin(given.fixed, directory), { always: true }),
    ...shown.map(({ from, to }) => ({ from, to, writable: false })),
    ...home.map(({ from, path, writable }) => ({ from, to: join(own.home, path), writable })),
  ];
}
