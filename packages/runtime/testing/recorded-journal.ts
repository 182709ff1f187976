import { hash } from "node:crypto";
import { type AgentResult, AgentResultSchema, type Contract, ContractSchema } from "@baton/contract";
import {
  branchesAt,
  type PipelineRecord,
  type PipelineState,
  type RecordedBranch,
  type StageState,
  sentOf,
  waitOf,
} from "@baton/kernel";
import { brief } from "@baton/kernel/testing";
import { type JsonValue, toBinary, toJson } from "@bufbuild/protobuf";

/** A stored journal, and its meaning. */
export interface RecordedJournal {
  readonly texts: readonly string[];
  /** By digest, in base64. */
  readonly contents: Readonly<Record<string, string>>;
  readonly expected: JournalSummary;
}

/** The state after the last record, as far as later versions have to preserve it. */
export interface JournalSummary {
  /** One line per record. */
  readonly records: readonly string[];
  readonly status: string;
  readonly reason: string;
  readonly stages: readonly JsonValue[];
  readonly openQuestions: readonly string[];
  readonly counts: Readonly<Record<"version" | "retries" | "rejections" | "spentTokens", number>>;
  readonly updatedAtMs: number;
  /** The heads of the branches of its attempts; none without workspaces. */
  readonly branches?: Readonly<Record<string, string>>;
  /** Digests of the task and of every envelope; not in recordings of form 1. */
  readonly contracts?: readonly string[];
}

export function summaryOf(state: PipelineState, records: readonly PipelineRecord[]): JournalSummary {
  const { life, stages, plan, escalations, version, retriesUsed, rejectionsUsed, spending } = state;
  const branches = branchesAt(state, records, records.length);
  return {
    records: records.map((record) => brief(record, state)),
    status: life.status,
    reason: "reason" in life ? life.reason : "",
    stages: stages.map((stage, place) => stageSummary(stage, plan.stages[place]?.id ?? "")),
    openQuestions: [...escalations.values()].map(({ snapshot }) => snapshot.problem),
    counts: {
      version,
      retries: retriesUsed,
      rejections: rejectionsUsed,
      spentTokens: spending.spent.tokens,
    },
    updatedAtMs: state.updatedAtMs,
    ...(branches.size > 0 && { branches: headsOf(branches) }),
    contracts: records.flatMap(contractsOf),
  };
}

function contractsOf(record: PipelineRecord): readonly string[] {
  if (record.type === "created") return [digestOfContract(record.task.contract)];
  return record.type === "dispatched" ? [digestOfContract(record.envelope.contract)] : [];
}

function digestOfContract(contract: Contract | undefined): string {
  return contract ? hash("sha256", toBinary(ContractSchema, contract)) : "none";
}

function headsOf(branches: ReadonlyMap<string, RecordedBranch>): Record<string, string> {
  return Object.fromEntries([...branches.values()].map(({ branch, commit }) => [branch, commit]));
}

function stageSummary(stage: StageState, id: string): JsonValue {
  const result = resultOf(stage);
  return {
    id,
    status: stage.status,
    attempt: stage.attempt,
    waitsFor: waitOf(stage)?.kind ?? "",
    instance: sentOf(stage)?.choice.instanceId ?? "",
    inputs: ("inputs" in stage ? stage.inputs : undefined) ?? null,
    result: result ? toJson(AgentResultSchema, result) : null,
  };
}

function resultOf(stage: StageState): AgentResult | undefined {
  if (stage.status === "COMPLETED") return stage.result;
  return "failure" in stage ? stage.failure?.result : undefined;
}
