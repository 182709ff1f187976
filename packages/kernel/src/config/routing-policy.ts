import { RiskTier, RiskTierSchema } from "@baton/contract";
import type { Reviewer, ReviewPolicy, Route, RoutingPolicy } from "../dispatch/routing-policy.ts";
import { didYouMean } from "../names.ts";
import type { Problem } from "../problem.ts";
import { fields, list, nullable, optional, required, type ValuesOf } from "./lists-and-fields.ts";
import { enumShape } from "./message-shape.ts";
import { checkName, Reading } from "./reading.ts";
import { choice, flag, positiveDuration, text, whole } from "./shape.ts";

export type PolicyReading =
  | { readonly ok: true; readonly policy: RoutingPolicy }
  | {
      readonly ok: false;
      readonly problems: readonly Problem[];
      /** The readable part, for checks against other files; unreadable values are empty. */
      readonly partly?: RoutingPolicy;
    };

/** Defaults. */
const routingDefaults = {
  maxGlobalQueueDepth: 50,
  maxPerPackConcurrent: 3,
  errorThreshold: 5,
  windowMs: 60_000,
  halfOpenAfterMs: 120_000,
  maxCandidateAgents: 3,
} as const;

const tier = enumShape(RiskTierSchema, "a risk tier");

const fallback = "Who gets the task when none of the others can; null asks a person.";

const routeFields = {
  task_type: required(text(), "The type of task that this route is for. One route a type."),
  allowed_pack_ids: required(
    list(text(), { least: 1, most: 1_000, example: 'allowed_pack_ids: ["pack-id"]' }),
    "The packs that may take it.",
  ),
  preferred_pack_id: optional(text(), "The one of them that is taken when all else is equal."),
  min_risk_tier: optional(
    tier,
    "Tasks of this type are treated as at least so risky. RISK_TIER_LOW if left out.",
  ),
  fallback_pack_id: nullable(text(), `${fallback} That of \`defaults\` if left out.`),
};

const breaker = fields({
  error_threshold: optional(whole(1), "So many failures…", routingDefaults.errorThreshold),
  window: optional(positiveDuration, "…within this time stop further tasks. 60s if left out."),
  half_open_after: optional(positiveDuration, "After which time one task may try again. 120s if left out."),
});

const admission = fields({
  max_global_queue_depth: optional(
    whole(1),
    "Tasks that may wait for an agent; beyond, a person is asked.",
    routingDefaults.maxGlobalQueueDepth,
  ),
  max_per_pack_concurrent: optional(
    whole(1),
    "Tasks that one pack may have at the same time.",
    routingDefaults.maxPerPackConcurrent,
  ),
  circuit_breaker: optional(
    breaker,
    "When a task type or a pack fails too often, it gets no more tasks for a while.",
  ),
});

const defaults = fields({
  fallback_pack_id: nullable(text(), `${fallback} For routes that do not say.`),
  max_candidate_agents: optional(
    whole(1),
    "How many candidates are recorded with a decision.",
    routingDefaults.maxCandidateAgents,
  ),
  require_healthy: optional(flag, "Whether only agents that are well may be taken.", true),
});

const reviewers: Readonly<Record<Reviewer, Reviewer>> = { rule: "rule", agent: "agent", person: "person" };
const reviewer = choice<Reviewer>("a reviewer", reviewers, "rule");
const byPerson = choice(
  "who reviews critical work, which is always a person",
  { person: "person" },
  "person",
);

const reviewFields = {
  low: optional(reviewer, "Who reviews work of low risk: rule, agent or person. rule if left out."),
  normal: optional(reviewer, "Who reviews work of normal risk. rule if left out."),
  critical: optional(byPerson, "Work of critical risk is always reviewed by a person."),
  task_type: optional(
    text(),
    "The type of task as which work is sent to a reviewer agent. It has a route; the pack that did the work is never chosen.",
  ),
};

const policyShape = fields({
  version: required(text(), "Your version of this policy. Every decision is recorded with it."),
  routes: required(
    list(fields(routeFields), { least: 1, example: "a task_type and its allowed_pack_ids, after a hyphen" }),
    "Which packs may take which type of task.",
  ),
  admission: optional(admission, "How much may be under way."),
  defaults: optional(defaults, "What holds where a route says nothing."),
  review: optional(fields(reviewFields), "Who reviews a result after the checks of the gate."),
});

/** `config/routing-policy.yaml` as A §3.1 shows it. */
export const routingPolicyShape = fields(
  { routing_policy: required(policyShape, "Who may take what.") },
  "Routing policy",
);

/** Reads the content of the file, and reports all problems. */
export function readRoutingPolicy(content: unknown): PolicyReading {
  const file = new Reading(content);
  const { routing_policy: given } = routingPolicyShape.read(file);
  const breakerGiven = given.admission?.circuit_breaker;
  const policy: RoutingPolicy = {
    version: given.version,
    routes: makeRoutes(given.routes, file.at("routing_policy").at("routes")),
    admission: {
      maxGlobalQueueDepth: given.admission?.max_global_queue_depth ?? routingDefaults.maxGlobalQueueDepth,
      maxPerPackConcurrent: given.admission?.max_per_pack_concurrent ?? routingDefaults.maxPerPackConcurrent,
      circuitBreaker: {
        errorThreshold: breakerGiven?.error_threshold ?? routingDefaults.errorThreshold,
        windowMs: breakerGiven?.window ?? routingDefaults.windowMs,
        halfOpenAfterMs: breakerGiven?.half_open_after ?? routingDefaults.halfOpenAfterMs,
      },
    },
    defaults: {
      fallbackPackId: given.defaults?.fallback_pack_id ?? null,
      maxCandidateAgents: given.defaults?.max_candidate_agents ?? routingDefaults.maxCandidateAgents,
      requireHealthy: given.defaults?.require_healthy ?? true,
    },
    ...(given.review && { review: makeReview(given.review) }),
  };
  if (given.review) checkReview(given.review, policy, file.at("routing_policy").at("review"));
  if (file.problems.length === 0) return { ok: true, policy };
  // With a duplicate type, the positions of routes are ambiguous.
  const isWhole = policy.routes.size === given.routes.length;
  return { ok: false, problems: file.problems, ...(isWhole && { partly: policy }) };
}

type GivenReview = ValuesOf<typeof reviewFields>;

function makeReview({ low, normal, task_type: taskType }: GivenReview): ReviewPolicy {
  return {
    ...{ low: low ?? "rule", normal: normal ?? "rule" },
    ...(taskType !== undefined && { taskType }),
  };
}

function checkReview(given: GivenReview, { routes }: RoutingPolicy, reading: Reading): void {
  const tier = (["low", "normal"] as const).find((name) => given[name] === "agent");
  const { task_type: taskType } = given;
  const known = [...routes.keys()].join(", ");
  if (tier !== undefined && taskType === undefined)
    reading
      .at(tier)
      .reportInconsistent("no task type says which agents review", `add task_type; use one of: ${known}`);
  if (tier === undefined && taskType !== undefined)
    reading
      .at("task_type")
      .reportInconsistent("no tier is reviewed by an agent", "write normal: agent, or leave it out");
  if (taskType !== undefined && !routes.has(taskType))
    reading.at("task_type").reportInconsistent(`there is no route for "${taskType}"`, `use one of: ${known}`);
}

type GivenRoute = ValuesOf<typeof routeFields>;

function makeRoutes(given: readonly GivenRoute[], reading: Reading): ReadonlyMap<string, Route> {
  const routes = new Map<string, Route>();
  const readings = reading.items();
  for (const [index, route] of given.entries()) {
    const entry = readings[index] ?? reading;
    const { task_type: taskType } = route;
    if (taskType !== "" && routes.has(taskType))
      entry.at("task_type").reportInconsistent(`"${taskType}" has a route already`, "leave one of them out");
    checkName(entry.at("task_type"), taskType);
    for (const [position, pack] of entry.at("allowed_pack_ids").items().entries())
      checkName(pack, route.allowed_pack_ids[position]);
    routes.set(taskType, makeRoute(route, entry));
  }
  return routes;
}

function makeRoute(given: GivenRoute, entry: Reading): Route {
  const { task_type: taskType, preferred_pack_id: preferred, fallback_pack_id: fallbackPackId } = given;
  const allowedPackIds = given.allowed_pack_ids;
  if (preferred && !allowedPackIds.includes(preferred)) {
    entry
      .at("preferred_pack_id")
      .reportInconsistent(
        `"${preferred}" is not among the allowed packs`,
        `${didYouMean(preferred, allowedPackIds)}use one of: ${allowedPackIds.join(", ")}`,
      );
  }
  return {
    taskType,
    allowedPackIds,
    minRiskTier: given.min_risk_tier ?? RiskTier.LOW,
    ...(preferred !== undefined && { preferredPackId: preferred }),
    ...(fallbackPackId !== undefined && { fallbackPackId }),
  };
}
