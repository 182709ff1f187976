import { existsSync, lstatSync, readlinkSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isWithin } from "../allowed-workspaces.ts";
import { hubVariables } from "../run-command.ts";
import { programFolders } from "./find-program.ts";
import { fixedWithin } from "./fixed-within.ts";
import { limitResources } from "./resource-limits.ts";
import {
  type Enclosed,
  type Place,
  type Program,
  passedOn,
  type Sandbox,
  type SandboxSettings,
} from "./sandbox.ts";

/** Where programs and what they need are, on the systems there are. */
const systemFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store"];

/** Of /etc what programs look for; nothing that tells of users, hosts or secrets. */
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

/** To find hosts by their names. */
const networkSettings = ["/etc/resolv.conf", "/etc/gai.conf", "/etc/host.conf"];

const home = "/home/baton";
const temporary = "/tmp";

/**
 * Bubblewrap: namespaces of its own for everything, so that there is no network, no other process, and no file but the
 * system's (which cannot be written) and the workspace. Whatever it starts ends with it, and it ends with the hub.
 */
export function bubblewrap(bwrap: string, prlimit: string | undefined, given: SandboxSettings): Sandbox {
  return {
    kind: "bubblewrap",
    warning: lackOf(prlimit),
    enclose: (program, place) => enclose(bwrap, prlimit, given, program, place),
  };
}

function lackOf(prlimit: string | undefined): string | undefined {
  if (prlimit === undefined) return "memory and processes are not limited: there is no prlimit";
  return process.getuid?.() === 0 ? "processes are not limited: the hub runs as root" : undefined;
}

function enclose(
  bwrap: string,
  prlimit: string | undefined,
  given: SandboxSettings,
  { file, args, needs }: Program,
  place: Place,
): Enclosed {
  const { directory, own, readable: needed = [], shown = [], visible = [], fixed = [] } = place;
  const network = place.network ?? given.network;
  const hiddenWithin = given.hidden.filter((path) => isWithin(path, directory));
  const hiddenAround = given.hidden.filter((path) => !isWithin(path, directory));
  const beside = [...systemFolders, directory];
  const readable = [...given.readable, ...programFolders(), ...needs, ...needed].filter(
    (path) => !beside.some((folder) => isWithin(path, folder)) && !isPrivate(path, given.hidden),
  );
  return {
    file: bwrap,
    args: [
      ...["--unshare-all", ...(network ? ["--share-net"] : []), "--die-with-parent"],
      ...(place.inGroup ? [] : ["--new-session"]),
      ...["--cap-drop", "ALL", "--hostname", "sandbox"],
      ...systemFolders.flatMap(showSystem),
      ...[...settings, ...(network ? networkSettings : [])].flatMap(show),
      // Without writing there: a hub that runs as root could change settings of the whole machine by it.
      ...["--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"],
      ...["--bind", own.temporary, temporary, "--bind", own.home, home],
      ...(place.home ?? []).flatMap(({ from, path, writable }) => [
        ...[writable ? "--bind" : "--ro-bind", from, join(home, path)],
      ]),
      // Each covers what came before it: a workspace may lie where something is hidden, and hold something to hide.
      ...readable.flatMap(show),
      ...hiddenAround.flatMap(hide),
      ...visible.flatMap(show),
      ...["--bind", directory, directory],
      // What is mounted cannot be renamed: nobody puts another folder in the place of the one that holds something fixed.
      ...[...new Set(fixed.map(({ holder }) => holder))].flatMap((holder) => ["--bind", holder, holder]),
      ...fixed.flatMap(({ path }) => ["--ro-bind", path, path]),
      ...fixedWithin(given.fixed, directory).flatMap((path) => ["--ro-bind", path, path]),
      ...shown
        .filter(({ from }) => !isHidden(from, given.hidden))
        .flatMap(({ from, to }) => ["--ro-bind", from, to]),
      ...hiddenWithin.flatMap(hide),
      ...["--remount-ro", "/", "--chdir", directory, "--"],
      ...limitResources(prlimit, { ...given, ...place.limits }),
      file,
      ...args,
    ],
    env: { ...hubVariables(passedOn), HOME: home, TMPDIR: temporary },
  };
}

/** A folder of programs shows what it holds; one that holds the user's home or what is hidden is none. */
function isPrivate(path: string, hidden: readonly string[]): boolean {
  return [homedir(), ...hidden].some((kept) => isWithin(kept, path));
}

/** Neither part of what is hidden, nor around it. */
function isHidden(path: string, hidden: readonly string[]): boolean {
  return hidden.some((kept) => isWithin(path, kept) || isWithin(kept, path));
}

/** Many systems have /bin and the like as links into /usr, and programs know both names. */
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
