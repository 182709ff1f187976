import fc from "fast-check";
import type { PipelineInput } from "../src/pipeline/decision/input.ts";
import { anyAnswer, goodAnswer, lateAnswer } from "./any-answer.ts";
import { type TestInstance, testFleet } from "./fleet.ts";
import {
  attempts,
  choose,
  isPrepare,
  isRefresh,
  isRelease,
  isTimer,
  isVerifying,
  leftBy,
  type Moment,
  prepared,
  refreshed,
  resolved,
  resultOf,
  rewinding,
  timerInput,
  underReview,
  underWay,
  verifiedAs,
  waitsFor,
} from "./moment.ts";
import { ada, type Run } from "./run.ts";

/** An event of a run; numbers choose among the options of the moment. */
export interface Happening {
  readonly kind: keyof typeof happenings;
  readonly pick: number;
  readonly detail: number;
}

/** The weights. Without "go on" few stages would complete. */
const weights: Readonly<Partial<Record<keyof typeof happenings, number>>> = {
  "go on": 12,
  answer: 4,
  timer: 2,
  verdict: 2,
};

export function anyHappening(): fc.Arbitrary<Happening> {
  const kinds = Object.keys(happenings) as (keyof typeof happenings)[];
  const often = kinds.flatMap((kind) => Array.from({ length: weights[kind] ?? 1 }, () => kind));
  return fc.record({ kind: fc.constantFrom(...often), pick: fc.nat(1000), detail: fc.nat(1000) });
}

/** Converts an event to an input that fits the run; undefined when none fits. */
export function inputFor(run: Run, { kind, pick, detail }: Happening): PipelineInput | undefined {
  return run.state && happenings[kind]({ run, state: run.state, pick, detail });
}

const happenings = {
  /** The next step without failures. */
  "go on": (moment) => {
    const { state, run, pick, detail } = moment;
    const sent = choose(attempts(state, "sent"), pick);
    // Agents also answer while the pipeline is paused.
    const resumes = state.life.status === "PAUSED" && (!sent || detail % 4 === 0);
    if (resumes) return { type: "resume", reason: "so", by: ada };
    if (sent) return resultOf(sent.dispatchId, goodAnswer(sent, detail));
    const review = underReview(moment);
    if (review) return { type: "review", ...review, verdict: { kind: "approve" }, reason: "so", by: ada };
    const refresh = run.commands
      .filter(isRefresh)
      .findLast((asked) => waitsFor(state, asked.stageId, "refresh"));
    if (refresh) return refreshed(run, refresh, true);
    const prepare = run.commands
      .filter(isPrepare)
      .findLast((asked) => waitsFor(state, asked.stageId, "workspace"));
    if (prepare) return prepared(prepare, true);
    const verifying = attempts(state).find(({ dispatchId }) => isVerifying(state, dispatchId));
    if (verifying) return verifiedAs(verifying.dispatchId, true);
    const retry = run.commands.filter(isTimer).findLast(({ timerId }) => {
      const [, , stageId = ""] = timerId.split(" ");
      return timerId.startsWith("retry") && waitsFor(state, stageId, "backoff");
    });
    if (retry) return timerInput(run, retry, true);
    if (state.escalations.size > 0 && detail % 2 === 0) return resolved(moment, ["abort"]);
    run.world = { ...run.world, fleet: testFleet([{ packId: "dev" }, { packId: "qa" }]) };
    return { type: "wake" };
  },
  answer: (moment) => {
    const sent = underWay(moment);
    return sent && resultOf(sent.dispatchId, anyAnswer(sent, moment.detail));
  },
  "late answer": ({ run, pick, detail }) => {
    const records = run.records.flatMap((record) => (record.type === "dispatched" ? [record] : []));
    const sent = choose(records, pick);
    return sent && resultOf(sent.dispatchId, lateAnswer(sent, detail));
  },
  "invalid answer": (moment) => ({
    type: "result",
    dispatchId: underWay(moment)?.dispatchId ?? "",
    answer: { kind: "unreadable", reason: "nonsense" },
  }),
  lost: (moment) => ({ type: "agent-lost", dispatchId: underWay(moment)?.dispatchId ?? "", reason: "gone" }),
  "not delivered": (moment) => {
    return { type: "not-delivered", dispatchId: underWay(moment)?.dispatchId ?? "", reason: "refused" };
  },
  /** Any timer that was ever set: it may have fired before, or fire early. */
  timer: ({ run, pick, detail }) => {
    const timer = choose(run.commands.filter(isTimer), pick);
    return timer && timerInput(run, timer, detail % 2 === 0);
  },
  refreshed: ({ run, pick, detail }) => {
    const refresh = choose(run.commands.filter(isRefresh), pick);
    return refresh && refreshed(run, refresh, detail % 2 === 0);
  },
  prepared: ({ run, pick, detail }) => {
    const prepare = choose(run.commands.filter(isPrepare), pick);
    return prepare && prepared(prepare, detail % 3 !== 0);
  },
  left: ({ run, pick, detail }) => {
    const released = choose(run.commands.filter(isRelease), pick);
    return released && leftBy(released.dispatchId, detail % 3 === 0);
  },
  verified: (moment) => {
    const sent = underWay(moment);
    return sent && verifiedAs(sent.dispatchId, moment.detail % 3 !== 0);
  },
  verdict: (moment) => {
    const { state, detail } = moment;
    const review = underReview(moment);
    if (!review) return undefined;
    const target = choose([undefined, ...(state.plan.stages[review.index]?.dependsOn ?? [])], detail);
    const targetStageId = target === undefined ? undefined : state.plan.stages[target]?.id;
    const verdicts = [
      { kind: "approve" },
      { kind: "approve" },
      { kind: "approve" },
      { kind: "reject", targetStageId, instructions: [] },
      { kind: "fail" },
    ] as const;
    const verdict = verdicts[detail % verdicts.length] ?? verdicts[0];
    return { type: "review", ...review, verdict, reason: "so", by: ada };
  },
  resolve: (moment) => resolved(moment, moment.detail % 8 === 0 ? [] : ["abort"]),
  resume: () => ({ type: "resume", reason: "so", by: ada }),
  pause: () => ({ type: "pause", reason: "so", by: ada }),
  abort: ({ detail }) => (detail % 10 === 0 ? { type: "abort", reason: "so", by: ada } : undefined),
  rewind: ({ run, pick, detail }) =>
    detail % 4 === 0 ? rewinding(run, 1 + (pick % run.records.length)) : undefined,
  wake: () => ({ type: "wake" }),
  fleet: ({ run, detail }) => {
    run.world = { ...run.world, fleet: testFleet(choose(fleets, detail) ?? []) };
    return { type: "wake" };
  },
  steps: (moment) => {
    return { type: "steps", dispatchId: underWay(moment)?.dispatchId ?? "", steps: moment.detail };
  },
  turn: (moment) => ({
    type: "turn",
    dispatchId: underWay(moment)?.dispatchId ?? "",
    turnIndex: moment.detail % 12,
    confidence: (moment.detail % 10) / 10,
  }),
} satisfies Record<string, (moment: Moment) => PipelineInput | undefined>;

const fleets: readonly (readonly TestInstance[])[] = [
  [{ packId: "dev" }, { packId: "qa" }],
  [{ packId: "dev" }],
  [{ packId: "qa" }, { packId: "dancer" }],
  [],
  [{ packId: "dev", maxTasks: 1 }, { packId: "dev", instanceId: "dev-2", maxTasks: 1 }, { packId: "qa" }],
  [
    { packId: "dev", health: "DEGRADED" },
    { packId: "qa", maxTasks: 1 },
  ],
  [{ packId: "dev", instanceId: "one" }, { packId: "qa", instanceId: "one" }, { packId: "dancer" }],
];
