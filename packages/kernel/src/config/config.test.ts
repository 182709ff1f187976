import { ContextLevel, ContextPropagationMode, FailureStrategy, RiskTier } from "@baton/contract";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Run } from "../../testing/run.ts";
import { planPipeline } from "../pipeline/plan/plan.ts";
import { parseVersion } from "../versions/semver.ts";
import { readProfessionPack } from "./profession-pack.ts";
import { readRoutingPolicy } from "./routing-policy.ts";
import { parseDurationMs } from "./shape.ts";
import { readTemplates } from "./templates.ts";

/** The example of A §3.1, as a YAML parser gives it. */
const policyFile = {
  routing_policy: {
    version: "1.0.0",
    routes: [
      {
        task_type: "feature-implementation",
        allowed_pack_ids: ["senior-python-dev", "senior-ts-dev"],
        preferred_pack_id: "senior-python-dev",
        min_risk_tier: "RISK_TIER_NORMAL",
        fallback_pack_id: "generalist-dev",
      },
      {
        task_type: "security-review",
        allowed_pack_ids: ["security-reviewer"],
        preferred_pack_id: "security-reviewer",
        min_risk_tier: "RISK_TIER_CRITICAL",
        fallback_pack_id: null,
      },
    ],
    admission: {
      max_global_queue_depth: 50,
      max_per_pack_concurrent: 3,
      circuit_breaker: { error_threshold: 5, window: "60s", half_open_after: "120s" },
    },
    defaults: { fallback_pack_id: "generalist-dev", max_candidate_agents: 3, require_healthy: true },
  },
};

const problemsOf = (
  result: { ok: true } | { ok: false; problems: readonly { at: string; message: string }[] },
) => (result.ok ? [] : result.problems.map(({ at, message }) => `${at}: ${message}`));

describe("the routing policy file", () => {
  it("[DIS-04] is read as the specification shows it", () => {
    const result = readRoutingPolicy(policyFile);
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    const { policy } = result;
    expect(policy.routes.get("security-review")).toEqual({
      taskType: "security-review",
      allowedPackIds: ["security-reviewer"],
      preferredPackId: "security-reviewer",
      minRiskTier: RiskTier.CRITICAL,
      fallbackPackId: null,
    });
    expect(policy.admission.circuitBreaker).toEqual({
      errorThreshold: 5,
      windowMs: 60_000,
      halfOpenAfterMs: 120_000,
    });
    expect(policy.defaults).toEqual({
      fallbackPackId: "generalist-dev",
      maxCandidateAgents: 3,
      requireHealthy: true,
    });
  });

  it("[DIS-04] reports all mistakes at once, each with its path and a fix", () => {
    const broken = {
      routing_policy: {
        routes: [
          { task_type: "a", allowed_pack_ids: [], min_risk_tier: "HUGE" },
          { task_type: "a", allowed_pack_ids: ["x"], preferred_pack_id: "y", falback_pack_id: "z" },
        ],
        admission: { max_global_queue_depth: 0, circuit_breaker: { window: "soon" } },
      },
      extra: 1,
    };
    expect(problemsOf(readRoutingPolicy(broken))).toEqual([
      "extra: is not known here",
      "routing_policy.version: is missing",
      "routing_policy.routes[0].allowed_pack_ids: must have at least one item",
      'routing_policy.routes[0].min_risk_tier: "HUGE" is not a risk tier',
      "routing_policy.routes[1].falback_pack_id: is not known here",
      "routing_policy.admission.max_global_queue_depth: must be a whole number of 1 or more",
      "routing_policy.admission.circuit_breaker.window: is not a duration",
      'routing_policy.routes[1].task_type: "a" has a route already',
      'routing_policy.routes[1].preferred_pack_id: "y" is not among the allowed packs',
    ]);
  });

  it("[PIP-06] says who reviews each tier, and refuses what cannot be", () => {
    const routes = [{ task_type: "code-review", allowed_pack_ids: ["qa"] }];
    const read = (review: unknown) => readRoutingPolicy({ routing_policy: { version: "1", routes, review } });
    const reading = read({ normal: "agent", critical: "person", task_type: "code-review" });
    expect(reading.ok && reading.policy.review).toEqual({
      low: "rule",
      normal: "agent",
      taskType: "code-review",
    });
    expect(problemsOf(read({ critical: "agent" }))).toEqual([
      'routing_policy.review.critical: "agent" is not who reviews critical work, which is always a person',
    ]);
    expect(problemsOf(read({ normal: "somebody", low: "agent" }))).toEqual([
      'routing_policy.review.normal: "somebody" is not a reviewer',
      "routing_policy.review.low: no task type says which agents review",
    ]);
    expect(problemsOf(read({ task_type: "writing" }))).toEqual([
      "routing_policy.review.task_type: no tier is reviewed by an agent",
      'routing_policy.review.task_type: there is no route for "writing"',
    ]);
  });

  it("[DIS-04] takes no name that nobody could read or type", () => {
    const routes = [{ task_type: " code", allowed_pack_ids: ["dev", "a\u001b[31m"] }];
    expect(problemsOf(readRoutingPolicy({ routing_policy: { version: "1", routes } }))).toEqual([
      "routing_policy.routes[0].task_type: begins or ends with a blank",
      "routing_policy.routes[0].allowed_pack_ids[1]: has a character in it that cannot be seen",
    ]);
  });

  it.each([null, [], "text", 5, {}, { routing_policy: null }])(
    "[DIS-04] is refused when it is %j",
    (content) => {
      expect(readRoutingPolicy(content).ok).toBe(false);
    },
  );
});

/** The first example of A §4.4. */
const implementAndReview = {
  template_id: "implement-and-review",
  name: "Standard Implementation",
  description: "Implement feature, review code, verify tests",
  stages: [
    {
      stage_id: "implement",
      task_type: "feature-implementation",
      required: true,
      context_propagation: { mode: "NONE" },
      handoff_policy: {
        context_level: "LAYERED",
        retry: { max_attempts: 2 },
        freshness: { max_ref_staleness: "5m" },
      },
    },
    {
      stage_id: "review",
      task_type: "code-review",
      required: true,
      depends_on_stages: ["implement"],
      context_propagation: {
        mode: "PREVIOUS",
        carry_artifacts: true,
        carry_decisions: true,
        carry_risks: true,
      },
      handoff_policy: { context_level: "RICH", retry: { max_attempts: 1 } },
    },
  ],
  policy: { max_total_retries: 4, max_rejections: 2, pipeline_deadline: "30m", failure_strategy: "PAUSE" },
};
const templatesFile = (...templates: unknown[]) => ({ pipeline_templates: { version: "1.0.0", templates } });

describe("the pipeline templates file", () => {
  it("[PIP-01] is read as the specification shows it, and becomes a plan", () => {
    const result = readTemplates(templatesFile(implementAndReview));
    if (!result.ok) throw new Error(JSON.stringify(result.problems));
    const template = result.templates.get("implement-and-review");
    const planned = planPipeline(template?.stages ?? [], template?.policy);
    if (!planned.ok) throw new Error("it cannot be planned");
    const [implement, review] = planned.plan.stages;
    expect(implement?.freshness.maxStalenessMs).toBe(300_000);
    expect(implement?.retry.maxAttempts).toBe(2);
    expect(review?.contextLevel).toBe(ContextLevel.RICH);
    expect(review?.propagation).toMatchObject({
      mode: ContextPropagationMode.PREVIOUS,
      carryArtifacts: true,
      carryRisks: true,
    });
    expect(planned.plan.limits).toMatchObject({
      maxTotalRetries: 4,
      maxRejections: 2,
      deadlineMs: 1_800_000,
      failureStrategy: FailureStrategy.PAUSE,
    });
  });

  it("[PIP-01] names unknown stages, circles, duplicate ids and bad durations by their place in the file", () => {
    const stage = (stage_id: string, more: object = {}) => ({ stage_id, task_type: "code", ...more });
    const problems = (template: object) =>
      problemsOf(readTemplates(templatesFile({ template_id: "t", ...template })));
    const at = "pipeline_templates.templates[0]";
    expect(problems({ stages: [stage("a", { depends_on_stages: ["x"] })] })).toEqual([
      `${at}.stages[0].depends_on_stages[0]: there is no stage "x"`,
    ]);
    expect(
      problems({
        stages: [stage("a", { depends_on_stages: ["b"] }), stage("b", { depends_on_stages: ["a"] })],
      }),
    ).toEqual([`${at}.stages: the stages depend on each other in a cycle: a → b → a`]);
    expect(problems({ stages: [stage("a"), stage("a")] })).toEqual([
      `${at}.stages[1].stage_id: "a" is used twice`,
    ]);
    expect(problems({ stages: [stage("a", { timeout: "soon" })], policy: { pipeline_deadline: 5 } })).toEqual(
      [`${at}.stages[0].timeout: is not a duration`, `${at}.policy.pipeline_deadline: is not a duration`],
    );
    const typo = { handoff_policy: { context_level: "DEEP", retri: {} } };
    expect(problems({ stages: [stage("a", typo)] })).toEqual([
      `${at}.stages[0].handoff_policy.retri: is not known here`,
      `${at}.stages[0].handoff_policy.context_level: "DEEP" is not a value of ContextLevel`,
    ]);
    const guarded = stage("b", { depends_on_stages: ["a"], condition: "response.stats == 'x'" });
    expect(problems({ stages: [stage("a"), guarded] })[0]).toContain(`${at}.stages[1].condition: `);
  });

  it("[PIP-01] refuses ids that nobody could read or type", () => {
    const content = templatesFile({
      template_id: "a\nb",
      stages: [
        { stage_id: "x".repeat(257), task_type: "code" },
        { stage_id: " b", task_type: "a\u001b[31m" },
      ],
    });
    const at = "pipeline_templates.templates[0]";
    expect(problemsOf(readTemplates(content))).toEqual([
      `${at}.template_id: has a character in it that cannot be seen`,
      `${at}.stages[0].stage_id: has 257 characters, and a name has 256 at the most`,
      `${at}.stages[1].stage_id: begins or ends with a blank`,
      `${at}.stages[1].task_type: has a character in it that cannot be seen`,
    ]);
  });

  it("[PIP-01] takes no number that a message cannot hold", () => {
    const stage = {
      stage_id: "a",
      task_type: "code",
      input_mapping: { x: [1, { y: Number.POSITIVE_INFINITY }] },
    };
    expect(problemsOf(readTemplates(templatesFile({ template_id: "t", stages: [stage] })))).toEqual([
      "pipeline_templates.templates[0].stages[0].input_mapping.x[1].y: must be a finite number",
    ]);
  });

  it("[PIP-01] names a template that is there twice", () => {
    expect(problemsOf(readTemplates(templatesFile(implementAndReview, implementAndReview)))).toEqual([
      'pipeline_templates.templates[1].template_id: "implement-and-review" is used twice',
    ]);
  });

  it("runs", () => {
    const result = readTemplates(templatesFile(implementAndReview));
    const template = result.ok ? result.templates.get("implement-and-review") : undefined;
    const run = new Run({ stages: template?.stages ?? [] });
    expect(run.openQuestions()).toEqual([
      'the routing policy has no route for task type "feature-implementation"',
    ]);
  });
});

describe("durations", () => {
  it.each([
    ["500ms", 500],
    ["1.5s", 1500],
    ["5m", 300_000],
    ["2h", 7_200_000],
    ["1d", 86_400_000],
    ["0s", 0],
    ["5", undefined],
    ["-5s", undefined],
    ["5 s", undefined],
    ["999999999999d", undefined],
  ])("%s is %s ms", (text, ms) => {
    expect(parseDurationMs(text)).toBe(ms);
  });
});

describe("versions and durations of files", () => {
  const near = fc.stringMatching(/^[0-9]{1,11}(\.[0-9]{1,10}){0,3}([-+][0-9a-z.+-]{0,6})?$/);

  it("[DIS-01] a pack has the versions that the fleet can compare, and no others", () => {
    fc.assert(
      fc.property(near, (pack_version) => {
        const pack = { pack_id: "a", pack_version, supported_task_types: ["b"] };
        expect(readProfessionPack({ profession_pack: pack }).ok).toBe(
          parseVersion(pack_version) !== undefined,
        );
      }),
    );
  });

  it("[DIS-04] a duration lies within ten thousand years", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{1,15}(\.[0-9]{1,4})?(ms|s|m|h|d)$/), (text) => {
        expect(parseDurationMs(text) ?? 0).toBeLessThanOrEqual(315_576_000_000_000);
      }),
    );
  });
});
