import type { AgentManifest } from "@baton/contract";
import type { BreakerScope, Candidate, Profile, RoutingView } from "../fleet/fleet-view.ts";
import { firstPerHealth, isFree } from "./rank.ts";

/**
 * The part of the fleet that a routing decision used, small enough to be stored with it: groups of equal instances of each
 * pack, and the best few of each. Allows later what-if questions.
 */
export interface FleetFacts {
  readonly packs: readonly PackFacts[];
  readonly taskTypeBreaker: BreakerState;
}

type BreakerState = "closed" | "open" | "half-open";

interface PackFacts {
  readonly packId: string;
  readonly active: number;
  readonly breaker: BreakerState;
  readonly profiles: readonly ProfileFacts[];
}

interface ProfileFacts {
  readonly manifest: AgentManifest;
  readonly tools: readonly string[];
  readonly counts: Profile["counts"];
  readonly best: readonly Candidate[];
}

/** A larger fleet is cut to the first packs by name; those in the policy and the chosen one always stay. */
const factLimits = { packs: 16, profilesPerPack: 4 } as const;

export function factsOf(
  fleet: RoutingView,
  taskType: string,
  namedPackIds: readonly string[],
  candidates: number,
  nowMs: number,
  chosenInstanceId = "",
): FleetFacts {
  const isChosen = ({ instanceId }: Candidate) => instanceId === chosenInstanceId;
  const rank = ({ best }: ProfileFacts) => (best.some(isChosen) ? 0 : best.some(isFree) ? 1 : 2);
  return {
    taskTypeBreaker: fleet.breaker({ kind: "task-type", id: taskType }, nowMs),
    packs: keptPacks(fleet, namedPackIds).map((packId) => ({
      packId,
      active: fleet.activeOfPack(packId),
      breaker: fleet.breaker({ kind: "pack", id: packId }, nowMs),
      profiles: [...fleet.profiles(packId, nowMs)]
        .map((profile) => ({
          manifest: profile.manifest,
          tools: [...profile.tools].sort(),
          counts: profile.counts,
          best: profile.best(candidates, nowMs),
        }))
        .sort((a, b) => rank(a) - rank(b))
        .slice(0, factLimits.profilesPerPack),
    })),
  };
}

/** Named packs that are known, then others by name, up to the limit. */
function keptPacks(fleet: RoutingView, namedPackIds: readonly string[]): readonly string[] {
  const kept: string[] = [];
  const keep = (packId: string) => {
    if (kept.length < factLimits.packs && !kept.includes(packId)) kept.push(packId);
  };
  for (const packId of namedPackIds) if (fleet.knowsPack(packId)) keep(packId);
  for (const packId of fleet.packIds()) keep(packId);
  return kept;
}

/** The fleet that the facts describe. */
export function fleetFromFacts(facts: FleetFacts): RoutingView {
  const pack = (id: string) => facts.packs.find(({ packId }) => packId === id);
  return {
    packIds: () => facts.packs.map(({ packId }) => packId).sort(),
    knowsPack: (packId) => pack(packId) !== undefined,
    activeOfPack: (packId) => pack(packId)?.active ?? 0,
    breaker: ({ kind, id }: BreakerScope) =>
      kind === "task-type" ? facts.taskTypeBreaker : (pack(id)?.breaker ?? "closed"),
    profiles: (packId) =>
      (pack(packId)?.profiles ?? []).map(({ manifest, tools, counts, best }) => ({
        manifest,
        tools: new Set(tools),
        counts,
        best: (n) => firstPerHealth(best, n),
      })),
  };
}
