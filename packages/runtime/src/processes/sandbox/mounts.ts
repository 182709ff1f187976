import { lstatSync, mkdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, extname } from "node:path";
import { isCredential, isWithin } from "../allowed-workspaces.ts";

export interface MountRule {
  readonly from: string;
  readonly to: string;
  readonly writable: boolean;
  /** Mounted also where nothing covers it, to make it read-only. */
  readonly always?: boolean;
}

/**
 * Executes the steps of `arrangeMounts`, then the command after `--`. Parameters: a folder for temporary mounts, the
 * working folder, and the steps, four words each. Any failing step fails the run.
 */
export const mountScript = `
set -eu
stage=$1 work=$2 path_given=$PATH
PATH=/usr/sbin:/usr/bin:/sbin:/bin:$PATH
shift 2
mkdir -p "$stage/mounts"
mount -t tmpfs -o mode=0700 baton "$stage/mounts"
while [ "$1" != -- ]; do
  step=$1 path=$2 number=$3 options=$4
  held="$stage/mounts/$number"
  shift 4
  case $step in
    hold)
      if [ -d "$path" ]; then mkdir "$held"; else : > "$held"; fi
      mount --rbind -- "$path" "$held" ;;
    cover)
      if [ -d "$path" ]; then mount -t tmpfs -o mode=0755 baton "$path"
      elif [ -e "$path" ]; then mount --bind /dev/null "$path"; fi ;;
    show)
      if [ -d "$held" ]; then mkdir -p -- "$path"; else mkdir -p -- "$(dirname -- "$path")"; [ -e "$path" ] || : > "$path"; fi
      mount --rbind -- "$held" "$path"
      if [ -n "$options" ]; then mount -o "$options" -- "$path"; fi ;;
  esac
done
shift
umount -R -l "$stage/mounts"
# A hub that runs as root could have settings of the whole machine changed by it.
mount -o remount,bind,ro /proc
cd "$work"
PATH=$path_given
exec "$@"
`;

/**
 * Steps that cover folders and mount others in them again: first all sources are held, then outer paths come before
 * inner ones. A read-only folder that contains a covered one is not mounted, because that would expose it.
 */
export function arrangeMounts(
  covered: readonly string[],
  rules: readonly MountRule[],
  runFolder: string,
): { readonly stage: string; readonly steps: readonly string[] } {
  const covers = [...new Set(covered)].filter(exists);
  const isCovered = (path: string) => covers.some((cover) => isWithin(path, cover));
  const visible = rules.filter(
    ({ from, to, writable, always }) =>
      exists(from) &&
      (writable || !covers.some((cover) => isWithin(cover, from))) &&
      (from !== to || always || isCovered(to)),
  );
  const holds = visible.flatMap(({ from }, at) => ["hold", from, String(at), ""]);
  const steps = [
    ...covers.map((path) => ({ path, words: ["cover", path, "", ""] })),
    ...visible.map(({ from, to, writable }, at) => ({
      path: to,
      words: ["show", to, String(at), writable ? "" : readOnlyOptions(from)],
    })),
  ].sort((a, b) => a.path.length - b.path.length);
  const stage = [runFolder, "/mnt", "/media", "/srv"].find(
    (path) =>
      exists(path) && !isCovered(path) && !rules.some(({ to }) => path !== runFolder && isWithin(to, path)),
  );
  if (stage === undefined) throw new Error("no folder is free to hold mounts in");
  return { stage, steps: [...holds, ...steps.flatMap(({ words }) => words)] };
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

const restrictions = ["nosuid", "nodev", "noexec"];

/** In a user namespace, a remount must repeat the restrictions of the mount. */
function readOnlyOptions(path: string): string {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .filter(([, , , , at = ""]) => at !== "" && isWithin(path, at.replaceAll("\\040", " ")));
  const nearest = mounts.reduce<string[]>(
    (best, mount) => ((mount[4]?.length ?? 0) >= (best[4]?.length ?? 0) ? mount : best),
    [],
  );
  const has = (nearest[5] ?? "").split(",");
  return ["remount", "bind", "ro", ...restrictions.filter((flag) => has.includes(flag))].join(",");
}

/**
 * The folders of a workspace that hold such a path, outer ones first. Mounted in their own place they cannot be renamed, or a
 * command could put its own configuration or data where the hub looks for them.
 */
export function holdersIn(directory: string, paths: readonly string[]): readonly string[] {
  const holders = new Set<string>();
  for (const path of paths) {
    if (path === directory || !isWithin(path, directory)) continue;
    for (let at = dirname(path); at !== directory; at = dirname(at)) holders.add(at);
  }
  return [...holders].filter(exists).sort((one, other) => one.length - other.length);
}

/** Whether links on a path lead to the home, to credentials in it, or to data and keys of the hub: an agent may have made them. */
export function leadsToPrivate(path: string, hidden: readonly string[]): boolean {
  const real = realOf(path);
  if (real === path) return false;
  const kept = hidden.map(realOf);
  return (
    isCredential(real) ||
    kept.some((one) => isWithin(real, one)) ||
    [homedir(), ...kept].some((one) => isWithin(one, real))
  );
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * Paths of the hub's configuration inside a workspace. The hub rereads them when they change, so commands must not write
 * there. A missing folder is created, so that a command cannot create it. Links cannot be mount points and are skipped.
 */
export function readOnlyPathsIn(paths: readonly string[], directory: string): readonly string[] {
  return paths.filter((path) => {
    if (path === directory || !isWithin(path, directory)) return false;
    const isFile = extname(path) !== "";
    if (!isFile) mkdirSync(path, { recursive: true });
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found !== undefined && !found.isSymbolicLink();
  });
}
