import { FailureStrategy, RiskTier, type Stage, StageSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { descendantsOf } from "../src/graph/topology.ts";
import { choose } from "./moment.ts";
import type { TestPipeline } from "./pipelines.ts";

/** Any valid pipeline of up to eight stages, with any order, conditions, edges, mappings and limits. */
export function anyPipeline(): fc.Arbitrary<TestPipeline> {
  return fc
    .record({
      stages: fc.array(anyStage, { minLength: 1, maxLength: 8 }).map(stagesOf),
      maxTotalRetries: fc.integer({ min: 1, max: 4 }),
      maxRejections: fc.integer({ min: 1, max: 3 }),
      failureStrategy: fc.constantFrom(
        FailureStrategy.FAIL_FAST,
        FailureStrategy.SKIP_FAILED,
        FailureStrategy.PAUSE,
      ),
      serial: fc.boolean(),
      softDeadline: fc.boolean(),
      deadline: fc.option(fc.bigInt({ min: 10n, max: 5000n }), { nil: undefined }),
      riskTier: fc.constantFrom(RiskTier.LOW, RiskTier.NORMAL, RiskTier.CRITICAL),
      ownWorkspaces: fc.boolean(),
      tokens: fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
    })
    .map(({ stages, riskTier, tokens, deadline, ownWorkspaces, ...limits }) => ({
      stages,
      task: {
        riskTier,
        inputs: { company: "Acme" },
        ...(ownWorkspaces && { workspace: { repository: "/work/shop" } }),
      },
      policy: {
        ...limits,
        ...(deadline !== undefined && { pipelineDeadline: { seconds: deadline } }),
        ...(tokens !== undefined && { budget: { maxTokens: BigInt(tokens) } }),
      },
    }));
}

const anyEdgeBack = fc.record({
  target: fc.nat(7),
  condition: fc.constantFrom(
    "true",
    "response.data.score < 0.5",
    "response.status == 'completed'",
    "response.data.missing > 1",
  ),
  maxTimes: fc.integer({ min: 1, max: 2 }),
});

/** A stage before its position is known; numbers choose among the options there. */
const anyStage = fc.record({
  required: fc.boolean(),
  maxAttempts: fc.integer({ min: 1, max: 3 }),
  /** A bit set of dependencies among the stages before it: often a single one. */
  dependsOn: fc.oneof(fc.nat(255), fc.constantFrom(0, 1, 2, 4, 8, 16, 32, 64)),
  taskType: fc.constantFrom("code", "review", "verify", "dance"),
  refreshes: fc.boolean(),
  condition: fc.nat(11),
  mapping: fc.nat(11),
  errorEdge: fc.option(fc.nat(7), { nil: undefined, freq: 2 }),
  edgesBack: fc.oneof(
    { weight: 3, arbitrary: fc.array(anyEdgeBack, { maxLength: 0 }) },
    { weight: 1, arbitrary: fc.array(anyEdgeBack, { minLength: 1, maxLength: 2 }) },
  ),
  tokens: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
});
type AnyStage = typeof anyStage extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function stagesOf(given: readonly AnyStage[]): Stage[] {
  const dependsOn = given.map((one, position) =>
    [...given.keys()].filter((other) => other < position && one.dependsOn & (1 << other)),
  );
  const handlers = given.map(({ errorEdge }, position) => {
    if (errorEdge === undefined) return undefined;
    return choose(
      [...given.keys()].filter((other) => dependsOn[other]?.includes(position)),
      errorEdge,
    );
  });
  return given.map((one, position): Stage => {
    const before = (dependsOn[position] ?? []).map(nameOf);
    const failing = handlers.flatMap((handler, other) => (handler === position ? [nameOf(other)] : []));
    const condition = failing.length > 0 ? afterFailureOf(failing) : conditionOf(before, one.condition);
    const handler = handlers[position];
    const reachable = [position, ...descendantsOf(position, (node) => dependsOn[node] ?? [])];
    const inputMapping = mappingOf(before, one.mapping);
    return create(StageSchema, {
      stageId: nameOf(position),
      taskType: one.taskType,
      config: {
        // A stage with a condition or an error edge cannot be required.
        required: one.required && condition === "" && handler === undefined,
        dependsOnStages: before,
        handoffPolicy: {
          retry: { maxAttempts: one.maxAttempts },
          ...(one.refreshes && { freshness: { maxRefStaleness: { seconds: 60n } } }),
        },
        condition,
        rewindEdges: one.edgesBack.map(({ target, ...edge }) => ({
          ...edge,
          targetStageId: nameOf(choose(reachable, target) ?? position),
        })),
        ...(handler !== undefined && { errorStageId: nameOf(handler) }),
        ...(inputMapping && { inputMapping }),
        ...(one.tokens !== undefined && { budget: { maxTokens: BigInt(one.tokens) } }),
      },
    });
  });
}

function nameOf(position: number): string {
  return `s${position}`;
}

function afterFailureOf(failing: readonly string[]): string {
  return failing.map((id) => `nodes["${id}"].status == "failure"`).join(" || ");
}

/** Half of the stages have none. The last ones fail when an answer is absent or incomplete. */
function conditionOf(before: readonly string[], by: number): string {
  const [first] = before;
  if (first === undefined) return choose(["", "", "", "", "", "true", "false"], by) ?? "";
  const ran = before.map((id) => `nodes["${id}"].ran`);
  const ofOne = ["response.status == 'success'", "response.data.score > 0.3", "response.data.missing > 1"];
  const ofMany = [ran.join(" || "), ran.join(" && "), `${before.at(-1)}.status == 'success'`];
  const own = ["true", "false", `!${ran[0]}`, ...(before.length === 1 ? ofOne : ofMany)];
  return by < own.length ? (own[own.length - 1 - by] ?? "") : "";
}

/** Two of them read optional data. */
function mappingOf(before: readonly string[], by: number): Record<string, string> | undefined {
  const [first] = before;
  const ofTask = { who: "for {{input.company}}", fixed: "as it is" };
  const own = first
    ? [ofTask, { score: `{{${first}.data.score}}` }, { texts: `{{${first}.message}}`, ...ofTask }]
    : [ofTask, { missing: "{{input.missing}}" }];
  return own[by];
}
