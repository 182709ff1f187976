import {
  AgentRole,
  Complexity,
  type EventSchema,
  type RunAgentResponse,
  RunAgentResponseSchema,
  ToolStatus,
} from "@baton/contract";
import type { LineMasker, MaskedLine } from "@baton/kernel";
import { create, type JsonObject, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";

export interface NarratorParts {
  readonly taskId: string;
  readonly sessionId: string;
  readonly packId: string;
  readonly role: AgentRole;
  readonly uuid: () => string;
  readonly nowMs: () => number;
  readonly createMasker: () => LineMasker;
}

type EventPayload = NonNullable<
  Extract<MessageInitShape<typeof EventSchema>, { $typeName?: never }>["payload"]
>;

interface Call {
  readonly tool: string;
  readonly startedMs: number;
}

/** Longer arguments of a tool are shortened. */
const argumentCharacters = 16_384;

/** Commands state no confidence: a constant in the middle shows no trend. */
const unstated = 0.5;

/** Reports what a command does as turns and events (SAOP §1, §2), with an end for every tool call (TUR-05). */
export class Narrator {
  readonly #parts: NarratorParts;
  readonly #maskers: Readonly<Record<"stdout" | "stderr", LineMasker>>;
  readonly #calls = new Map<string, Call>();
  /** By tool: whether its last use failed. */
  readonly #failed = new Map<string, boolean>();
  #turnIndex = 0;
  #steps = 0;

  constructor(parts: NarratorParts) {
    this.#parts = parts;
    this.#maskers = { stdout: parts.createMasker(), stderr: parts.createMasker() };
  }

  /** Tool calls and turns. */
  get steps(): number {
    return this.#steps;
  }

  /** Tools whose last use failed. */
  get failedTools(): readonly string[] {
    return [...this.#failed].flatMap(([tool, failed]) => (failed ? [tool] : []));
  }

  /** A line of output. One that may begin a secret comes later. */
  print(from: "stdout" | "stderr", line: string): RunAgentResponse[] {
    return this.#maskers[from].push(`${line}\n`).map((masked) => this.#pulse(masked));
  }

  think(chunk: string): RunAgentResponse[] {
    return chunk === "" ? [] : [this.#thought(chunk, false)];
  }

  /** A turn is reported when it is over, after its thoughts. */
  turn({ thought, action, observation }: Record<"thought" | "action" | "observation", string>) {
    const { taskId, packId, role, nowMs } = this.#parts;
    const messages = [
      ...(thought === "" ? [] : [this.#thought("", true)]),
      create(RunAgentResponseSchema, {
        message: {
          case: "turn",
          value: {
            turnIndex: this.#turnIndex,
            ...{ agentId: role, role, packId },
            content: { thought, action, observation },
            metadata: {
              ...{ version: "1.0.0", taskId, timestamp: timestampFromMs(nowMs()) },
              ...{ confidence: unstated, estimatedComplexity: Complexity.MEDIUM },
            },
          },
        },
      }),
    ];
    this.#turnIndex++;
    this.#steps++;
    return messages;
  }

  invoke(callId: string, tool: string, args: JsonObject): RunAgentResponse[] {
    if (callId === "" || tool === "" || this.#calls.has(callId)) return [];
    const nowMs = this.#parts.nowMs();
    this.#calls.set(callId, { tool, startedMs: nowMs });
    this.#steps++;
    return [
      this.#event({
        case: "toolInvoked",
        value: { callId, tool, arguments: shortened(args), timestamp: timestampFromMs(nowMs) },
      }),
    ];
  }

  complete(callId: string, status: ToolStatus): RunAgentResponse[] {
    const call = this.#calls.get(callId);
    if (!call) return [];
    this.#calls.delete(callId);
    this.#failed.set(call.tool, status !== ToolStatus.SUCCESS);
    const nowMs = this.#parts.nowMs();
    return [
      this.#event({
        case: "toolCompleted",
        value: {
          ...{ callId, tool: call.tool, status },
          durationMs: Math.max(0, nowMs - call.startedMs),
          timestamp: timestampFromMs(nowMs),
        },
      }),
    ];
  }

  /** Lines that were held back, and timeouts of open calls. */
  end(): RunAgentResponse[] {
    const { stdout, stderr } = this.#maskers;
    return [
      ...[...stdout.end(), ...stderr.end()].map((masked) => this.#pulse(masked)),
      ...[...this.#calls.keys()].flatMap((callId) => this.complete(callId, ToolStatus.TIMEOUT)),
    ];
  }

  #pulse({ line, masked }: MaskedLine): RunAgentResponse {
    const timestamp = timestampFromMs(this.#parts.nowMs());
    return this.#event({ case: "sandboxPulse", value: { line, masked, timestamp } });
  }

  #thought(chunk: string, isFinal: boolean): RunAgentResponse {
    const { role } = this.#parts;
    const value = { agentId: role, turnIndex: this.#turnIndex, chunk, isFinal };
    return this.#event({ case: "thoughtStream", value });
  }

  #event(payload: EventPayload): RunAgentResponse {
    const { uuid, sessionId } = this.#parts;
    const value = { eventId: uuid(), sessionId, payload };
    return create(RunAgentResponseSchema, { message: { case: "event", value } });
  }
}

export function roleOf(role: AgentRole): AgentRole {
  return role === AgentRole.UNSPECIFIED ? AgentRole.DEVELOPER : role;
}

function shortened(args: JsonObject): JsonObject {
  const text = JSON.stringify(args);
  if (text.length <= argumentCharacters) return args;
  return {
    leftOut: `${text.length} characters`,
    beginning: text.slice(0, argumentCharacters).toWellFormed(),
  };
}
