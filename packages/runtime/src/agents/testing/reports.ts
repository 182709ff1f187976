/** Reports of agents in tests, and what watchers see of them. */
import {
  AgentRole,
  Complexity,
  type EventRecord,
  EventSchema,
  ToolStatus,
  type TurnEnvelopeSchema,
  WatchEventsRequestSchema,
} from "@baton/contract";
import { create, type JsonObject, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  ada,
  dispatchOf,
  eventually,
  settles,
  silent,
  submit,
  TestAgent,
  TestStore,
  testHub,
} from "../../../testing/index.ts";
import type { Hub } from "../../api/hub.ts";
import type { HubParts } from "../../compose/create-hub.ts";
import { openMemoryStore } from "../../stores/index.ts";

export type TurnInit = Extract<MessageInitShape<typeof TurnEnvelopeSchema>, { readonly $typeName?: never }>;
type Payload = NonNullable<Extract<MessageInitShape<typeof EventSchema>, { $typeName?: never }>["payload"]>;

const role = AgentRole.DEVELOPER;

export function turn(turnIndex: number, thought = `thought ${turnIndex}`, init: TurnInit = {}) {
  const value: TurnInit = {
    ...{ turnIndex, agentId: role, role },
    content: { thought, action: "edit", observation: "green" },
    metadata: {
      ...{ version: "1.0.0", taskId: "task-1", timestamp: timestampFromMs(1_700_000_000_000) },
      ...{ confidence: 0.75, estimatedComplexity: Complexity.LOW },
    },
    ...init,
  };
  return { case: "turn", value } as const;
}

let events = 0;

function event(payload: Payload) {
  const eventId = `5b8f3c9e-7f0a-4a52-8a51-${String(++events).padStart(12, "0")}`;
  return { case: "event", value: create(EventSchema, { eventId, sessionId: "s", payload }) } as const;
}

export function thought(turnIndex: number, chunk: string, isFinal = false) {
  return event({ case: "thoughtStream", value: { agentId: role, turnIndex, chunk, isFinal } });
}

/** A report of an agent. */
export type Report = ReturnType<typeof thought> | ReturnType<typeof turn>;

export function printed(line: string) {
  return event({ case: "sandboxPulse", value: { line, timestamp: timestampFromMs(0) } });
}

export function transition(toState: string) {
  const value = { taskId: "t", fromState: "DISPATCHED", toState, timestamp: timestampFromMs(0) };
  return event({ case: "taskTransition", value });
}

export function invoked(callId: string, tool = "shell", given: JsonObject = {}) {
  const value = { callId, tool, arguments: given, timestamp: timestampFromMs(0) };
  return event({ case: "toolInvoked", value });
}

export function completed(callId: string, status = ToolStatus.SUCCESS) {
  const value = { callId, tool: "shell", status, durationMs: 3, timestamp: timestampFromMs(0) };
  return event({ case: "toolCompleted", value });
}

/** An agent at work on the only stage of a task. */
export async function working(parts: Partial<Omit<HubParts, "store">> & { readonly store?: TestStore } = {}) {
  const { store = new TestStore(openMemoryStore()) } = parts;
  const hub = await testHub({ ...parts, store });
  const agent = new TestAgent(hub, { packId: "dev", answer: silent });
  const pipelineId = await submit(hub);
  const envelope = await agent.envelope();
  return { hub, store, agent, pipelineId, envelope, dispatchId: dispatchOf(envelope) };
}

/** Resolves when everything said so far is durable. */
export async function isTaken(agent: TestAgent): Promise<void> {
  await eventually("all to be acknowledged", () =>
    agent.all("acknowledged").some(({ sequence }) => sequence === agent.lastSequence),
  );
}

/** What watchers get from the beginning up to now. */
export async function eventsSeen(
  hub: Pick<Hub, "watchEvents">,
  filter = "",
): Promise<readonly EventRecord[]> {
  const stop = new AbortController();
  const seen: EventRecord[] = [];
  const request = create(WatchEventsRequestSchema, { afterSequence: 0n, filter });
  const watching = async () => {
    for await (const { message } of hub.watchEvents(ada, request, stop.signal)) {
      if (message.case === "caughtUp") return stop.abort();
      if (message.case === "record") seen.push(message.value);
    }
  };
  await settles(watching(), "the end of what is stored");
  return seen;
}

export function thoughtsSeen(hub: Pick<Hub, "watchEvents">): Promise<readonly EventRecord[]> {
  return eventsSeen(hub, 'type = "THOUGHT_STREAM"');
}

export function chunksOf(records: readonly EventRecord[]): readonly (readonly [number, string, boolean])[] {
  return records.flatMap(({ event }) =>
    event?.payload.case === "thoughtStream"
      ? [[event.payload.value.turnIndex, event.payload.value.chunk, event.payload.value.isFinal] as const]
      : [],
  );
}

/** All thoughts as one text. */
export async function wordsSeen(hub: Pick<Hub, "watchEvents">): Promise<string> {
  return chunksOf(await thoughtsSeen(hub))
    .map(([, chunk]) => chunk)
    .join("");
}
