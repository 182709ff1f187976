import { type EventRecord, EventRecordSchema } from "@baton/contract";
import { RedactionFailure, type RedactionPlace, type Redactor } from "@baton/kernel";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Filter } from "../filter/filter.ts";
import { isTransition, recordOf, type Transition } from "./stored-events.ts";

/** Of any text in it: the names in a transition are short, and a longer one goes the long way. */
const longestText = 1_024;

/**
 * Tells which transitions may leave as they are, which nearly all may: most events are transitions, and to take each through
 * the filter as a message takes several times as long.
 */
export class TransitionLook {
  readonly #filter: Filter;
  #looks: Looks | undefined;

  constructor(filter: Filter) {
    this.#filter = filter;
  }

  /** Of each whether it may. False says only that it has to pass the filter as a message. */
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
    const looks = this.#looksNow();
    return (
      looks.mayAnyLeave &&
      pipelineId !== "" &&
      looks.pipelineId.stays(pipelineId) &&
      looks.stageId.stays(stageId) &&
      looks.dispatchId.stays(dispatchId) &&
      looks.sessionId.stays(pipelineId) &&
      looks.taskId.stays(taskId) &&
      looks.fromState.stays(from) &&
      looks.toState.stays(to) &&
      (commit === undefined || looks.gitHash.stays(commit))
    );
  }

  #looksNow(): Looks {
    const { redactor } = this.#filter;
    if (this.#looks?.by !== redactor) this.#looks = looksOf(redactor, this.#filter.at("event"));
    return this.#looks;
  }
}

type Looks = ReturnType<typeof looksOf>;

/**
 * With nothing in it that has to go but by its place. What the hub makes up for a transition holds no text of anybody's, so it is
 * asked here once whether it may be seen: its number, its times and its id.
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

/** By which redactor it was prepared, to be prepared anew when another one is in force. */
function looksOf(by: Redactor, redactor: Redactor) {
  const record = redactor.place("EventRecord");
  const event = record.enter("event", "Event");
  const transition = event.enter("task_transition", "TaskTransition");
  return {
    by,
    mayAnyLeave: redactor.redactMessage(EventRecordSchema, sample).message === sample,
    pipelineId: new Look(record.enter("pipeline_id")),
    stageId: new Look(record.enter("stage_id")),
    dispatchId: new Look(record.enter("dispatch_id")),
    sessionId: new Look(event.enter("session_id")),
    taskId: new Look(transition.enter("task_id")),
    fromState: new LookAtFew(transition.enter("from_state")),
    toState: new LookAtFew(transition.enter("to_state")),
    gitHash: new Look(transition.enter("git_hash")),
  };
}

/** Looks at a field. What was there before, and could stay, is not looked at again. */
class Look {
  readonly #place: RedactionPlace;
  #last = "";

  constructor(place: RedactionPlace) {
    this.#place = place;
  }

  stays(text: string): boolean {
    if (text === this.#last || text === "") return true;
    if (!mayStay(this.#place, text)) return false;
    this.#last = text;
    return true;
  }
}

/** More than there are states. */
const mostKnown = 64;

/** The same for a field that holds one of a few. */
class LookAtFew {
  readonly #place: RedactionPlace;
  readonly #known = new Set([""]);

  constructor(place: RedactionPlace) {
    this.#place = place;
  }

  stays(text: string): boolean {
    if (this.#known.has(text)) return true;
    if (!mayStay(this.#place, text)) return false;
    if (this.#known.size < mostKnown) this.#known.add(text);
    return true;
  }
}

function mayStay(place: RedactionPlace, text: string): boolean {
  return text.length <= longestText && place.redact(text) === text;
}
