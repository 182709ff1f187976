import { readFileSync, statSync } from "node:fs";
import { isWithin } from "../allowed-workspaces.ts";

export interface Kept {
  readonly from: string;
  readonly to: string;
  readonly writable: boolean;
  /** Mounted also where nothing covers it, so that it cannot be written. */
  readonly always?: boolean;
}

/**
 * Carries out the steps of `arrangeMounts`, then runs what follows `--`. Parameters: a folder to hold mounts in, the working
 * folder, and the steps, four words each. It fails as a whole: nothing runs where a step does not work.
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
cd "$work"
PATH=$path_given
exec "$@"
`;

/**
 * Steps that cover some folders and show others in them again: all that is shown is held first, then the outer comes before
 * the inner. A folder that is only read and holds a covered one is not shown: it would show what is covered.
 */
export function arrangeMounts(
  covered: readonly string[],
  kept: readonly Kept[],
  runFolder: string,
): { readonly stage: string; readonly steps: readonly string[] } {
  const covers = [...new Set(covered)].filter(isThere);
  const isCovered = (path: string) => covers.some((cover) => isWithin(path, cover));
  const shown = kept.filter(
    ({ from, to, writable, always }) =>
      isThere(from) &&
      (writable || !covers.some((cover) => isWithin(cover, from))) &&
      (from !== to || always || isCovered(to)),
  );
  const holds = shown.flatMap(({ from }, at) => ["hold", from, String(at), ""]);
  const steps = [
    ...covers.map((path) => ({ path, words: ["cover", path, "", ""] })),
    ...shown.map(({ from, to, writable }, at) => ({
      path: to,
      words: ["show", to, String(at), writable ? "" : readOnlyOptions(from)],
    })),
  ].sort((one, other) => one.path.length - other.path.length);
  const stage = [runFolder, "/mnt", "/media", "/srv"].find(
    (path) =>
      isThere(path) && !isCovered(path) && !kept.some(({ to }) => path !== runFolder && isWithin(to, path)),
  );
  if (stage === undefined) throw new Error("no folder is free to hold mounts in");
  return { stage, steps: [...holds, ...steps.flatMap(({ words }) => words)] };
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

const flags = ["nosuid", "nodev", "noexec"];

/** A user namespace may add a restriction to a mount, and has to repeat those that it has. */
function readOnlyOptions(path: string): string {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .filter(([, , , , at = ""]) => at !== "" && isWithin(path, at.replaceAll("\\040", " ")));
  const nearest = mounts.reduce<string[]>(
    (best, one) => ((one[4]?.length ?? 0) >= (best[4]?.length ?? 0) ? one : best),
    [],
  );
  const has = (nearest[5] ?? "").split(",");
  return ["remount", "bind", "ro", ...flags.filter((flag) => has.includes(flag))].join(",");
}
