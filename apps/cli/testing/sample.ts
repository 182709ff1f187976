import {
  ActorType,
  AgentInstanceSchema,
  AgentRole,
  AuditEntrySchema,
  EscalationKind,
  EscalationSchema,
  type EventRecordSchema,
  type GateCheckStatus,
  HealthStatus,
  type Pipeline,
  PipelineSchema,
  PipelineStatus,
  PipelineSummarySchema,
  RiskTier,
  StageStatus,
  ToolStatus,
  type WatchEventsResponse,
  WatchEventsResponseSchema,
} from "@baton/contract";
import { create, type DescMessage, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";

/** Messages as a hub would give them. */

const startMs = Date.UTC(2027, 0, 31, 12, 0, 0);
const at = (seconds: number) => timestampFromMs(startMs + seconds * 1000);

export const pipelineId = "0197c5e2-1111-7000-8000-000000000001";
export const otherId = "0197c5e2-2222-7000-8000-000000000002";

export function aPipeline(init: Partial<Pipeline> = {}): Pipeline {
  const pipeline = create(PipelineSchema, {
    pipelineId,
    pipelineName: "Add a login page",
    templateId: "implement-and-review",
    sourceTaskId: "task-1",
    status: PipelineStatus.RUNNING,
    trace: { traceId: "4bf92f3577b34da6", spanId: "1", tenantId: "local" },
    createdAt: at(0),
    updatedAt: at(60),
    stages: [
      {
        stageId: "implement",
        stageOrder: 1,
        taskType: "feature",
        status: StageStatus.COMPLETED,
        dispatchId: "d-1",
        assignedPackId: "senior-ts-dev",
        assignedInstanceId: "i-7",
        attemptNumber: 2,
        startedAt: at(1),
        finishedAt: at(43),
        result: { status: { summary: "the page is there" } },
      },
      {
        stageId: "review",
        stageOrder: 2,
        taskType: "review",
        status: StageStatus.DISPATCHED,
        dispatchId: "d-2",
        assignedPackId: "qa-engineer",
        assignedInstanceId: "i-1",
        attemptNumber: 1,
        startedAt: at(44),
      },
      {
        stageId: "release",
        stageOrder: 3,
        taskType: "release",
        status: StageStatus.PENDING,
        waitingFor: "review",
      },
    ],
  });
  return Object.assign(pipeline, init);
}

export function ended(status: PipelineStatus = PipelineStatus.COMPLETED): Pipeline {
  const pipeline = aPipeline({
    status,
    summary: create(PipelineSummarySchema, {
      artifacts: [{ path: "src/login.ts", action: 1 }],
      risks: ["the session cookie has no expiry"],
      timing: { startedAt: at(1), finishedAt: at(72), duration: durationFromMs(71_000) },
      stagesCompleted: 3,
      totalRetries: 1,
      usage: { inputTokens: 12_000n, outputTokens: 345n, costMicroUsd: 12_300n, steps: 14 },
    }),
  });
  for (const stage of pipeline.stages) {
    stage.status = status === PipelineStatus.COMPLETED ? StageStatus.COMPLETED : StageStatus.FAILED;
    stage.finishedAt ??= at(72);
    stage.waitingFor = "";
  }
  return pipeline;
}

/** Fields of a message as a test writes them. */
type Init<Schema extends DescMessage> = Exclude<MessageInitShape<Schema>, Message>;

export function aQuestion(init: Init<typeof EscalationSchema> = {}) {
  return create(EscalationSchema, {
    escalationId: `${pipelineId}/e1`,
    kind: EscalationKind.REVIEW,
    pipelineId,
    stageId: "review",
    dispatchId: "d-2",
    riskTier: RiskTier.CRITICAL,
    raisedAt: at(50),
    snapshot: {
      problem: "The patch touches authentication",
      impact: "nothing is released until it is looked at",
      options: ["approve", "reject"],
      recommended: "approve",
      blocking: true,
    },
    ...init,
  });
}

export function anAgent(instanceId: string, quarantineReason = "") {
  return create(AgentInstanceSchema, {
    manifest: { packId: "qa-engineer", packVersion: "1.2.0", supportedTaskTypes: ["review", "write-tests"] },
    heartbeat: {
      packId: "qa-engineer",
      instanceId,
      health: { status: HealthStatus.HEALTHY, avgLatency1m: durationFromMs(1500) },
      capacity: { activeTasks: 1, maxTasks: 4 },
    },
    attached: true,
    quarantineReason,
  });
}

type Payload = NonNullable<MessageInitShape<typeof EventRecordSchema>["event"]>["payload"];

function record(sequence: number, stageId: string, payload: Payload): WatchEventsResponse {
  return create(WatchEventsResponseSchema, {
    message: {
      case: "record",
      value: {
        sequence: BigInt(sequence),
        recordedAt: at(sequence),
        pipelineId,
        stageId,
        dispatchId: "d-2",
        event: {
          eventId: "00000000-0000-4000-8000-000000000000",
          sessionId: "s",
          ...(payload && { payload }),
        },
      },
    },
  });
}

export function moved(sequence: number, stageId: string, fromState: string, toState: string) {
  return record(sequence, stageId, {
    case: "taskTransition",
    value: { taskId: "task-1", fromState, toState, timestamp: at(sequence) },
  });
}

export function printed(sequence: number, line: string, more: { check?: string; leftOut?: number } = {}) {
  const value = { line, timestamp: at(sequence), ...more };
  return record(sequence, "review", { case: "sandboxPulse", value });
}

/** A piece of one and the same thought. */
export function thought(sequence: number, chunk: string, isFinal = false) {
  const value = { agentId: AgentRole.REVIEWER, turnIndex: 0, chunk, isFinal };
  return record(sequence, "review", { case: "thoughtStream", value });
}

export function calledTool(sequence: number, tool: string) {
  return record(sequence, "review", {
    case: "toolInvoked",
    value: { callId: "c", tool, arguments: {}, timestamp: at(sequence) },
  });
}

export function ranTool(sequence: number, tool: string, status = ToolStatus.SUCCESS) {
  return record(sequence, "review", {
    case: "toolCompleted",
    value: { callId: "c", tool, status, durationMs: 3200, timestamp: at(sequence) },
  });
}

/** An entry of the audit record, of the stage review unless it says otherwise. */
export function entry(sequence: number, init: Init<typeof AuditEntrySchema>) {
  return create(AuditEntrySchema, {
    ...{
      sequence: BigInt(sequence),
      timestamp: at(sequence),
      pipelineId,
      stageId: "review",
      dispatchId: "d-2",
    },
    ...{ attemptNumber: 1, packId: "qa-engineer", actor: { type: ActorType.ORCHESTRATOR, id: "baton" } },
    ...init,
  });
}

export function gate(...checks: readonly (readonly [name: string, status: GateCheckStatus, seen: string])[]) {
  const value = checks.map(([gateName, status, evidence]) => ({ gateName, status, evidence }));
  return { snapshotPayload: { case: "gate" as const, value: { checks: value } } };
}

export function caughtUp(sequence: number): WatchEventsResponse {
  return create(WatchEventsResponseSchema, {
    message: { case: "caughtUp", value: { sequence: BigInt(sequence) } },
  });
}

export function dropped(resumeAfter: number, reason: string): WatchEventsResponse {
  return create(WatchEventsResponseSchema, {
    message: { case: "dropped", value: { resumeAfterSequence: BigInt(resumeAfter), reason } },
  });
}
