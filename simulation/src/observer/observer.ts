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
import { look, type Sim } from "../sim.ts";
import { demand } from "../violation.ts";
import type { Attempt } from "./attempt.ts";
import { checkContext } from "./context.ts";
import { checkCounts, checkRound, type Limits } from "./counts.ts";
import { checkFeedback } from "./feedback.ts";
import { Story } from "./story.ts";
import { type Reply, Verdicts } from "./verdicts.ts";

interface Observed {
  readonly story: Story;
  readonly stages: ReadonlyMap<string, Stage>;
  readonly limits: Limits;
  /** Somebody asked for a rewind to a version, which takes counters back: they are not compared any more. */
  restored: boolean;
}

/**
 * Judges the hub by what reaches the outside: envelopes that agents receive, what agents and reviewers answer, results of
 * the contract's tests, and the events of a watcher. It rebuilds attempts, retries and rejections from these and never
 * reads a record; the hub's state is only what they are compared with.
 */
export class Observer {
  readonly #sim: Sim;
  readonly #pipelines: ReadonlyMap<string, Observed>;
  readonly #verdicts = new Verdicts();

  constructor(sim: Sim, pipelines: readonly PipelineScenario[]) {
    this.#sim = sim;
    this.#pipelines = new Map(
      pipelines.map(({ submission: { pipelineId, stages, policy } }) => [
        pipelineId,
        {
          story: new Story(),
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

  /** An agent has an envelope in its hands; it may be one that it had before. */
  received(envelope: TaskEnvelope): void {
    const { dispatchId = "", attemptNumber = 0 } = envelope.execution ?? {};
    const attempt = this.#attempt(dispatchId);
    if (!attempt) return;
    look(this.#sim, () => {
      demand(
        attemptNumber === attempt.number,
        "an envelope has the number of its attempt",
        () => `${dispatchId} says ${attemptNumber}`,
      );
      demand(
        attempt.envelope === undefined || equals(TaskEnvelopeSchema, attempt.envelope, envelope),
        "an envelope that comes again is the same",
        () => dispatchId,
      );
      attempt.envelope = envelope;
      this.#judge(attempt);
    });
  }

  /** An agent has answered, whether the answer arrives or not. */
  answered(result: AgentResult): void {
    this.#attempt(result.dispatchId)?.answers.push(result);
  }

  /** The contract's tests have failed on the result of an attempt. */
  testsFailed(dispatchId: string): void {
    const attempt = this.#attempt(dispatchId);
    if (attempt) attempt.failedTests = true;
  }

  /** Somebody asks for something; the reply goes to what is returned. */
  asked(pipelineId: string, input: PipelineInput): (word: Reply) => void {
    const observed = this.#pipelines.get(pipelineId);
    if (observed && input.type === "rewind") observed.restored = true;
    return input.type === "review" ? this.#verdicts.asked(input) : () => {};
  }

  /** A watcher received an event. */
  event({ pipelineId, stageId, dispatchId, event }: EventRecord): void {
    const observed = this.#pipelines.get(pipelineId);
    if (!observed || event?.payload.case !== "taskTransition") return;
    const { value } = event.payload;
    const last = observed.story.stages.get(stageId)?.last?.number ?? 0;
    const attempt = observed.story.take(stageId, dispatchId, value);
    if (!attempt) return;
    look(this.#sim, () => {
      demand(
        attempt.number > last || observed.restored,
        "attempts of a stage are numbered upwards",
        () => `${dispatchId} is announced after attempt ${last}`,
      );
      this.#judge(attempt);
    });
  }

  /** The watcher has every event that is stored: what was seen from outside is compared with the state. */
  compare(state: PipelineState): void {
    const observed = this.#pipelines.get(state.id);
    if (!observed) return;
    look(this.#sim, () => {
      checkStatuses(observed.story, state);
      if (!observed.restored) checkCounts(observed.story, this.#verdicts, observed.limits, state);
    });
  }

  /** Once an attempt was announced and its envelope has arrived, in whichever order. */
  #judge(attempt: Attempt): void {
    const observed = this.#pipelines.get(pipelineOf(attempt.dispatchId));
    if (!observed || !attempt.cause || !attempt.envelope) return;
    const config = observed.stages.get(attempt.stageId)?.config;
    checkFeedback(attempt);
    checkContext(attempt, config);
    checkRound(observed.story, attempt, config?.handoffPolicy?.retry?.maxAttempts || 1);
  }

  #attempt(dispatchId: string): Attempt | undefined {
    return this.#pipelines.get(pipelineOf(dispatchId))?.story.attempt(dispatchId);
  }
}

/** What watchers were told is how it is. */
function checkStatuses({ status, stages }: Story, { id, life, stages: states, plan }: PipelineState): void {
  demand(
    status === life.status,
    "a watcher knows how a pipeline stands",
    () => `${id} is ${life.status}, and the watcher saw ${status}`,
  );
  for (const [place, { status: theirs }] of states.entries()) {
    const seen = stages.get(plan.stages[place]?.id ?? "")?.status ?? "PENDING";
    demand(
      seen === theirs,
      "a watcher knows how a stage stands",
      () => `stage ${place} of ${id} is ${theirs}, and the watcher saw ${seen}`,
    );
  }
}
