import type { EventRecord } from "@baton/contract";
import type { AgentOf } from "../engine/agent-of.ts";
import type { EventSubject } from "../events/stored-events.ts";
import { badQuery, type FieldTable, parseFilter } from "../query/filter.ts";
import type { EventSelection } from "./visible-events.ts";

type EventField = "pipelineId" | "stageId" | "dispatchId" | "packId" | "instanceId" | "type";

const fields: FieldTable<EventField> = {
  pipeline_id: { field: "pipelineId", holds: "text" },
  stage_id: { field: "stageId", holds: "text" },
  dispatch_id: { field: "dispatchId", holds: "text" },
  pack_id: { field: "packId", holds: "text" },
  instance_id: { field: "instanceId", holds: "text" },
  type: { field: "type", holds: "text" },
};

export interface AgentSelection extends EventSelection {
  /** Requires reading the pipeline; absent unless the filter names an agent. */
  readonly agent: ((agent: Awaited<ReturnType<AgentOf>>) => boolean) | undefined;
}

/** Parses the filter of a watcher. Throws `HubError` for invalid filters. */
export function readWatchFilter(filter: string): AgentSelection {
  const comparisons = parseFilter(filter, fields);
  if (comparisons.some(({ operator }) => operator !== "=" && operator !== "!="))
    throw badQuery("filter", "filters of events support only = and !=");
  const holds = (found: string, { operator, value }: (typeof comparisons)[number]) =>
    operator === "!=" ? found !== value : found === value;
  const [onlyPipeline] = comparisons.filter(
    ({ field, operator }) => field === "pipelineId" && operator === "=",
  );
  const ofAgent = comparisons.filter(({ field }) => field === "packId" || field === "instanceId");
  return {
    all: comparisons.length === 0,
    pipelineId: onlyPipeline === undefined ? undefined : String(onlyPipeline.value),
    about: (about: EventSubject) =>
      comparisons.every(
        (comparison) =>
          !(comparison.field in about) ||
          holds(about[comparison.field as keyof EventSubject] as string, comparison),
      ),
    whole: (record: EventRecord) =>
      comparisons.every((comparison) => comparison.field !== "type" || holds(typeOf(record), comparison)),
    agent:
      ofAgent.length === 0
        ? undefined
        : (agent: Awaited<ReturnType<AgentOf>>) =>
            ofAgent.every((comparison) => holds(agent[comparison.field as keyof typeof agent], comparison)),
  };
}

/** SAOP's name of the event type. */
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
