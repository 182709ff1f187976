import type { EventRecord } from "@baton/contract";
import type { About } from "../events/stored-events.ts";
import { type FieldTable, parseFilter } from "../query/filter.ts";
import { badQuery } from "../query/problem.ts";
import type { Wanted } from "./shown-events.ts";

type EventField = "pipelineId" | "stageId" | "dispatchId" | "packId" | "instanceId" | "type";

const fields: FieldTable<EventField> = {
  pipeline_id: { field: "pipelineId", holds: "text" },
  stage_id: { field: "stageId", holds: "text" },
  dispatch_id: { field: "dispatchId", holds: "text" },
  pack_id: { field: "packId", holds: "text" },
  instance_id: { field: "instanceId", holds: "text" },
  type: { field: "type", holds: "text" },
};

/** Who has, or had, an attempt. */
export type AgentOf = (
  tenantId: string,
  dispatchId: string,
) => Promise<{ readonly packId: string; readonly instanceId: string }>;

export interface AgentWanted extends Wanted {
  /** Costs a look into the pipeline; absent when the filter does not ask. */
  readonly agent: ((agent: Awaited<ReturnType<AgentOf>>) => boolean) | undefined;
}

/** What a watcher asked for. Throws `HubError` for a filter that cannot be meant. */
export function readWatchFilter(filter: string): AgentWanted {
  const comparisons = parseFilter(filter, fields);
  if (comparisons.some(({ operator }) => operator !== "=" && operator !== "!="))
    throw badQuery("filter", "events are compared with = and != only");
  const holds = (found: string, { operator, value }: (typeof comparisons)[number]) =>
    operator === "!=" ? found !== value : found === value;
  const [only] = comparisons.filter(({ field, operator }) => field === "pipelineId" && operator === "=");
  const ofAgent = comparisons.filter(({ field }) => field === "packId" || field === "instanceId");
  return {
    all: comparisons.length === 0,
    pipelineId: only === undefined ? undefined : String(only.value),
    about: (about: About) =>
      comparisons.every(
        (one) => !(one.field in about) || holds(about[one.field as keyof About] as string, one),
      ),
    whole: (record: EventRecord) =>
      comparisons.every((one) => one.field !== "type" || holds(typeOf(record), one)),
    agent:
      ofAgent.length === 0
        ? undefined
        : (agent: Awaited<ReturnType<AgentOf>>) =>
            ofAgent.every((one) => holds(agent[one.field as keyof typeof agent], one)),
  };
}

/** As SAOP names it. */
function typeOf({ event }: EventRecord): string {
  return types[event?.payload.case ?? ""] ?? "";
}

const types: Readonly<Record<string, string>> = {
  thoughtStream: "THOUGHT_STREAM",
  toolInvoked: "TOOL_LIFECYCLE_INVOKED",
  toolCompleted: "TOOL_LIFECYCLE_COMPLETED",
  taskTransition: "TASK_TRANSITION",
  sandboxPulse: "SANDBOX_PULSE",
};
