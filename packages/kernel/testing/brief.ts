import { type EdgeDecision, EscalationKind } from "@baton/contract";
import { describeValues } from "../src/deciding/edges.ts";
import type { PipelineRecord } from "../src/pipeline/records/record.ts";
import type { Wait } from "../src/pipeline/state/stage-state.ts";
import type { PipelineState } from "../src/pipeline/state/state.ts";

/** A record as a short line for stories. */
export function brief(record: PipelineRecord, state: PipelineState | undefined): string {
  const name = (index: number) => state?.plan.stages[index]?.id ?? `stage ${index}`;
  switch (record.type) {
    case "unblocked":
      return `${name(record.stage)}: ready`;
    case "pruned":
      return `${name(record.stage)}: left out, ${record.reason}`;
    case "edges-decided":
      return record.edges.map((edge) => `${name(record.stage)}: ${briefEdge(edge)}`).join("; ");
    case "waited":
      return `${name(record.stage)}: waits for ${describe(record.wait)}`;
    case "dispatched":
      return `${name(record.stage)}: attempt ${record.attempt} to ${record.choice.instanceId}`;
    case "prepared":
      return `${name(record.stage)}: workspace for attempt ${record.place.attempt} from ${record.place.startCommit}`;
    case "kept":
      return `${name(record.stage)}: commit ${record.commit} kept`;
    case "left":
      return `${name(record.stage)}: attempt ${record.attempt} left ${record.commit}`;
    case "received":
      return `${name(record.stage)}: result received`;
    case "files-seen":
      return `${name(record.stage)}: git sees ${record.files.map(({ path }) => path).join(", ")} otherwise`;
    case "disregarded":
      return `${record.dispatchId}: disregarded, ${record.reason}`;
    case "observed":
      return `${name(record.stage)}: turn observed`;
    case "stepped":
      return `${name(record.stage)}: step ${record.ordinal} ${record.state.toLowerCase()}`;
    case "review-requested":
      return `${name(record.stage)}: review by ${record.reviewer === "person" ? "a person" : "an agent"}`;
    case "asked":
      return `${name(record.stage)}: asks "${record.question}"`;
    case "retried":
      return `${name(record.stage)}: tried again, waits for ${describe(record.wait)}`;
    case "completed":
      return `${name(record.stage)}: completed`;
    case "failed":
      return `${name(record.stage)}: failed, ${record.failure.reason}`;
    case "skipped":
      return `${name(record.stage)}: skipped, ${record.failure.reason}`;
    case "rejected": {
      const reset = record.reset.map(name).join(", ");
      return `${name(record.target)}: sent back${reset ? `, resets ${reset}` : ""}`;
    }
    case "escalated":
      return `asks a person about ${EscalationKind[record.kind]}: ${record.snapshot.problem}`;
    case "resolved":
      return `answered: ${record.resolution}`;
    case "flags-approved":
      return `${name(record.stage)}: flags approved`;
    case "paused":
    case "aborted":
    case "pipeline-failed":
      return `pipeline: ${record.type.replace("pipeline-", "")}, ${record.reason}`;
    case "restored":
      return `pipeline: back at version ${record.toVersion}, ${record.reason}`;
    case "pipeline-completed":
      return "pipeline: completed";
    default:
      return `pipeline: ${record.type}`;
  }
}

/** An edge, whether it is taken, and why not. */
export function briefEdge(decision: EdgeDecision): string {
  const { fromStageId, toStageId, taken, reason } = decision;
  const read = describeValues(decision).map((text) => ` ${text.replace(" = ", "=")}`);
  return `${fromStageId} → ${toStageId} ${taken ? "taken" : `not taken, ${reason}`}${read.join("")}`;
}

function describe(wait: Wait): string {
  if (wait.kind === "agent") return `an agent: ${wait.reason}`;
  return {
    turn: "its turn",
    backoff: "the backoff",
    identical: "an identical task",
    "tenant-limit": "the tenant's limit",
    budget: "the budget",
    approval: "approval",
    refresh: "references",
    stale: "readable references",
    workspace: "a workspace",
    alignment: "alignment",
    "no-workspace": "a workspace that can be prepared",
    deadline: "a decision about the deadline",
  }[wait.kind];
}
