import { FailureStrategy, Outcome, ResponseStatus, RiskTier, type Stage, StageSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import type { PipelineInput } from "../src/pipeline/input.ts";
import { sentOf } from "../src/pipeline/state.ts";
import { testFleet } from "./fleet.ts";
import type { TestPipeline } from "./pipelines.ts";
import { resultFor } from "./results.ts";
import { ada, type Run } from "./run.ts";

/** Any acyclic pipeline of up to eight stages, with any limits. */
export function anyPipeline(): fc.Arbitrary<TestPipeline> {
  const stage = fc.record({
    required: fc.boolean(),
    maxAttempts: fc.integer({ min: 1, max: 3 }),
    /** Bits of the stages before it that it depends on. */
    dependsOn: fc.nat(255),
    taskType: fc.constantFrom("code", "review", "verify", "dance"),
    refreshes: fc.boolean(),
    condition: fc.constantFrom("", "", "", "true", "false", "response.status == 'success'"),
    tokens: fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined }),
  });
  const stagesOf = fc.array(stage, { minLength: 1, maxLength: 8 }).map((given) =>
    given.map((one, place): Stage => {
      const dependsOnStages = given.flatMap((_, other) =>
        other < place && one.dependsOn & (1 << other) ? [`s${other}`] : [],
      );
      return create(StageSchema, {
        stageId: `s${place}`,
        taskType: one.taskType,
        config: {
          required: one.required && (one.condition === "" || dependsOnStages.length !== 1),
          dependsOnStages,
          handoffPolicy: {
            retry: { maxAttempts: one.maxAttempts },
            ...(one.refreshes && { freshness: { maxRefStaleness: { seconds: 60n } } }),
          },
          ...(dependsOnStages.length === 1 && { condition: one.condition }),
          ...(one.tokens !== undefined && { budget: { maxTokens: BigInt(one.tokens) } }),
        },
      });
    }),
  );
  return fc
    .record({
      stages: stagesOf,
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
      tokens: fc.option(fc.integer({ min: 1, max: 200 }), { nil: undefined }),
    })
    .map(({ stages, riskTier, tokens, deadline, ...limits }) => ({
      stages,
      task: { riskTier },
      policy: {
        ...limits,
        ...(deadline !== undefined && { pipelineDeadline: { seconds: deadline } }),
        ...(tokens !== undefined && { budget: { maxTokens: BigInt(tokens) } }),
      },
    }));
}

/** A thing that may happen next; numbers choose among what the run has at that moment. */
export interface Happening {
  readonly kind: (typeof happenings)[number];
  readonly pick: number;
  readonly detail: number;
}

const happenings = [
  "answer",
  "answer",
  "answer",
  "answer",
  "late answer",
  "invalid answer",
  "lost",
  "not delivered",
  "timer",
  "timer",
  "timer",
  "refreshed",
  "verdict",
  "verdict",
  "resolve",
  "resume",
  "resume",
  "pause",
  "abort",
  "rewind",
  "wake",
  "fleet",
  "steps",
  "turn",
] as const;

export function anyHappening(): fc.Arbitrary<Happening> {
  return fc.record({ kind: fc.constantFrom(...happenings), pick: fc.nat(1000), detail: fc.nat(1000) });
}

const outcomes = [
  Outcome.SUCCESS,
  Outcome.SUCCESS,
  Outcome.SUCCESS,
  Outcome.PARTIAL,
  Outcome.RETRYABLE_FAILURE,
  Outcome.NON_RETRYABLE_FAILURE,
  Outcome.POLICY_BLOCKED,
];
const responses = [
  undefined,
  undefined,
  undefined,
  ResponseStatus.SUCCESS,
  ResponseStatus.CLARIFICATION_NEEDED,
  ResponseStatus.RETRY_WITH_INSTRUCTION,
  ResponseStatus.FAILURE,
  ResponseStatus.COMPLETED,
];

/** Turns a happening into an input that fits the run as it is; undefined when nothing fits. */
export function inputFor(run: Run, { kind, pick, detail }: Happening): PipelineInput | undefined {
  const { state } = run;
  if (!state) return undefined;
  const choose = <Item>(items: readonly Item[], by = pick): Item | undefined =>
    items[by % Math.max(1, items.length)];
  const sent = choose(run.records.flatMap((record) => (record.type === "dispatched" ? [record] : [])));
  const current = choose(
    state.stages.flatMap((stage) => (stage.status === "DISPATCHED" ? (sentOf(stage) ?? []) : [])),
  );
  const escalation = choose([...state.escalations.keys()]);
  const stageId = choose(state.plan.stages)?.id ?? "";
  const dispatchId = current?.dispatchId ?? "";
  switch (kind) {
    case "answer": {
      if (!current) return undefined;
      const response = choose(responses, detail);
      const granted = current.granted.tokens;
      const result = resultFor(current.envelope, {
        status: { outcome: choose(outcomes, detail) ?? Outcome.SUCCESS, failureReason: "because" },
        ...(response !== undefined && { response: { status: response, message: "so" } }),
        usage: { inputTokens: BigInt(granted === undefined ? detail : detail % (granted + 1)) },
        blockers: detail % 3 === 0 ? [{ description: "in the way" }] : [],
      });
      return { type: "result", dispatchId, answer: { kind: "result", result } };
    }
    case "late answer": {
      if (!sent) return undefined;
      const granted = sent.granted.tokens ?? 0;
      const result = resultFor(sent.envelope, { usage: { inputTokens: BigInt(detail % (granted + 1)) } });
      return { type: "result", dispatchId: sent.dispatchId, answer: { kind: "result", result } };
    }
    case "invalid answer":
      return { type: "result", dispatchId, answer: { kind: "unreadable", reason: "nonsense" } };
    case "lost":
      return { type: "agent-lost", dispatchId, reason: "gone" };
    case "not delivered":
      return { type: "not-delivered", dispatchId, reason: "refused" };
    case "timer": {
      const timer = choose(
        run.commands.flatMap((command) => (command.type === "set-timer" ? [command] : [])),
      );
      if (!timer) return undefined;
      if (detail % 2 === 0 && timer.atMs > run.world.nowMs) run.pass(timer.atMs - run.world.nowMs);
      return { type: "timer", timerId: timer.timerId };
    }
    case "refreshed": {
      const refresh = choose(
        run.commands.flatMap((command) => (command.type === "refresh" ? [command] : [])),
      );
      if (!refresh) return undefined;
      const refs = refresh.refs.map(({ uriOrLocator }) => ({
        uriOrLocator,
        outcome:
          detail % 2 === 0
            ? ({ ok: true, digest: "d", versionOrSha: "v", fetchedAtMs: run.world.nowMs } as const)
            : ({ ok: false, reason: "unreadable" } as const),
      }));
      return { type: "refreshed", stageId: refresh.stageId, attempt: refresh.attempt, refs };
    }
    case "verdict": {
      const waiting = choose(
        state.stages.flatMap((stage, index) =>
          stage.status === "DISPATCHED" && stage.phase.kind === "reviewing"
            ? [
                {
                  stageId: state.plan.stages[index]?.id ?? "",
                  dispatchId: stage.phase.sent.dispatchId,
                  index,
                },
              ]
            : [],
        ),
      );
      if (!waiting) return undefined;
      const target = choose([undefined, ...(state.plan.stages[waiting.index]?.dependsOn ?? [])], detail);
      const targetStageId = target === undefined ? undefined : state.plan.stages[target]?.id;
      const verdict =
        detail % 5 < 3
          ? ({ kind: "approve" } as const)
          : detail % 5 === 3
            ? ({ kind: "reject", targetStageId, instructions: [] } as const)
            : ({ kind: "fail" } as const);
      return { type: "review", ...waiting, verdict, reason: "so", by: ada };
    }
    case "resolve":
      return {
        type: "resolve",
        escalationId: escalation ?? "",
        resolution:
          choose(state.escalations.get(escalation ?? "")?.snapshot.options ?? [], detail) ?? "go on",
        by: ada,
      };
    case "resume":
    case "pause":
      return { type: kind, reason: "so", by: ada };
    case "abort":
      return detail % 10 === 0 ? { type: "abort", reason: "so", by: ada } : undefined;
    case "rewind":
      return detail % 3 === 0
        ? { type: "rewind", stageId, instructions: [], reason: "so", by: ada }
        : undefined;
    case "wake":
      return { type: "wake" };
    case "fleet": {
      const packs = [["dev", "qa"], ["dev"], ["qa"], [], ["dev", "qa"]] as const;
      const dance = detail % 7 === 0 ? ["dancer"] : [];
      run.world = {
        ...run.world,
        fleet: testFleet([...(choose(packs, detail) ?? []), ...dance].map((packId) => ({ packId }))),
      };
      return { type: "wake" };
    }
    case "steps":
      return { type: "steps", dispatchId, steps: detail };
    case "turn":
      return { type: "turn", dispatchId, turnIndex: detail % 12, confidence: (detail % 10) / 10 };
  }
}
