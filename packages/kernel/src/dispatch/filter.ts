import type { RiskTier } from "@baton/contract";
import type { Profile, RoutingView } from "../fleet/fleet-view.ts";
import { namesTier, tierName } from "../risk-tier.ts";
import { compareVersions, parseVersion } from "../versions/semver.ts";
import { satisfies } from "../versions/version-range.ts";
import type { AdmissionPolicy } from "./routing-policy.ts";

/** The requirements of a task (A §3.3). */
export interface Needs {
  readonly schemaVersion: string;
  readonly orchestratorVersion: string;
  readonly riskTier: RiskTier;
  readonly requiredTools: readonly string[];
}

/** Why a group of instances cannot take the task, and what must change. */
export interface Rejection {
  readonly reason: string;
  readonly remedy: string;
  /** Whether waiting may be enough. */
  readonly transient: boolean;
}

/**
 * Step 3, the static filter: the predicates of A §3.3 in order, except health, which `rank.ts` handles. Lists all failures,
 * because all must be fixed.
 */
export function rejectProfile({ manifest, tools }: Profile, needs: Needs): Rejection | undefined {
  const rejections = [
    rejectSchemaVersion(manifest.interface?.supportedSchemaVersions ?? [], needs.schemaVersion),
    rejectOrchestrator(manifest.minOrchestratorVersion, needs.orchestratorVersion),
    rejectRisk(manifest.interface?.acceptedRiskTiers ?? [], needs.riskTier),
    rejectTools(tools, needs.requiredTools),
  ].filter((rejection) => rejection !== undefined);
  if (rejections.length === 0) return undefined;
  const reason = rejections.map((rejection) => rejection.reason).join(", and ");
  return permanent(reason, rejections.map(({ remedy }) => remedy).join(", and "));
}

/** The predicates of A §3.3 about a pack as a whole. */
export function rejectPack(
  packId: string,
  { maxPerPackConcurrent }: AdmissionPolicy,
  fleet: RoutingView,
  nowMs: number,
): Rejection | undefined {
  if (!fleet.knowsPack(packId)) {
    return permanent(`no agent of pack "${packId}" is known`, `start an agent of pack "${packId}"`);
  }
  const active = fleet.activeOfPack(packId);
  if (active >= maxPerPackConcurrent) {
    const reason = `pack "${packId}" does ${active} tasks, and ${maxPerPackConcurrent} at once are allowed`;
    return { reason, remedy: "wait, or raise admission.max_per_pack_concurrent", transient: true };
  }
  if (fleet.breaker({ kind: "pack", id: packId }, nowMs) === "open") {
    const reason = `too many tasks of pack "${packId}" failed lately`;
    return permanent(reason, "wait for the circuit breaker to try it again, or fix its agents");
  }
  return undefined;
}

function rejectSchemaVersion(ranges: readonly string[], schemaVersion: string): Rejection | undefined {
  const version = parseVersion(schemaVersion);
  if (version && ranges.some((range) => satisfies(version, range))) return undefined;
  const speaks = ranges.length > 0 ? ranges.join(", ") : "no schema version";
  return permanent(
    `it speaks ${speaks}, and the task is written in ${schemaVersion}`,
    `add "^${schemaVersion}" to interface.supported_schema_versions`,
  );
}

function rejectOrchestrator(needed: string, ours: string): Rejection | undefined {
  if (needed === "") return undefined;
  const [minimum, own] = [parseVersion(needed), parseVersion(ours)];
  if (minimum && own && compareVersions(minimum, own) <= 0) return undefined;
  return permanent(
    `it needs orchestrator ${needed} or newer, and this is ${ours}`,
    "use an older pack or a newer hub",
  );
}

function rejectRisk(accepted: readonly string[], tier: RiskTier): Rejection | undefined {
  if (accepted.some((name) => namesTier(name, tier))) return undefined;
  const takes = accepted.length > 0 ? accepted.join(", ") : "no risk tier";
  return permanent(
    `it accepts ${takes}, and the task is ${tierName(tier)}`,
    `if it may be trusted with such work, give its pack a new version with the safety tier ${tierName(tier).toLowerCase()} ` +
      "(safetyTier in code, safety_tier in a file of a pack; and among the accepted risk tiers where these are written out); " +
      "else let another pack do it",
  );
}

function rejectTools(tools: ReadonlySet<string>, required: readonly string[]): Rejection | undefined {
  const missing = required.filter((tool) => !tools.has(tool));
  if (missing.length === 0) return undefined;
  return permanent(
    `it lacks ${missing.join(", ")}`,
    `add ${missing.join(", ")} to the tools of its pack (tools in code, provided_tools in a file of a pack) with a new version, ` +
      "or fix the tool where it is degraded",
  );
}

function permanent(reason: string, remedy: string): Rejection {
  return { reason, remedy, transient: false };
}
