import {
  type AgentResult,
  type EventRecord,
  type Stage,
  type TaskEnvelope,
  TaskEnvelopeSchema,
} from "@baton/contract";
import { pipelineOf } from "@baton/runtime/parts";
import { equals } from "@bufbuild/protobuf";
import type { PipelineInput, PipelineState } from "../kernel.ts";
import type { PipelineScenario } from "../scenario/pipeline.ts";
import { inspect, type Sim } from "../sim.ts";
import { invariant } from "../violation.ts";
import type { Attempt } from "./attempt.ts";
import { checkContext } from "./context.ts";
import { checkCounts, checkRound, type Limits } from "./counts.ts";
import { checkFeedback } from "./feedback.ts";
import { StepObserver } from "./step-observer.ts";
import { Timeline } from "./timeline.ts";
import { type Reply, Verdicts } from "./verdicts.ts";

interface Observed {
  readonly timeline: Timeline;
  readonly stages: ReadonlyMap<string, Stage>;
  readonly limits: Limits;
  /** A rewind to a version was requested, which restores counters: they are no longer compared. */
  restored: boolean;
}

/**
 * Judges the hub by what reaches the outside: envelopes, answers of agents and reviewers, results of the contract's tests,
 * and the events of a watcher. It rebuilds attempts, retries and rejections from these, and reads the hub's state only for
 * comparison.
 */
export class Observer {
  readonly #sim: Sim;
  readonly #pipelines: ReadonlyMap<string, Observed>;
  readonly #verdicts = new Verdicts();
  readonly steps: StepObserver;

  constructor(sim: Sim, pipelines: readonly PipelineScenario[]) {
    this.#sim = sim;
    this.steps = new StepObserver(sim);
    this.#pipelines = new Map(
      pipelines.map(({ submission: { pipelineId, stages, policy } }) => [
        pipelineId,
        {
          timeline: new Timeline(),
          stages: new Map(stages.map((stage) => [stage.stageId, stage])),
          limits: {
            maxTotalRetries: policy?.maxTotalRetries || 10,
            maxRejections: policy?.maxRejections || 3,
          },
          restored: false,
        },
      ]),
    );
  }

  /** An agent received an envelope, possibly again. */
  received(envelope: TaskEnvelope): void {
    const { dispatchId = "", attemptNumber = 0 } = envelope.execution ?? {};
    const attempt = this.#attempt(dispatchId);
    if (!attempt) return;
    inspect(this.#sim, () => {
      invariant(
        attemptNumber === attempt.number,
        "an envelope has the number of its attempt",
        () => `${dispatchId} says ${attemptNumber}`,
      );
      invariant(
        attempt.envelope === undefined ||
          equals(TaskEnvelopeSchema, withoutSteps(attempt.envelope), withoutSteps(envelope)),
        "a repeated envelope is unchanged",
        () => dispatchId,
      );
      attempt.envelope = envelope;
      this.#judge(attempt);
    });
  }

  /** An agent answered, whether the answer arrives or not. */
  answered(result: AgentResult): void {
    this.#attempt(result.dispatchId)?.answers.push(result);
  }

  /** The contract's tests failed on the result of an attempt. */
  testsFailed(dispatchId: string): void {
    const attempt = this.#attempt(dispatchId);
    if (attempt) attempt.failedTests = true;
  }

  /** A client made a request; its reply goes to the returned function. */
  asked(pipelineId: string, input: PipelineInput): (word: Reply) => void {
    const observed = this.#pipelines.get(pipelineId);
    if (observed && input.type === "rewind") observed.restored = true;
    return input.type === "review" ? this.#verdicts.asked(input) : () => {};
  }

  event({ pipelineId, stageId, dispatchId, event }: EventRecord): void {
    const observed = this.#pipelines.get(pipelineId);
    if (!observed || event?.payload.case !== "taskTransition") return;
    const { value } = event.payload;
    const last = observed.timeline.stages.get(stageId)?.last?.number ?? 0;
    const attempt = observed.timeline.take(stageId, dispatchId, value);
    if (!attempt) return;
    inspect(this.#sim, () => {
      invariant(
        attempt.number > last || observed.restored,
        "attempts of a stage have increasing numbers",
        () => `${dispatchId} is announced after attempt ${last}`,
      );
      this.#judge(attempt);
    });
  }

  /** The watcher has every stored event: compares what was seen with the state. */
  compare(state: PipelineState): void {
    const observed = this.#pipelines.get(state.id);
    if (!observed) return;
    inspect(this.#sim, () => {
      checkStatuses(observed.timeline, state);
      if (!observed.restored) checkCounts(observed.timeline, this.#verdicts, observed.limits, state);
    });
  }

  /** Called when an attempt was announced, and when its envelope arrived. */
  #judge(attempt: Attempt): void {
    const observed = this.#pipelines.get(pipelineOf(attempt.dispatchId));
    if (!observed || !attempt.cause || !attempt.envelope) return;
    const config = observed.stages.get(attempt.stageId)?.config;
    checkFeedback(attempt);
    checkContext(attempt, config);
    checkRound(observed.timeline, attempt, config?.handoffPolicy?.retry?.maxAttempts || 1);
  }

  #attempt(dispatchId: string): Attempt | undefined {
    return this.#pipelines.get(pipelineOf(dispatchId))?.timeline.attempt(dispatchId);
  }
}

/** An envelope that is sent again has the steps of its own attempt too. */
function withoutSteps({ steps: _, ...envelope }: TaskEnvelope): TaskEnvelope {
  return envelope;
}

/** The statuses that a watcher saw are those of the state. */
function checkStatuses(
  { status, stages }: Timeline,
  { id, life, stages: states, plan }: PipelineState,
): void {
  invariant(
    status === life.status,
    "a watcher sees the status of a pipeline",
    () => `${id} is ${life.status}, and the watcher saw ${status}`,
  );
  for (const [place, { status: theirs }] of states.entries()) {
    const seen = stages.get(plan.stages[place]?.id ?? "")?.status ?? "PENDING";
    invariant(
      seen === theirs,
      "a watcher sees the status of a stage",
      () => `stage ${place} of ${id} is ${theirs}, and the watcher saw ${seen}`,
    );
  }
}
