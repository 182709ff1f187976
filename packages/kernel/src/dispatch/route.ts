import type { RiskTier } from "@baton/contract";
import type { Candidate, RoutingView } from "../fleet/fleet-view.ts";
import type { OfInstance } from "../fleet/state/record.ts";
import { effectiveTier } from "../risk-tier.ts";
import { type AdmissionRefusal, admit } from "./admission.ts";
import { type Needs, rejectPack, rejectProfile } from "./filter.ts";
import { healthyCandidates, rejectHealth } from "./health.ts";
import { explainNoAgent, openPolicyVersion } from "./open-policy.ts";
import { failureOrder, isFree, preferOthers, rankCandidates } from "./rank.ts";
import { fallbackOf, type Route, type RoutingPolicy } from "./routing-policy.ts";

/** A task to route. */
export interface RouteQuestion {
  readonly taskType: string;
  readonly riskTier: RiskTier;
  readonly requiredTools: readonly string[];
  readonly schemaVersion: string;
  readonly orchestratorVersion: string;
  readonly queueDepth: number;
  /** It waits in the queue already. */
  readonly queued?: boolean;
  /** Instances that failed in this round, latest last; any other candidate is preferred. */
  readonly failedOn?: readonly OfInstance[];
  /** The author's pack of a review, which must not review itself. */
  readonly authorPackId?: string;
  /** The only pack that may take it; the policy has to allow it. */
  readonly packId?: string;
  readonly nowMs: number;
}

/** An instance or a group of instances, and why it was chosen or not (A §5.4). */
export interface Verdict {
  readonly packId: string;
  /** Empty for a group. */
  readonly instanceId: string;
  readonly eligible: boolean;
  /** Rank among the eligible, from one; zero when not eligible. */
  readonly rank: number;
  readonly reason: string;
  /** What must change for it to be chosen; empty when it was. */
  readonly remedy: string;
}

export interface RouteChoice {
  readonly packId: string;
  readonly packVersion: string;
  readonly instanceId: string;
  /** Best first, the chosen one among them, at most `max_candidate_agents`. */
  readonly candidatePackIds: readonly string[];
  readonly policyVersion: string;
  readonly riskTier: RiskTier;
  readonly usedFallback: boolean;
  readonly verdicts: readonly Verdict[];
}

export type RouteAnswer =
  | { readonly kind: "routed"; readonly choice: RouteChoice }
  | { readonly kind: "refused"; readonly refusal: RouteRefusal };

export interface RouteRefusal {
  readonly step: "admission" | "match" | "filter";
  readonly reason: string;
  readonly remedy: string;
  /** Agents are only busy: it waits, and no person is asked. */
  readonly busy: boolean;
  readonly policyVersion: string;
  readonly verdicts: readonly Verdict[];
  readonly admission?: AdmissionRefusal;
}

/** Steps 1 to 3 of dispatch (A §3.2). The same question, policy and fleet give the same answer. */
export function route(question: RouteQuestion, policy: RoutingPolicy, fleet: RoutingView): RouteAnswer {
  const admission = admit(question, policy.admission, fleet, question.nowMs);
  if (admission) {
    const remedy =
      admission.breakerState === "open"
        ? "find out why these tasks fail; it goes on by itself once the breaker lets one through"
        : "it goes on by itself once fewer tasks wait; start more agents, or raise max_global_queue_depth";
    return refuse(policy, { step: "admission", reason: admission.reason, remedy, admission });
  }

  const matched = matchRoute(question.taskType, policy);
  if (!matched) return refuse(policy, { step: "match", ...explainMissingRoute(question.taskType, policy) });

  const { packId } = question;
  const isNamed = (id: string) => packId === undefined || id === packId;
  const routeFallback = fallbackOf(matched, policy.defaults);
  const packIds = packId === undefined ? matched.allowedPackIds : matched.allowedPackIds.filter(isNamed);
  if (packId !== undefined && packIds.length === 0 && routeFallback !== packId)
    return refuse(policy, { step: "match", ...explainForbiddenPack(packId, matched, policy) });

  const allowed = evaluatePacks(packIds, matched, question, policy, fleet);
  if (allowed.choice) return { kind: "routed", choice: allowed.choice };
  // Full instances that pass the filter are waited for: the fallback is for when none passes.
  const isAlternative = routeFallback !== undefined && isNamed(routeFallback);
  const fallback = allowed.atCapacity || !isAlternative ? undefined : routeFallback;
  const second =
    fallback !== undefined && !matched.allowedPackIds.includes(fallback)
      ? evaluatePacks([fallback], matched, question, policy, fleet)
      : undefined;
  const verdicts = [...allowed.verdicts, ...(second?.verdicts ?? [])];
  if (second?.choice) {
    return { kind: "routed", choice: { ...second.choice, usedFallback: true, verdicts } };
  }
  const busy = [allowed, second].some((one) => one?.atCapacity || one?.packAtLimit);
  return refuse(policy, {
    step: "filter",
    reason: busy
      ? `every agent that may take "${question.taskType}" is busy`
      : `no agent can take "${question.taskType}"`,
    remedy: verdicts.find(({ remedy }) => remedy !== "")?.remedy ?? "start an agent of an allowed pack",
    busy,
    verdicts,
  });
}

/** Why a policy has no route for a task type, and what would help. */
export function explainMissingRoute(
  taskType: string,
  policy: RoutingPolicy,
): { readonly reason: string; readonly remedy: string } {
  if (policy.version === openPolicyVersion) return explainNoAgent(taskType, policy);
  const known = [...policy.routes.keys()].sort().join(", ") || "none";
  return {
    reason: `the routing policy has no route for task type "${taskType}"`,
    remedy: `add a route for it; there are routes for: ${known}`,
  };
}

function explainForbiddenPack(
  packId: string,
  { taskType, allowedPackIds }: Route,
  { version }: RoutingPolicy,
) {
  if (version === openPolicyVersion) {
    return {
      reason: `the stage is for pack "${packId}", and no agent of it that is known does "${taskType}"`,
      remedy: `start an agent of pack "${packId}" that does "${taskType}"; the task goes on by itself then`,
    };
  }
  return {
    reason: `the stage is for pack "${packId}", and the route for "${taskType}" does not allow it`,
    remedy: `add "${packId}" to allowed_pack_ids of the route; it allows: ${allowedPackIds.join(", ")}`,
  };
}

function refuse(
  { version: policyVersion }: RoutingPolicy,
  refusal: Omit<RouteRefusal, "policyVersion" | "busy" | "verdicts"> & Partial<RouteRefusal>,
): RouteAnswer {
  return { kind: "refused", refusal: { policyVersion, busy: false, verdicts: [], ...refusal } };
}

interface Evaluation {
  readonly choice: RouteChoice | undefined;
  /** Instances pass the filter, and all of them are full. */
  readonly atCapacity: boolean;
  /** A pack is only at its limit of concurrent tasks. */
  readonly packAtLimit: boolean;
  readonly verdicts: readonly Verdict[];
}

const otherReviewer = "allow another pack for this task type in the routing policy, and start an agent of it";

/** Filters and ranks the instances of some packs. */
function evaluatePacks(
  packIds: readonly string[],
  matched: Route,
  question: RouteQuestion,
  policy: RoutingPolicy,
  fleet: RoutingView,
): Evaluation {
  const riskTier = effectiveTier(question.riskTier, matched.minRiskTier);
  const { schemaVersion, orchestratorVersion, requiredTools } = question;
  const needs: Needs = { schemaVersion, orchestratorVersion, riskTier, requiredTools };
  const most = Math.max(1, policy.defaults.maxCandidateAgents);
  const { failedOn = [] } = question;
  const found: Candidate[] = [];
  const rejected: Verdict[] = [];
  // Fixing a connected agent is easier than starting one, so packs without instances come last.
  const absent: Verdict[] = [];
  let packAtLimit = false;
  for (const packId of packIds.length > 1 ? new Set(packIds) : packIds) {
    if (packId === question.authorPackId) {
      rejected.push(rejectedVerdict(packId, "it did the work that is reviewed", otherReviewer));
      continue;
    }
    const packRejection = rejectPack(packId, policy.admission, fleet, question.nowMs);
    if (packRejection?.transient) packAtLimit ||= hasEligible(packId, needs, question, policy, fleet);
    if (packRejection) {
      const list = fleet.knowsPack(packId) ? rejected : absent;
      list.push(rejectedVerdict(packId, packRejection.reason, packRejection.remedy));
      continue;
    }
    let live = false;
    for (const profile of fleet.profiles(packId, question.nowMs)) {
      live = true;
      const unfit = rejectProfile(profile, needs);
      if (!unfit)
        found.push(...healthyCandidates(profile, most + failedOn.length, question.nowMs, policy.defaults));
      const rejection =
        unfit ??
        rejectHealth(
          profile.counts,
          policy.defaults,
          () => fleet.unhealthyReason?.(packId) ?? "",
          () => fleet.quarantinedInstance?.(packId) ?? "",
        );
      if (rejection) rejected.push(rejectedVerdict(packId, rejection.reason, rejection.remedy));
    }
    if (!live)
      absent.push(rejectedVerdict(packId, "no instance has a lease", `start an agent of pack "${packId}"`));
  }
  const all = preferOthers(rankCandidates(found, matched.preferredPackId), failedOn);
  const chosen = all.find(isFree);
  const ranked = withChosen(all, most, chosen);
  const verdicts = ranked.map((candidate, index) => rankedVerdict(candidate, index + 1, chosen, failedOn));
  verdicts.push(...rejected, ...absent);
  if (!chosen) return { choice: undefined, atCapacity: ranked.length > 0, packAtLimit, verdicts };
  const choice: RouteChoice = {
    packId: chosen.packId,
    packVersion: chosen.packVersion,
    instanceId: chosen.instanceId,
    candidatePackIds: packsOf(ranked),
    policyVersion: policy.version,
    riskTier,
    usedFallback: false,
    verdicts,
  };
  return { choice, atCapacity: false, packAtLimit, verdicts };
}

/** The recorded candidates; they include the chosen one even when those before it are full. */
function withChosen(
  all: readonly Candidate[],
  most: number,
  chosen: Candidate | undefined,
): readonly Candidate[] {
  const best = all.slice(0, most);
  return !chosen || best.includes(chosen) ? best : [...best.slice(0, most - 1), chosen];
}

/** Each once; they are few. */
function packsOf(ranked: readonly Candidate[]): readonly string[] {
  const packIds: string[] = [];
  for (const { packId } of ranked) if (!packIds.includes(packId)) packIds.push(packId);
  return packIds;
}

/** Whether the pack could take the task if it were less busy. */
function hasEligible(
  packId: string,
  needs: Needs,
  { nowMs }: RouteQuestion,
  { defaults }: RoutingPolicy,
  fleet: RoutingView,
): boolean {
  for (const profile of fleet.profiles(packId, nowMs)) {
    if (!rejectProfile(profile, needs) && healthyCandidates(profile, 1, nowMs, defaults).length > 0)
      return true;
  }
  return false;
}

function rankedVerdict(
  candidate: Candidate,
  rank: number,
  chosen: Candidate | undefined,
  failedOn: readonly OfInstance[],
): Verdict {
  const { packId, instanceId, health, activeTasks, maxTasks, avgLatencyMs } = candidate;
  // An average of zero is one of no tasks.
  const latency = avgLatencyMs > 0 ? `, ${avgLatencyMs} ms on average` : "";
  const failed = failureOrder(candidate, failedOn) > 0 ? "failed an earlier attempt, " : "";
  const facts = `${failed}${health.toLowerCase()}, ${activeTasks} of ${maxTasks} tasks${latency}`;
  if (candidate === chosen)
    return { packId, instanceId, eligible: true, rank, reason: `taken: ${facts}`, remedy: "" };
  const busy = !isFree(candidate);
  return {
    packId,
    instanceId,
    eligible: true,
    rank,
    reason: busy ? `at capacity: ${facts}` : `ranked behind: ${facts}`,
    remedy: busy ? "wait until one of its tasks ends" : "it would be taken if those before it were gone",
  };
}

function rejectedVerdict(packId: string, reason: string, remedy: string): Verdict {
  return { packId, instanceId: "", eligible: false, rank: 0, reason, remedy };
}

/** Step 2: the route for a type of task; undefined asks a person (A §3.2). */
export function matchRoute(taskType: string, policy: RoutingPolicy): Route | undefined {
  return policy.routes.get(taskType);
}
