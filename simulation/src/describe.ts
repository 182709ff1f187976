import { EscalationKind, Outcome, ResponseStatus } from "@baton/contract";
import type { PipelineInput, PipelineRecord } from "./kernel.ts";

/** An input in a few words, for the trace. */
export function describeInput(input: PipelineInput): string {
  switch (input.type) {
    case "result": {
      if (input.answer.kind === "unreadable") return `result ${input.dispatchId} unreadable`;
      const { status, response, dispatchId, attemptNumber, usage } = input.answer.result;
      const says = response ? ` ${ResponseStatus[response.status]}` : "";
      const other = dispatchId === input.dispatchId ? "" : ` says ${dispatchId}`;
      return `result ${input.dispatchId}${other} attempt ${attemptNumber} ${Outcome[status?.outcome ?? 0]}${says} ${usage ? `${usage.outputTokens} tokens` : ""}`;
    }
    case "timer":
      return `timer "${input.timerId}"`;
    case "review": {
      const target = input.verdict.kind === "reject" ? ` to ${input.verdict.targetStageId ?? "itself"}` : "";
      return `review ${input.stageId} by ${input.by.id}: ${input.verdict.kind}${target}`;
    }
    case "resolve":
      return `resolve ${input.escalationId}: ${input.resolution}`;
    case "rewind":
      return `rewind to version ${input.past.version}`;
    case "workspace-prepared":
      return `workspace-prepared ${input.stageId}/${input.attempt} ${input.made.ok ? "ok" : "failed"}`;
    case "refreshed":
      return `refreshed ${input.stageId}/${input.attempt} ${input.refs.map(({ outcome }) => (outcome.ok ? "ok" : "unreadable")).join(",")}`;
    default:
      return "dispatchId" in input ? `${input.type} ${input.dispatchId}` : input.type;
  }
}

/** A record in a few words. Stages are numbered by their place. */
export function describeRecord(record: PipelineRecord): string {
  switch (record.type) {
    case "edges-decided":
      return `edges-decided ${record.stage} ${record.edges.map(({ taken }) => (taken ? "+" : "-")).join("")}`;
    case "waited":
    case "retried":
      return `${record.type} ${record.stage} ${record.wait.kind}`;
    case "dispatched":
      return `dispatched ${record.dispatchId} to ${record.choice.instanceId}${record.granted.tokens === undefined ? "" : ` with ${record.granted.tokens} tokens`}`;
    case "disregarded":
      return `disregarded ${record.dispatchId} (${record.reason})`;
    case "kept":
    case "left":
      return `${record.type} ${record.stage} ${record.commit}`;
    case "rejected":
      return `rejected ${record.target}${record.counts ? "" : " uncounted"} resets [${record.reset.join(" ")}]`;
    case "restored":
      return `restored version ${record.toVersion}`;
    case "escalated":
      return `escalated ${record.escalationId} ${EscalationKind[record.kind]}`;
    case "resolved":
      return `resolved ${record.escalationId}`;
    case "pruned":
      return `pruned ${record.stage} (${record.reason})`;
    case "review-requested":
      return `review-requested ${record.stage} of ${record.reviewer}`;
    case "failed":
    case "skipped":
      return `${record.type} ${record.stage} (${record.failure.code})`;
    case "paused":
    case "pipeline-failed":
      return `${record.type} (${record.reason})`;
    default:
      return "stage" in record ? `${record.type} ${record.stage}` : record.type;
  }
}
