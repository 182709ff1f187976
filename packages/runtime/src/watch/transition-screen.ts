import { type EventRecord, EventRecordSchema } from "@baton/contract";
import { RedactionFailure, type RedactionLocation, type Redactor } from "@baton/kernel";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { isTransition, recordOf, type Transition } from "../events/stored-events.ts";
import type { EgressFilter } from "../redaction/egress-filter.ts";

/** Names in transitions are short; longer texts are redacted as messages. */
const maxTextLength = 1_024;

/**
 * Finds transitions without secrets, which are nearly all and most of the events. Redacting each as a message takes
 * several times as long.
 */
export class TransitionScreen {
  readonly #filter: EgressFilter;
  #checks: FieldChecks | undefined;

  constructor(filter: EgressFilter) {
    this.#filter = filter;
  }

  /** Whether each event may leave unchanged. False means that it must be redacted as a message. */
  mayLeave(events: readonly (Transition | EventRecord)[]): readonly boolean[] {
    try {
      return this.#filter.guard("event", () =>
        events.map((event) => isTransition(event) && this.#mayLeave(event)),
      );
    } catch (error) {
      if (error instanceof RedactionFailure) return [];
      throw error;
    }
  }

  #mayLeave(transition: Transition): boolean {
    const { pipelineId, stageId, dispatchId, taskId, from, to, commit } = transition;
    const checks = this.#checksNow();
    return (
      checks.mayAnyLeave &&
      pipelineId !== "" &&
      checks.pipelineId.stays(pipelineId) &&
      checks.stageId.stays(stageId) &&
      checks.dispatchId.stays(dispatchId) &&
      checks.sessionId.stays(pipelineId) &&
      checks.taskId.stays(taskId) &&
      checks.fromState.stays(from) &&
      checks.toState.stays(to) &&
      (commit === undefined || checks.gitHash.stays(commit))
    );
  }

  #checksNow(): FieldChecks {
    const { redactor } = this.#filter;
    if (this.#checks?.by !== redactor) this.#checks = checksOf(redactor, this.#filter.at("event"));
    return this.#checks;
  }
}

type FieldChecks = ReturnType<typeof checksOf>;

/**
 * A sample transition without secrets. Generated fields contain no input, so whether the policy allows number, times
 * and id is checked once.
 */
const sample = recordOf({
  sequence: 1n,
  pipelineId: "p",
  stageId: "s",
  dispatchId: "d",
  from: "A",
  to: "B",
  commit: "c",
  eventId: "e",
  taskId: "t",
  recordedAt: timestampFromMs(1_001),
});

/** The redactor of these checks; they are rebuilt for another one. */
function checksOf(by: Redactor, redactor: Redactor) {
  const record = redactor.locate("EventRecord");
  const event = record.enter("event", "Event");
  const transition = event.enter("task_transition", "TaskTransition");
  return {
    by,
    mayAnyLeave: redactor.redactMessage(EventRecordSchema, sample).message === sample,
    pipelineId: new FieldCheck(record.enter("pipeline_id")),
    stageId: new FieldCheck(record.enter("stage_id")),
    dispatchId: new FieldCheck(record.enter("dispatch_id")),
    sessionId: new FieldCheck(event.enter("session_id")),
    taskId: new FieldCheck(transition.enter("task_id")),
    fromState: new EnumFieldCheck(transition.enter("from_state")),
    toState: new EnumFieldCheck(transition.enter("to_state")),
    gitHash: new FieldCheck(transition.enter("git_hash")),
  };
}

/** Checks a field and caches the last value that passed. */
class FieldCheck {
  readonly #location: RedactionLocation;
  #last = "";

  constructor(location: RedactionLocation) {
    this.#location = location;
  }

  stays(text: string): boolean {
    if (text === this.#last || text === "") return true;
    if (!isUnchanged(this.#location, text)) return false;
    this.#last = text;
    return true;
  }
}

/** More than the number of states. */
const maxKnown = 64;

/** Checks a field with few values and caches all that passed. */
class EnumFieldCheck {
  readonly #location: RedactionLocation;
  readonly #known = new Set([""]);

  constructor(location: RedactionLocation) {
    this.#location = location;
  }

  stays(text: string): boolean {
    if (this.#known.has(text)) return true;
    if (!isUnchanged(this.#location, text)) return false;
    if (this.#known.size < maxKnown) this.#known.add(text);
    return true;
  }
}

function isUnchanged(location: RedactionLocation, text: string): boolean {
  return text.length <= maxTextLength && location.redact(text) === text;
}
