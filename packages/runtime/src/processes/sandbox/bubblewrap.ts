import { existsSync, lstatSync, readlinkSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isWithin } from "../allowed-workspaces.ts";
import { hubVariables } from "../run-command.ts";
import { programFolders } from "./find-program.ts";
import { holdersIn, leadsToPrivate, readOnlyPathsIn } from "./mounts.ts";
import {
  type Enclosed,
  type Program,
  passedOn,
  type RunEnvironment,
  type Sandbox,
  type SandboxSettings,
} from "./sandbox.ts";
import { endFirstOnLowMemory, limitResources, type SystemTools } from "./system-tools.ts";

/** Folders of programs and libraries on common systems. */
const systemFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store"];

/** Entries of /etc that programs need; nothing about users, hosts or secrets. */
const settings = [
  ...[
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "alternatives",
    "passwd",
    "group",
    "nsswitch.conf",
    "hosts",
  ],
  ...[
    "localtime",
    "timezone",
    "os-release",
    "mime.types",
    "services",
    "protocols",
    "ssl/certs",
    "ca-certificates",
  ],
  ...["pki/tls/certs", "pki/ca-trust", "fonts", "python3", "perl", "java-17-openjdk", "java-21-openjdk"],
].map((name) => join("/etc", name));

/** Name resolution. */
const networkSettings = ["/etc/resolv.conf", "/etc/gai.conf", "/etc/host.conf"];

const home = "/home/baton";
const temporary = "/tmp";

/**
 * Bubblewrap: separate namespaces for everything, so that there is no network, no other process, and no file except the
 * read-only system and the workspace. Child processes end with it, and it ends with the hub.
 */
export function bubblewrap(bwrap: string, tools: SystemTools, sandboxSettings: SandboxSettings): Sandbox {
  return {
    kind: "bubblewrap",
    warning: missingGuarantee(tools.prlimit),
    enclose: (program, environment) => enclose(bwrap, tools, sandboxSettings, program, environment),
  };
}

function missingGuarantee(prlimit: string | undefined): string | undefined {
  if (prlimit === undefined) return "memory and processes are not limited: there is no prlimit";
  return process.getuid?.() === 0 ? "processes are not limited: the hub runs as root" : undefined;
}

function enclose(
  bwrap: string,
  tools: SystemTools,
  sandboxSettings: SandboxSettings,
  { file, args, needs }: Program,
  environment: RunEnvironment,
): Enclosed {
  const { directory, own, readable: extra = [], mounts = [], visible = [], fixed = [] } = environment;
  const network = environment.network ?? sandboxSettings.network;
  const hiddenWithin = sandboxSettings.hidden.filter((path) => isWithin(path, directory));
  const hiddenAround = sandboxSettings.hidden.filter((path) => !isWithin(path, directory));
  const alreadyVisible = [...systemFolders, directory];
  const readOnly = readOnlyPathsIn(sandboxSettings.fixed, directory);
  const readable = [...sandboxSettings.readable, ...programFolders(), ...needs, ...extra].filter(
    (path) =>
      !alreadyVisible.some((folder) => isWithin(path, folder)) &&
      !isPrivate(path, sandboxSettings.hidden) &&
      !leadsToPrivate(path, sandboxSettings.hidden),
  );
  const [first = bwrap, ...before] = [...endFirstOnLowMemory(tools), bwrap];
  return {
    file: first,
    args: [
      ...before,
      ...["--unshare-all", ...(network ? ["--share-net"] : []), "--die-with-parent"],
      ...(environment.inGroup ? [] : ["--new-session"]),
      ...["--cap-drop", "ALL", "--hostname", "sandbox"],
      ...systemFolders.flatMap(showSystem),
      ...[...settings, ...(network ? networkSettings : [])].flatMap(show),
      // Read-only: a hub that runs as root could otherwise change settings of the machine.
      ...["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"],
      ...["--bind", own.temporary, temporary, "--bind", own.home, home],
      ...(environment.home ?? []).flatMap(({ from, path, writable }) => [
        ...[writable ? "--bind" : "--ro-bind", from, join(home, path)],
      ]),
      // Later mounts cover earlier ones: a workspace may be in a hidden folder and contain hidden paths.
      ...readable.flatMap(show),
      ...hiddenAround.flatMap(hide),
      ...visible.flatMap(show),
      ...["--bind", directory, directory],
      // A mount point cannot be renamed, so the parent of a read-only path cannot be replaced.
      ...holdersIn(directory, [...readOnly, ...hiddenWithin]).flatMap((holder) => ["--bind", holder, holder]),
      ...[...new Set(fixed.map(({ holder }) => holder))].flatMap((holder) => ["--bind", holder, holder]),
      ...fixed.flatMap(({ path }) => ["--ro-bind", path, path]),
      ...readOnly.flatMap((path) => ["--ro-bind", path, path]),
      ...mounts
        .filter(({ from }) => !isHidden(from, sandboxSettings.hidden))
        .flatMap(({ from, to }) => ["--ro-bind", from, to]),
      ...hiddenWithin.flatMap(hide),
      ...["--remount-ro", "/", "--chdir", directory, "--"],
      ...limitResources(tools.prlimit, { ...sandboxSettings, ...environment.limits }),
      file,
      ...args,
    ],
    env: { ...hubVariables(passedOn), HOME: home, TMPDIR: temporary },
  };
}

/** Whether a folder contains the user's home or something hidden. */
function isPrivate(path: string, hidden: readonly string[]): boolean {
  return [homedir(), ...hidden].some((protectedPath) => isWithin(protectedPath, path));
}

/** Whether a path is in a hidden folder or contains one. */
function isHidden(path: string, hidden: readonly string[]): boolean {
  return hidden.some((protectedPath) => isWithin(path, protectedPath) || isWithin(protectedPath, path));
}

/** Many systems link /bin and others into /usr, and programs use both names. */
function showSystem(path: string): readonly string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  return found.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : show(path);
}

function show(path: string): readonly string[] {
  return existsSync(path) ? ["--ro-bind", path, path] : [];
}

function hide(path: string): readonly string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  return found.isDirectory() ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}
