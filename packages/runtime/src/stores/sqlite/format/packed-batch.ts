/** Encodes a batch for the writer thread. Each function that packs is followed by the one that unpacks. */
import type {
  AuditRow,
  Batch,
  CallRow,
  Content,
  EscalationRow,
  EventRow,
  FleetRow,
  HeldRow,
  NewKnowledge,
  PipelineRow,
  SpendRow,
  StepRow,
  StoredCommand,
  StoredTimer,
  TaskRow,
  Transition,
  TurnRow,
} from "../../../ports/store.ts";
import type { Packer, Unpacker } from "./packer.ts";

/** A text in UTF-8: the writer thread encrypts it without decoding it. */
type PackedText = Uint8Array;

/** A batch in the writer thread. Texts that it encrypts stay bytes. */
export interface BatchToWrite extends Omit<Batch, "transitions" | "fleet" | "held"> {
  readonly transitions: readonly TransitionToWrite[];
  readonly fleet: readonly FleetToWrite[];
  readonly held: readonly HeldToWrite[];
}

export interface TransitionToWrite extends Omit<Transition, "records" | "commands"> {
  readonly records: { readonly text: PackedText; readonly count: number };
  readonly commands: readonly CommandToWrite[];
}

interface CommandToWrite extends Omit<StoredCommand, "text"> {
  readonly text: PackedText;
}

interface FleetToWrite extends Omit<FleetRow, "text"> {
  readonly text: PackedText;
}

interface HeldToWrite extends Omit<HeldRow, "text"> {
  readonly text: PackedText;
}

export function packBatch(packer: Packer, batch: Batch): void {
  packer.text(batch.id.writer);
  packer.number(batch.id.sequence);
  packer.list(batch.transitions, packTransition);
  packer.list(batch.fleet, packFleet);
  packer.list(batch.audit, packAuditRow);
  packer.list(batch.events, packEvents);
  packer.list(batch.completedCommands, packNumber);
  packer.list(batch.firedTimers, packTimer);
  packer.list(batch.turns, packTurn);
  packer.list(batch.callsBegun, packCall);
  packer.list(batch.callsEnded, packCallEnd);
  packer.list(batch.held, packHeld);
  packer.list(batch.spend, packSpend);
  packer.list(batch.steps, packStep);
  packer.list(batch.knowledge, packKnowledge);
}

export function unpackBatch(unpacker: Unpacker): BatchToWrite {
  return {
    id: { writer: unpacker.text(), sequence: unpacker.number() },
    transitions: unpacker.list(unpackTransition),
    fleet: unpacker.list(unpackFleet),
    audit: unpacker.list(unpackAuditRow),
    events: unpacker.list(unpackEvents),
    completedCommands: unpacker.list(unpackNumber),
    firedTimers: unpacker.list(unpackTimer),
    turns: unpacker.list(unpackTurn),
    callsBegun: unpacker.list(unpackCall),
    callsEnded: unpacker.list(unpackCallEnd),
    held: unpacker.list(unpackHeld),
    spend: unpacker.list(unpackSpend),
    steps: unpacker.list(unpackStep),
    knowledge: unpacker.list(unpackKnowledge),
  };
}

function packTransition(packer: Packer, transition: Transition): void {
  packer.name(transition.pipelineId);
  packer.number(transition.expectedVersion);
  packer.text(transition.records.text);
  packer.number(transition.records.count);
  packer.list(transition.contents, packContent);
  packPipeline(packer, transition.row);
  packer.list(transition.commands, packCommand);
  packer.list(transition.timersSet, packTimer);
  packer.list(transition.timersCleared, packText);
  packer.list(transition.escalations, packEscalation);
  packer.list(transition.tasks, packTask);
}

function unpackTransition(unpacker: Unpacker): TransitionToWrite {
  return {
    pipelineId: unpacker.name(),
    expectedVersion: unpacker.number(),
    records: { text: unpacker.bytes(), count: unpacker.number() },
    contents: unpacker.list(unpackContent),
    row: unpackPipeline(unpacker),
    commands: unpacker.list(unpackCommand),
    timersSet: unpacker.list(unpackTimer),
    timersCleared: unpacker.list(unpackText),
    escalations: unpacker.list(unpackEscalation),
    tasks: unpacker.list(unpackTask),
  };
}

function packContent(packer: Packer, { digest, bytes }: Content): void {
  packer.text(digest);
  packer.bytes(bytes);
}

function unpackContent(unpacker: Unpacker): Content {
  return { digest: unpacker.text(), bytes: unpacker.bytes() };
}

function packPipeline(packer: Packer, row: PipelineRow): void {
  packer.name(row.pipelineId);
  packer.name(row.tenantId);
  packer.name(row.status);
  packer.number(Number(row.ended));
  packer.name(row.templateId);
  packer.name(row.pipelineName);
  packer.name(row.taskId);
  packer.name(row.riskTier);
  packer.name(row.labels);
  packer.name(row.agents);
  packer.number(row.createdAtMs);
  packer.number(row.updatedAtMs);
  packer.optional(row.view, packBytes);
}

function unpackPipeline(unpacker: Unpacker): PipelineRow {
  return {
    pipelineId: unpacker.name(),
    tenantId: unpacker.name(),
    status: unpacker.name(),
    ended: unpacker.number() === 1,
    templateId: unpacker.name(),
    pipelineName: unpacker.name(),
    taskId: unpacker.name(),
    riskTier: unpacker.name(),
    labels: unpacker.name(),
    agents: unpacker.name(),
    createdAtMs: unpacker.number(),
    updatedAtMs: unpacker.number(),
    view: unpacker.optional(unpackBytes),
  };
}

function packCommand(packer: Packer, { id, pipelineId, text }: StoredCommand): void {
  packer.number(id);
  packer.name(pipelineId);
  packer.text(text);
}

function unpackCommand(unpacker: Unpacker): CommandToWrite {
  return { id: unpacker.number(), pipelineId: unpacker.name(), text: unpacker.bytes() };
}

function packTimer(packer: Packer, { pipelineId, timerId, atMs }: StoredTimer): void {
  packer.name(pipelineId);
  packer.name(timerId);
  packer.number(atMs);
}

function unpackTimer(unpacker: Unpacker): StoredTimer {
  return { pipelineId: unpacker.name(), timerId: unpacker.name(), atMs: unpacker.number() };
}

function packEscalation(packer: Packer, row: EscalationRow): void {
  packer.text(row.escalationId);
  packer.name(row.tenantId);
  packer.name(row.pipelineId);
  packer.name(row.stageId);
  packer.name(row.kind);
  packer.name(row.riskTier);
  packer.number(row.raisedAtMs);
  packer.optional(row.resolvedAtMs, packNumber);
  packer.bytes(row.escalation);
}

function unpackEscalation(unpacker: Unpacker): EscalationRow {
  return {
    escalationId: unpacker.text(),
    tenantId: unpacker.name(),
    pipelineId: unpacker.name(),
    stageId: unpacker.name(),
    kind: unpacker.name(),
    riskTier: unpacker.name(),
    raisedAtMs: unpacker.number(),
    resolvedAtMs: unpacker.optional(unpackNumber),
    escalation: unpacker.bytes(),
  };
}

function packFleet(packer: Packer, { tenantId, text }: FleetRow): void {
  packer.name(tenantId);
  packer.text(text);
}

function unpackFleet(unpacker: Unpacker): FleetToWrite {
  return { tenantId: unpacker.name(), text: unpacker.bytes() };
}

function packAuditRow(packer: Packer, row: AuditRow): void {
  packer.name(row.tenantId);
  packer.integer(row.sequence);
  packer.text(row.auditId);
  packer.name(row.pipelineId);
  packer.name(row.eventType);
  packer.number(row.atMs);
  packer.bytes(row.hash);
  packer.bytes(row.entry);
}

function unpackAuditRow(unpacker: Unpacker): AuditRow {
  return {
    tenantId: unpacker.name(),
    sequence: unpacker.integer(),
    auditId: unpacker.text(),
    pipelineId: unpacker.name(),
    eventType: unpacker.name(),
    atMs: unpacker.number(),
    hash: unpacker.bytes(),
    entry: unpacker.bytes(),
  };
}

function packEvents(packer: Packer, row: EventRow): void {
  packer.name(row.tenantId);
  packer.integer(row.firstSequence);
  packer.integer(row.lastSequence);
  packer.number(row.atMs);
  packer.bytes(row.events);
}

function unpackEvents(unpacker: Unpacker): EventRow {
  return {
    tenantId: unpacker.name(),
    firstSequence: unpacker.integer(),
    lastSequence: unpacker.integer(),
    atMs: unpacker.number(),
    events: unpacker.bytes(),
  };
}

function packTask(packer: Packer, { stageId, state, headHash }: TaskRow): void {
  packer.name(stageId);
  packer.name(state);
  packer.optional(headHash, packText);
}

function unpackTask(unpacker: Unpacker): TaskRow {
  return { stageId: unpacker.name(), state: unpacker.name(), headHash: unpacker.optional(unpackText) };
}

function packTurn(packer: Packer, row: TurnRow): void {
  packer.name(row.tenantId);
  packer.name(row.pipelineId);
  packer.name(row.dispatchId);
  packer.number(row.turnIndex);
  packer.text(row.envelope);
  packer.text(row.eventId);
  packer.name(row.packId);
  packer.number(row.atMs);
}

function unpackTurn(unpacker: Unpacker): TurnRow {
  return {
    tenantId: unpacker.name(),
    pipelineId: unpacker.name(),
    dispatchId: unpacker.name(),
    turnIndex: unpacker.number(),
    envelope: unpacker.text(),
    eventId: unpacker.text(),
    packId: unpacker.name(),
    atMs: unpacker.number(),
  };
}

function packCall(packer: Packer, row: CallRow): void {
  packer.name(row.tenantId);
  packer.name(row.pipelineId);
  packer.name(row.dispatchId);
  packer.text(row.callId);
  packer.name(row.tool);
  packer.number(row.atMs);
}

function unpackCall(unpacker: Unpacker): CallRow {
  return {
    tenantId: unpacker.name(),
    pipelineId: unpacker.name(),
    dispatchId: unpacker.name(),
    callId: unpacker.text(),
    tool: unpacker.name(),
    atMs: unpacker.number(),
  };
}

function packCallEnd(packer: Packer, { dispatchId, callId }: Pick<CallRow, "dispatchId" | "callId">): void {
  packer.name(dispatchId);
  packer.text(callId);
}

function unpackCallEnd(unpacker: Unpacker): Pick<CallRow, "dispatchId" | "callId"> {
  return { dispatchId: unpacker.name(), callId: unpacker.text() };
}

function packHeld(packer: Packer, row: HeldRow): void {
  packer.name(row.tenantId);
  packer.name(row.pipelineId);
  packer.name(row.dispatchId);
  packer.text(row.text);
}

function unpackHeld(unpacker: Unpacker): HeldToWrite {
  return {
    tenantId: unpacker.name(),
    pipelineId: unpacker.name(),
    dispatchId: unpacker.name(),
    text: unpacker.bytes(),
  };
}

function packSpend(packer: Packer, row: SpendRow): void {
  for (const name of spendNames) packer.name(row[name]);
  for (const name of spendNumbers) packer.number(row[name]);
  packer.number(Number(row.costUnknown));
}

function unpackSpend(unpacker: Unpacker): SpendRow {
  const names = Object.fromEntries(spendNames.map((name) => [name, unpacker.name()]));
  const numbers = Object.fromEntries(spendNumbers.map((name) => [name, unpacker.number()]));
  return { ...names, ...numbers, costUnknown: unpacker.number() === 1 } as unknown as SpendRow;
}

const spendNames = ["tenantId", "packId", "templateId", "provider", "model"] as const;
const spendNumbers = [
  "day",
  "calls",
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
  "costMicroUsd",
] as const;

function packKnowledge(packer: Packer, { tenantId, topic, key, atMs, content }: NewKnowledge): void {
  packer.name(tenantId);
  packer.name(topic);
  packer.name(key);
  packer.number(atMs);
  packer.bytes(content);
}

function unpackKnowledge(unpacker: Unpacker): NewKnowledge {
  return {
    tenantId: unpacker.name(),
    topic: unpacker.name(),
    key: unpacker.name(),
    atMs: unpacker.number(),
    content: unpacker.bytes(),
  };
}

function packStep(packer: Packer, row: StepRow): void {
  packer.name(row.tenantId);
  packer.name(row.pipelineId);
  packer.name(row.dispatchId);
  packer.number(row.ordinal);
  packer.number(row.atMs);
  packer.bytes(row.info);
  packer.bytes(row.value);
  packer.number(row.valueBytes);
}

function unpackStep(unpacker: Unpacker): StepRow {
  return {
    tenantId: unpacker.name(),
    pipelineId: unpacker.name(),
    dispatchId: unpacker.name(),
    ordinal: unpacker.number(),
    atMs: unpacker.number(),
    info: unpacker.bytes(),
    value: unpacker.bytes(),
    valueBytes: unpacker.number(),
  };
}

const packText = (packer: Packer, value: string): void => packer.text(value);
const unpackText = (unpacker: Unpacker): string => unpacker.text();
const packNumber = (packer: Packer, value: number): void => packer.number(value);
const unpackNumber = (unpacker: Unpacker): number => unpacker.number();
const packBytes = (packer: Packer, value: Uint8Array): void => packer.bytes(value);
const unpackBytes = (unpacker: Unpacker): Uint8Array => unpacker.bytes();
