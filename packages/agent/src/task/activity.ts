import { randomUUID } from "node:crypto";
import {
  type AgentRole,
  Complexity,
  type Event,
  EventSchema,
  type ToolLifecycleCompletedSchema,
  ToolStatus,
  type TurnEnvelope,
  TurnEnvelopeSchema,
  validate,
} from "@baton/contract";
import { create, type JsonObject, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { AgentError } from "../agent-error.ts";
import type { TurnInput } from "../api/task.ts";
import type { AttemptFacts } from "../attempt-facts.ts";
import { limits } from "../limits.ts";
import { roleOf } from "../manifest.ts";

/** Receives turns and events. Throws `AgentError` for one that is too large. */
export interface ActivitySink {
  turn(turn: TurnEnvelope): void;
  event(event: Event): void;
}

const complexities = { low: Complexity.LOW, medium: Complexity.MEDIUM, high: Complexity.HIGH } as const;

interface OpenCall {
  readonly tool: string;
  readonly startedMs: number;
}

/** Publishes the turns and events of an attempt as they happen (SAOP §1, §2). */
export class Activity {
  readonly #facts: AttemptFacts;
  readonly #sink: ActivitySink;
  readonly #role: AgentRole;
  #turnIndex = 0;
  #thoughts: string[] = [];
  readonly #calls = new Map<string, OpenCall>();

  constructor(facts: AttemptFacts, sink: ActivitySink) {
    this.#facts = facts;
    this.#sink = sink;
    this.#role = roleOf(facts.definition);
  }

  think(chunk: string): void {
    this.#emitThought(chunk, false);
    this.#thoughts.push(chunk);
  }

  turn({ thought, action = "", observation = "", confidence, complexity = "medium", role }: TurnInput): void {
    const turn = create(TurnEnvelopeSchema, {
      turnIndex: this.#turnIndex,
      agentId: this.#role,
      role: role === undefined ? this.#role : roleOf({ ...this.#facts.definition, role }),
      content: { thought: thought ?? this.#thoughts.join(""), action, observation },
      metadata: {
        version: "1.0.0",
        taskId: this.#facts.contract.taskId,
        timestamp: timestampNow(),
        confidence,
        estimatedComplexity: complexities[complexity],
      },
      packId: this.#facts.definition.pack,
    });
    const [violation] = validate(TurnEnvelopeSchema, turn);
    if (violation) {
      throw new AgentError("BATON-SDK-004", `${violation.field} ${violation.message}`, { at: "task.turn" });
    }
    if (this.#thoughts.length > 0) this.#emitThought("", true);
    this.#sink.turn(turn);
    this.#thoughts = [];
    this.#turnIndex++;
  }

  /** Returns the id to report the end of the call with. */
  toolInvoked(tool: string, args: JsonObject, refused = ""): string {
    const callId = randomUUID();
    const timestamp = timestampNow();
    this.#emit({ case: "toolInvoked", value: { callId, tool, arguments: args, timestamp, refused } });
    this.#calls.set(callId, { tool, startedMs: performance.now() });
    return callId;
  }

  /** A call that does not run is published as a pair too (SACP §8). */
  toolRefused(tool: string, args: JsonObject, reason: string): void {
    const why = reason.slice(0, limits.reasonLength).toWellFormed() || "refused";
    this.toolCompleted(this.toolInvoked(tool, args, why), ToolStatus.FAILURE);
  }

  toolCompleted(callId: string, status: ToolStatus): void {
    const call = this.#calls.get(callId);
    if (!call || !this.#calls.delete(callId)) return;
    const value: MessageInitShape<typeof ToolLifecycleCompletedSchema> = {
      callId,
      tool: call.tool,
      status,
      durationMs: performance.now() - call.startedMs,
      timestamp: timestampNow(),
    };
    this.#emit({ case: "toolCompleted", value });
  }

  /**
   * Completes the open calls when the attempt ends (SAOP §2). SAOP has no status for cancelled calls: they are failures.
   */
  abandonCalls(status: ToolStatus): void {
    for (const callId of [...this.#calls.keys()]) this.toolCompleted(callId, status);
  }

  #emitThought(chunk: string, isFinal: boolean): void {
    const value = { agentId: this.#role, turnIndex: this.#turnIndex, chunk, isFinal };
    this.#emit({ case: "thoughtStream", value });
  }

  #emit(payload: MessageInitShape<typeof EventSchema>["payload"]): void {
    const sessionId = this.#facts.trace.traceId;
    const event = create(EventSchema, { eventId: randomUUID(), sessionId, ...(payload && { payload }) });
    const [violation] = validate(EventSchema, event);
    if (violation) {
      throw new AgentError("BATON-SDK-004", `${violation.field} ${violation.message}`, { at: "an event" });
    }
    this.#sink.event(event);
  }
}
