import { randomUUID } from "node:crypto";
import {
  type AgentRole,
  Complexity,
  type Event,
  EventSchema,
  type ToolLifecycleCompletedSchema,
  type ToolStatus,
  type TurnEnvelope,
  TurnEnvelopeSchema,
  validate,
} from "@baton/contract";
import { create, type JsonObject, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { AgentError } from "../agent-error.ts";
import { roleOf } from "../manifest.ts";
import type { AttemptFacts } from "./attempt-facts.ts";
import type { TurnGiven } from "./task.ts";

/** Where turns and events go. Throws `AgentError` for one that is too large. */
export interface Listener {
  turn(turn: TurnEnvelope): void;
  event(event: Event): void;
}

const complexities = { low: Complexity.LOW, medium: Complexity.MEDIUM, high: Complexity.HIGH } as const;

interface OpenCall {
  readonly tool: string;
  readonly startedMs: number;
}

/** Tells what the agent thinks and does while it does it: turns and events (SAOP §1, §2). */
export class Narration {
  readonly #facts: AttemptFacts;
  readonly #listener: Listener;
  readonly #role: AgentRole;
  #turnIndex = 0;
  #thoughts: string[] = [];
  readonly #calls = new Map<string, OpenCall>();

  constructor(facts: AttemptFacts, listener: Listener) {
    this.#facts = facts;
    this.#listener = listener;
    this.#role = roleOf(facts.definition);
  }

  think(chunk: string): void {
    this.#tellThought(chunk, false);
    this.#thoughts.push(chunk);
  }

  turn({ thought, action = "", observation = "", confidence, complexity = "medium", role }: TurnGiven): void {
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
    if (this.#thoughts.length > 0) this.#tellThought("", true);
    this.#listener.turn(turn);
    this.#thoughts = [];
    this.#turnIndex++;
  }

  /** Says that a tool is called; the id says later how it ended. */
  invoked(tool: string, args: JsonObject): string {
    const callId = randomUUID();
    this.#tell({ case: "toolInvoked", value: { callId, tool, arguments: args, timestamp: timestampNow() } });
    this.#calls.set(callId, { tool, startedMs: performance.now() });
    return callId;
  }

  completed(callId: string, status: ToolStatus): void {
    const call = this.#calls.get(callId);
    if (!call || !this.#calls.delete(callId)) return;
    const value: MessageInitShape<typeof ToolLifecycleCompletedSchema> = {
      callId,
      tool: call.tool,
      status,
      durationMs: performance.now() - call.startedMs,
      timestamp: timestampNow(),
    };
    this.#tell({ case: "toolCompleted", value });
  }

  /**
   * The attempt is over: a call that has not returned never will (SAOP §2). Only one whose time ran out is a timeout;
   * one that was stopped with a cancelled attempt failed, since SAOP has no word of its own for it.
   */
  abandonCalls(status: ToolStatus): void {
    for (const callId of [...this.#calls.keys()]) this.completed(callId, status);
  }

  #tellThought(chunk: string, isFinal: boolean): void {
    const value = { agentId: this.#role, turnIndex: this.#turnIndex, chunk, isFinal };
    this.#tell({ case: "thoughtStream", value });
  }

  #tell(payload: MessageInitShape<typeof EventSchema>["payload"]): void {
    const sessionId = this.#facts.trace.traceId;
    const event = create(EventSchema, { eventId: randomUUID(), sessionId, ...(payload && { payload }) });
    const [violation] = validate(EventSchema, event);
    if (violation) {
      throw new AgentError("BATON-SDK-004", `${violation.field} ${violation.message}`, { at: "an event" });
    }
    this.#listener.event(event);
  }
}
