import { isMessage } from "@bufbuild/protobuf";
import { AttachAgentRequestSchema } from "../../gen/vasini/agent/v1/registry_service_pb.js";
import { ResultTimingSchema } from "../../gen/vasini/agent/v1/result_pb.js";
import { RoutingSchema } from "../../gen/vasini/agent/v1/task_pb.js";
import { type Check, isBefore, undecided } from "./rule-checks.ts";

/**
 * TypeScript twins of the contract's CEL rules, because evaluating an expression costs more than all other rules of a
 * result. The key is the exact text of the expression: a changed expression has no twin and is left to CEL.
 */
const expressions: Readonly<Record<string, Check>> = {
  "!has(this.started_at) || !has(this.finished_at) || this.started_at <= this.finished_at": (value) => {
    if (!isMessage(value, ResultTimingSchema)) return false;
    const { startedAt, finishedAt } = value;
    return !startedAt || !finishedAt || !isBefore(finishedAt, startedAt);
  },
  "!(has(this.turn) || has(this.event) || has(this.cancelled) || has(this.step)) || this.dispatch_id != ''": (
    value,
  ) => {
    if (!isMessage(value, AttachAgentRequestSchema)) return false;
    const { message, dispatchId } = value;
    return dispatchId !== "" || !["turn", "event", "cancelled", "step"].includes(message.case ?? "");
  },
  "this.selected_pack_id == '' || this.selected_pack_id in this.candidate_pack_ids": (value) =>
    isMessage(value, RoutingSchema) &&
    (value.selectedPackId === "" || value.candidatePackIds.includes(value.selectedPackId)),
};

export function checkOfExpression(expression: string): Check {
  return expressions[expression] ?? undecided;
}
