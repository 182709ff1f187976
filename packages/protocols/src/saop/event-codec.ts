import { type Event as ContractEvent, EventSchema as ContractEventSchema, ToolStatus } from "@baton/contract";
import { create, type JsonObject, type MessageInitShape } from "@bufbuild/protobuf";
import { enumNames } from "../enum-names.ts";
import { type Event, type EventPayload, EventSchema } from "./events.ts";
import { readInstant, writeInstant } from "./instant.ts";
import { roles } from "./turn-codec.ts";

const statuses = enumNames({
  success: ToolStatus.SUCCESS,
  failure: ToolStatus.FAILURE,
  timeout: ToolStatus.TIMEOUT,
});

type ContractPayload = Exclude<MessageInitShape<typeof ContractEventSchema>["payload"], undefined>;

/** An event as the contract carries it. */
export function eventToContract({ event_id, session_id, payload }: Event): ContractEvent {
  return create(ContractEventSchema, {
    eventId: event_id,
    sessionId: session_id,
    payload: payloadToContract(payload),
  });
}

function payloadToContract(payload: EventPayload): ContractPayload {
  switch (payload.type) {
    case "THOUGHT_STREAM": {
      const { agent_id, turn_index: turnIndex, chunk, is_final: isFinal } = payload;
      return { case: "thoughtStream", value: { agentId: roles.number(agent_id), turnIndex, chunk, isFinal } };
    }
    case "TOOL_LIFECYCLE_INVOKED": {
      const { call_id: callId, tool, timestamp } = payload;
      // Through JSON, so that what has no place in it cannot get into a message.
      const given = JSON.parse(JSON.stringify(payload.arguments)) as JsonObject;
      return {
        case: "toolInvoked",
        value: { callId, tool, arguments: given, timestamp: readInstant(timestamp) },
      };
    }
    case "TOOL_LIFECYCLE_COMPLETED": {
      const { call_id: callId, tool, status, duration_ms: durationMs, timestamp } = payload;
      return {
        case: "toolCompleted",
        value: {
          callId,
          tool,
          status: statuses.number(status),
          durationMs,
          timestamp: readInstant(timestamp),
        },
      };
    }
    case "TASK_TRANSITION": {
      const { task_id: taskId, from_state: fromState, to_state: toState, git_hash, timestamp } = payload;
      const gitHash = git_hash === undefined ? {} : { gitHash: git_hash };
      return {
        case: "taskTransition",
        value: { taskId, fromState, toState, ...gitHash, timestamp: readInstant(timestamp) },
      };
    }
    case "SANDBOX_PULSE": {
      const { line, masked, timestamp } = payload;
      return { case: "sandboxPulse", value: { line, masked, timestamp: readInstant(timestamp) } };
    }
  }
}

/** An event as SAOP has it. Throws Zod's error for what the contract leaves open and SAOP does not. */
export function eventFromContract({ eventId, sessionId, payload }: ContractEvent): Event {
  return EventSchema.parse({
    event_id: eventId,
    session_id: sessionId,
    payload: payloadFromContract(payload),
  });
}

function payloadFromContract(payload: ContractEvent["payload"]): Record<string, unknown> | undefined {
  switch (payload.case) {
    case "thoughtStream": {
      const { agentId, turnIndex: turn_index, chunk, isFinal: is_final } = payload.value;
      return { type: "THOUGHT_STREAM", agent_id: roles.name(agentId), turn_index, chunk, is_final };
    }
    case "toolInvoked": {
      const { callId: call_id, tool, arguments: given, timestamp } = payload.value;
      return {
        type: "TOOL_LIFECYCLE_INVOKED",
        ...{ call_id, tool, arguments: given, timestamp: timestamp && writeInstant(timestamp) },
      };
    }
    case "toolCompleted": {
      const { callId: call_id, tool, status, durationMs: duration_ms, timestamp } = payload.value;
      return {
        type: "TOOL_LIFECYCLE_COMPLETED",
        ...{ call_id, tool, status: statuses.name(status), duration_ms },
        timestamp: timestamp && writeInstant(timestamp),
      };
    }
    case "taskTransition": {
      const { taskId: task_id, fromState: from_state, toState: to_state, gitHash, timestamp } = payload.value;
      return {
        type: "TASK_TRANSITION",
        ...{ task_id, from_state, to_state, timestamp: timestamp && writeInstant(timestamp) },
        ...(gitHash !== undefined && { git_hash: gitHash }),
      };
    }
    case "sandboxPulse": {
      const { line, masked, timestamp } = payload.value;
      return { type: "SANDBOX_PULSE", line, masked, timestamp: timestamp && writeInstant(timestamp) };
    }
    case undefined:
      return undefined;
  }
}
