import {
  type AuditEntry,
  AuditEventType,
  type EventRecord,
  type Usage,
  UsageSchema,
} from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import { addUsage } from "../hub/spending.ts";
import { limits } from "../limits.ts";
import { commandLine } from "./tell-event.ts";

/** What a stage does at this moment, in a word and a line. */
export interface Deed {
  readonly label: "thinks" | "runs" | "prints" | "checks" | "waits";
  readonly text: string;
}

interface Thought {
  readonly turn: string;
  readonly text: string;
}

/** What is done now, from the events as they come, and what has been spent, from the record. */
export class Doing {
  /** By pipeline and stage. */
  readonly #deeds = new Map<string, Deed>();
  /** The same; other events may come between its pieces. */
  readonly #thoughts = new Map<string, Thought>();
  readonly #spent: Usage = create(UsageSchema);

  hear({ pipelineId, stageId, dispatchId, event, withheld }: EventRecord): void {
    if (withheld) return;
    const payload = event?.payload;
    const key = keyOf(pipelineId, stageId);
    switch (payload?.case) {
      case "taskTransition":
        this.#deeds.delete(key);
        this.#thoughts.delete(key);
        return;
      case "thoughtStream": {
        const { turnIndex, chunk } = payload.value;
        const turn = `${dispatchId} ${turnIndex}`;
        const before = this.#thoughts.get(key);
        const thought = (before?.turn === turn ? before.text : "") + chunk;
        const text = thought.slice(-limits.thoughtCharacters);
        keep(this.#thoughts, key, { turn, text });
        keep(this.#deeds, key, { label: "thinks", text });
        return;
      }
      case "toolInvoked": {
        const { tool, arguments: given } = payload.value;
        keep(this.#deeds, key, { label: "runs", text: commandLine(tool, given?.args) });
        return;
      }
      case "sandboxPulse": {
        const { check, line } = payload.value;
        const deed = {
          label: check === "" ? "prints" : "checks",
          text: check === "" ? line : `${check}: ${line}`,
        } as const;
        if (line.trim() !== "") keep(this.#deeds, key, deed);
        return;
      }
    }
  }

  read({ eventType, snapshot }: AuditEntry): void {
    const payload = snapshot?.snapshotPayload;
    if (eventType !== AuditEventType.RESULT_RECEIVED || payload?.case !== "result") return;
    const { usage } = payload.value;
    if (usage === undefined) return;
    addUsage(this.#spent, usage);
  }

  /** Of a thought its last line: that is where it is. */
  now(pipelineId: string, stageId: string): Deed | undefined {
    const deed = this.#deeds.get(keyOf(pipelineId, stageId));
    if (deed === undefined) return undefined;
    const text = deed.text.split("\n").findLast((line) => line.trim() !== "");
    return text === undefined ? undefined : { label: deed.label, text: text.trim() };
  }

  get spent(): Usage {
    return this.#spent;
  }
}

/** What was heard of longest ago is forgotten first. */
function keep<Value>(known: Map<string, Value>, key: string, value: Value): void {
  known.delete(key);
  known.set(key, value);
  const [oldest] = known.keys();
  if (known.size > limits.openTellings && oldest !== undefined) known.delete(oldest);
}

function keyOf(pipelineId: string, stageId: string): string {
  return `${pipelineId}/${stageId}`;
}
