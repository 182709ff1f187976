/**
 * Notices in place of content that cannot be published. Readers see that it exists and why it is withheld, and continue
 * with the next.
 */
import {
  type Event,
  type EventRecord,
  EventRecordSchema,
  type TurnEnvelope,
  type Withheld,
  WithheldSchema,
} from "@baton/contract";
import { RedactionFailure, type Redactor } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { sizeLimits, tooLargeCode } from "./event-size.ts";

/** For fields that must not be empty. */
const mark = "[withheld]";

/** Longer ids are treated as content. */
const longestId = 256;

export function tooLargeToShow(bytes: number): Withheld {
  const reason = `it has ${bytes} bytes with its secrets masked, the limit is ${sizeLimits.bytes}`;
  return create(WithheldSchema, { code: tooLargeCode, reason, bytes });
}

export function notMasked({ code, message }: RedactionFailure): Withheld {
  return create(WithheldSchema, { code, reason: `its secrets could not be masked: ${message}` });
}

/** Keeps position, ids and kind. If even these cannot be redacted, only values of the hub remain. */
export function withholdEvent(redactor: Redactor, record: EventRecord, withheld: Withheld): EventRecord {
  const short = (text: string) => (text.length > longestId ? mark : text);
  try {
    const event = withoutContent(record.event, short);
    const stripped = { ...record, ...(event && { event }), withheld };
    return redactor.redactMessage(EventRecordSchema, stripped).message;
  } catch (error) {
    if (!(error instanceof RedactionFailure)) throw error;
    const { $typeName, sequence, recordedAt, pipelineId, event } = record;
    const own = { sequence, pipelineId, ...(recordedAt && { recordedAt }) };
    const stripped = withoutContent(event, () => mark);
    return { $typeName, ...own, stageId: "", dispatchId: "", ...(stripped && { event: stripped }), withheld };
  }
}

/** An event of an agent without what it states: that it thinks, calls a tool or prints stays visible. */
export function withholdContent(event: Event): Event {
  const { payload } = event;
  if (payload.case === "thoughtStream")
    return {
      ...event,
      payload: { ...payload, value: { ...payload.value, chunk: payload.value.chunk && mark } },
    };
  if (payload.case === "sandboxPulse")
    return { ...event, payload: { ...payload, value: { ...payload.value, line: mark, masked: true } } };
  return { ...event, payload: emptied(payload, (text) => text) };
}

export function withholdTurn(turn: TurnEnvelope): TurnEnvelope {
  const { content } = turn;
  return {
    ...turn,
    ...(content && { content: { ...content, thought: mark, action: mark, observation: mark } }),
  };
}

function withoutContent(event: Event | undefined, short: (text: string) => string): Event | undefined {
  if (!event) return undefined;
  const { $typeName, eventId, sessionId, payload } = event;
  return { $typeName, eventId, sessionId, payload: emptied(payload, short) };
}

/** Unknown fields are content, too. */
function emptied({ ...payload }: Event["payload"], short: (text: string) => string): Event["payload"] {
  if (payload.value) {
    payload.value = { ...payload.value };
    delete payload.value.$unknown;
  }
  switch (payload.case) {
    case "thoughtStream":
      return { ...payload, value: { ...payload.value, chunk: "" } };
    case "sandboxPulse": {
      const { check } = payload.value;
      return {
        ...payload,
        value: { ...payload.value, line: "", masked: true, check: check && short(check) },
      };
    }
    case "toolInvoked": {
      const { callId, tool } = payload.value;
      return {
        ...payload,
        value: { ...payload.value, callId: short(callId), tool: short(tool), arguments: {} },
      };
    }
    case "toolCompleted": {
      const { callId, tool } = payload.value;
      return { ...payload, value: { ...payload.value, callId: short(callId), tool: short(tool) } };
    }
    case "taskTransition": {
      const { value } = payload;
      const [taskId, fromState, toState] = [
        short(value.taskId),
        short(value.fromState),
        short(value.toState),
      ];
      return { ...payload, value: { ...value, taskId, fromState, toState } };
    }
    default:
      return payload;
  }
}
