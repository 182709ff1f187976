import {
  type AuditEntry,
  AuditEventType,
  type EventRecord,
  type Usage,
  UsageSchema,
} from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import { limits } from "../limits.ts";
import { addUsage } from "../queries/spending.ts";
import { commandLine } from "./event-printer.ts";

/** What a stage does now: a label and a line. */
export interface Activity {
  readonly label: "thinks" | "runs" | "prints" | "checks" | "waits";
  readonly text: string;
}

interface Thought {
  readonly turn: string;
  readonly text: string;
}

/** The current activity of each stage, from events, and the usage so far, from the audit record. */
export class Activities {
  /** By run and stage. */
  readonly #activities = new Map<string, Activity>();
  /** By run and stage; other events may come between the chunks of a thought. */
  readonly #thoughts = new Map<string, Thought>();
  readonly #spent: Usage = create(UsageSchema);

  onEvent({ pipelineId, stageId, dispatchId, event, withheld }: EventRecord): void {
    if (withheld) return;
    const payload = event?.payload;
    const key = keyOf(pipelineId, stageId);
    switch (payload?.case) {
      case "taskTransition":
        this.#activities.delete(key);
        this.#thoughts.delete(key);
        return;
      case "thoughtStream": {
        const { turnIndex, chunk } = payload.value;
        const turn = `${dispatchId} ${turnIndex}`;
        const before = this.#thoughts.get(key);
        const thought = (before?.turn === turn ? before.text : "") + chunk;
        const text = thought.slice(-limits.thoughtCharacters);
        keep(this.#thoughts, key, { turn, text });
        keep(this.#activities, key, { label: "thinks", text });
        return;
      }
      case "toolInvoked": {
        const { tool, arguments: given } = payload.value;
        keep(this.#activities, key, { label: "runs", text: commandLine(tool, given?.args) });
        return;
      }
      case "sandboxPulse": {
        const { check, line } = payload.value;
        const eventLine = {
          label: check === "" ? "prints" : "checks",
          text: check === "" ? line : `${check}: ${line}`,
        } as const;
        if (line.trim() !== "") keep(this.#activities, key, eventLine);
        return;
      }
    }
  }

  onEntry({ eventType, snapshot }: AuditEntry): void {
    const payload = snapshot?.snapshotPayload;
    if (eventType !== AuditEventType.RESULT_RECEIVED || payload?.case !== "result") return;
    const { usage } = payload.value;
    if (usage === undefined) return;
    addUsage(this.#spent, usage);
  }

  /** Of a thought only its last line. */
  current(pipelineId: string, stageId: string): Activity | undefined {
    const eventLine = this.#activities.get(keyOf(pipelineId, stageId));
    if (eventLine === undefined) return undefined;
    const text = eventLine.text.split("\n").findLast((line) => line.trim() !== "");
    return text === undefined ? undefined : { label: eventLine.label, text: text.trim() };
  }

  get spent(): Usage {
    return this.#spent;
  }
}

/** Drops the least recently updated entry beyond the limit. */
function keep<Value>(known: Map<string, Value>, key: string, value: Value): void {
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > limits.openActivities && oldest !== undefined) known.delete(oldest);
}

function keyOf(pipelineId: string, stageId: string): string {
  return `${pipelineId}/${stageId}`;
}
