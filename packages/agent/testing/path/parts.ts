import {
  type AgentResult,
  type EdgeDecision,
  EdgeKind,
  type Event,
  ResponseStatus,
  ToolStatus,
  type Usage,
  UsageSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import type { PathAnswer, PathEdge, ToolUse } from "./path.ts";

/** `RESPONSE_STATUS_SUCCESS` is `success`. */
export function nameOf(values: Readonly<Record<number, string>>, value: number): string {
  return (values[value] ?? "unspecified").toLowerCase();
}

const toolStatuses = {
  [ToolStatus.UNSPECIFIED]: "unknown",
  [ToolStatus.SUCCESS]: "success",
  [ToolStatus.FAILURE]: "failure",
  [ToolStatus.TIMEOUT]: "timeout",
} as const;

/** Tool calls, from the events of their beginnings and ends. */
export function toolsOf(events: readonly { readonly node: string; readonly event: Event }[]): ToolUse[] {
  const calls = new Map<string, ToolUse>();
  for (const { node, event } of events) {
    const { case: kind, value } = event.payload;
    if (kind === "toolInvoked")
      calls.set(`${node} ${value.callId}`, {
        node,
        tool: value.tool,
        args: value.arguments ?? {},
        status: "unknown",
      });
    if (kind !== "toolCompleted") continue;
    const id = `${node} ${value.callId}`;
    const call = calls.get(id);
    if (call) calls.set(id, { ...call, status: toolStatuses[value.status] });
  }
  return [...calls.values()];
}

const edgeKinds = {
  [EdgeKind.UNSPECIFIED]: "default",
  [EdgeKind.DEFAULT]: "default",
  [EdgeKind.ERROR]: "error",
  [EdgeKind.BACK]: "back",
} as const;

export function edgeOf(edge: EdgeDecision): PathEdge {
  const { fromStageId: from, toStageId: to, kind, taken, condition, values = {}, reason } = edge;
  return { from, to, kind: edgeKinds[kind], taken, condition, values, reason };
}

export function answerOf({ response, status }: AgentResult): PathAnswer {
  const { status: stated = ResponseStatus.FAILURE, message, data = {} } = response ?? {};
  return { status: nameOf(ResponseStatus, stated), message: message ?? status?.failureReason ?? "", data };
}

export function sumOf(usages: readonly Usage[]): Usage {
  const sum = create(UsageSchema);
  for (const usage of usages) {
    sum.inputTokens += usage.inputTokens;
    sum.outputTokens += usage.outputTokens;
    sum.costMicroUsd += usage.costMicroUsd;
    sum.steps += usage.steps;
    sum.costUnknown ||= usage.costUnknown;
  }
  return sum;
}
