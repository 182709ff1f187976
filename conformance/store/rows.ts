/** Rows and batches for tests, with defaults for everything a test does not set. */
import { createHash, randomUUID } from "node:crypto";
import type {
  AuditRow,
  Batch,
  CallRow,
  Content,
  EscalationRow,
  EventRow,
  HeldRow,
  NewKnowledge,
  PipelineRow,
  SpendRow,
  StepRow,
  StoredTimer,
  Transition,
  TurnRow,
} from "@baton/runtime";

export const startMs = 1_800_000_000_000;

/** The first batch of a writer of its own, unless `parts` has an id. */
export function batch(parts: Partial<Batch>): Batch {
  return {
    id: { writer: randomUUID(), sequence: 1 },
    ...{ transitions: [], fleet: [], audit: [], events: [], completedCommands: [], firedTimers: [] },
    ...{ turns: [], callsBegun: [], callsEnded: [], held: [], steps: [], spend: [], knowledge: [] },
    ...parts,
  };
}

export function spendRow(parts: Partial<SpendRow> = {}): SpendRow {
  return {
    ...{ tenantId: "acme", day: 20_833, packId: "dev", templateId: "", provider: "", model: "" },
    ...{ calls: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
    ...{ reasoningTokens: 0, costMicroUsd: 0, costUnknown: false },
    ...parts,
  };
}

export function pipelineRow(pipelineId: string, parts: Partial<PipelineRow> = {}): PipelineRow {
  return {
    pipelineId,
    tenantId: "acme",
    status: "RUNNING",
    ended: false,
    templateId: "implement-and-review",
    pipelineName: "Add a button",
    taskId: "task-1",
    riskTier: "LOW",
    labels: "",
    agents: "",
    createdAtMs: startMs,
    updatedAtMs: startMs,
    view: undefined,
    ...parts,
  };
}

export function transition(
  pipelineId: string,
  expectedVersion: number,
  { count = 1, ...parts }: Partial<Transition> & { readonly count?: number } = {},
): Transition {
  return {
    pipelineId,
    expectedVersion,
    records: { text: `${pipelineId} from ${expectedVersion}`, count },
    contents: [],
    row: pipelineRow(pipelineId),
    commands: [],
    timersSet: [],
    timersCleared: [],
    escalations: [],
    tasks: [],
    ...parts,
  };
}

export function content(text: string): Content {
  const bytes = new TextEncoder().encode(text);
  return { digest: createHash("sha256").update(bytes).digest("base64url"), bytes };
}

export function timer(pipelineId: string, timerId: string, atMs: number): StoredTimer {
  return { pipelineId, timerId, atMs };
}

export function escalationRow(
  escalationId: string,
  pipelineId: string,
  parts: Partial<EscalationRow> = {},
): EscalationRow {
  return {
    escalationId,
    tenantId: "acme",
    pipelineId,
    stageId: "implement",
    kind: "REVIEW",
    riskTier: "NORMAL",
    raisedAtMs: startMs,
    resolvedAtMs: undefined,
    escalation: new TextEncoder().encode(`about ${escalationId}`),
    ...parts,
  };
}

export function auditRow(tenantId: string, sequence: bigint, parts: Partial<AuditRow> = {}): AuditRow {
  return {
    tenantId,
    sequence,
    auditId: `${tenantId}-${sequence}`,
    pipelineId: "",
    eventType: "STAGE_COMPLETED",
    atMs: startMs + Number(sequence),
    hash: new Uint8Array(createHash("sha256").update(`${tenantId} ${sequence}`).digest()),
    entry: new TextEncoder().encode(`entry ${sequence} of ${tenantId}`),
    ...parts,
  };
}

export function eventRow(tenantId: string, firstSequence: bigint, lastSequence: bigint): EventRow {
  const events = new TextEncoder().encode(`events ${firstSequence} to ${lastSequence}`);
  return { tenantId, firstSequence, lastSequence, atMs: startMs, events };
}

export function turnRow(pipelineId: string, turnIndex: number, parts: Partial<TurnRow> = {}): TurnRow {
  return {
    tenantId: "acme",
    pipelineId,
    dispatchId: `${pipelineId}/implement/1`,
    turnIndex,
    envelope: JSON.stringify({ turn_index: turnIndex }),
    eventId: `event ${turnIndex}`,
    packId: "dev",
    atMs: startMs + turnIndex,
    ...parts,
  };
}

export function heldRow(pipelineId: string, text: string): HeldRow {
  return { tenantId: "acme", pipelineId, dispatchId: `${pipelineId}/implement/1`, text };
}

export function callRow(pipelineId: string, callId: string, parts: Partial<CallRow> = {}): CallRow {
  const dispatchId = `${pipelineId}/implement/1`;
  return { tenantId: "acme", pipelineId, dispatchId, callId, tool: "shell", atMs: startMs, ...parts };
}

export function knowledgeRow(key: string, parts: Partial<NewKnowledge> = {}): NewKnowledge {
  const content = new TextEncoder().encode(`{"outcome":"${key}"}`);
  return { tenantId: "acme", topic: "cache", key, atMs: startMs, content, ...parts };
}

export function stepRow(pipelineId: string, ordinal: number, parts: Partial<StepRow> = {}): StepRow {
  const value = parts.value ?? new TextEncoder().encode(`"value ${ordinal}"`);
  return {
    tenantId: "acme",
    pipelineId,
    dispatchId: `${pipelineId}/implement/1`,
    ordinal,
    atMs: startMs + ordinal,
    info: new TextEncoder().encode(`step ${ordinal}`),
    value,
    valueBytes: value.length,
    ...parts,
  };
}
