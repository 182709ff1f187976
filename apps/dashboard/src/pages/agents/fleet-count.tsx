import { type Fleet, mostInstances } from "./use-agents.ts";

/** How many there are. Those that are gone are listed for a while, and counted by themselves. */
export function FleetCount({ fleet: { packs, hasMore } }: { readonly fleet: Fleet }) {
  const all = packs.flatMap(({ instances }) => instances);
  const there = all.filter(({ goneSince }) => goneSince === undefined);
  const packsThere = new Set(there.map(({ heartbeat }) => heartbeat?.packId)).size;
  const gone = all.length - there.length;
  return (
    <span className="quiet">
      {count(there.length, "instance")} of {count(packsThere, "pack")}
      {gone > 0 && `, ${gone.toLocaleString("en")} gone`}
      {hasMore && ` — there are more: the first ${mostInstances.toLocaleString("en")} are shown`}
    </span>
  );
}

function count(number: number, word: string): string {
  return `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
}
