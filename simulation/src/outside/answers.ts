import {
  type AgentResult,
  AgentResultSchema,
  EvidenceType,
  Outcome,
  ResponseStatus,
  type TaskEnvelope,
} from "@baton/contract";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import type { Fault } from "../chance/faults.ts";
import type { Answer } from "../kernel.ts";
import type { Sim } from "../sim.ts";

type ResultInit = Exclude<MessageInitShape<typeof AgentResultSchema>, AgentResult>;

/** A correct result, or one with the given fault. */
export function answerTo(envelope: TaskEnvelope, fault: Fault | undefined, sim: Sim): Answer {
  if (fault === "unreadable result") return { kind: "unreadable", reason: "not a message" };
  const { usage, ...good } = goodResult(envelope, sim);
  const spent = fault === "no usage" ? {} : { usage };
  const init: ResultInit = { ...good, ...spent, ...twist(envelope, fault, sim) };
  return { kind: "result", result: create(AgentResultSchema, init) };
}

function goodResult(envelope: TaskEnvelope, sim: Sim): ResultInit {
  const { contract, execution, trace } = envelope;
  const passed = (type: EvidenceType, command: string) => ({
    type,
    command,
    output: "ok",
    passed: true,
    exitCode: 0,
  });
  const withCommands = contract?.environment !== undefined;
  return {
    protocolVersion: { schemaVersion: "1.0.0" },
    status: { outcome: Outcome.SUCCESS, summary: "done" },
    ...(trace && { trace: { ...trace } }),
    evidence: {
      evidencePayload: withCommands
        ? {
            case: "items",
            value: {
              items: [passed(EvidenceType.TEST, "npm test"), passed(EvidenceType.LINT, "npm run lint")],
            },
          }
        : { case: "noneWithReason", value: "nothing to run" },
    },
    taskId: contract?.taskId ?? "",
    dispatchId: execution?.dispatchId ?? "",
    attemptNumber: execution?.attemptNumber ?? 0,
    timing: { duration: durationFromMs(1000) },
    // Identifies the attempt in later feedback.
    contextOut: {
      decisionsMade: [{ decisionId: execution?.dispatchId ?? "", description: "so decided" }],
    },
    usage: usageFor(envelope, sim, 1),
    ...(sim.random.chance(0.7) && { response: responseOf(goodStatus(sim), sim) }),
  };
}

/** Up to the grant, and often all of it, to exercise the limits. */
function usageFor({ execution, safety }: TaskEnvelope, { random, faults }: Sim, factor: number) {
  const share = faults.stopped ? 0.3 : random.pick([0, 0.1, 0.5, 1, 1]);
  const { maxTokens, maxCostMicroUsd, maxSteps } = execution?.budget ?? {};
  const part = (limit: bigint | undefined) => BigInt(Math.floor(Number(limit ?? 500n) * share * factor));
  const allowedSteps = Math.min(maxSteps ?? 20, safety?.maxAutonomousSteps || 20);
  return {
    inputTokens: 0n,
    outputTokens: part(maxTokens),
    costMicroUsd: part(maxCostMicroUsd),
    steps: Math.floor(allowedSteps * share),
  };
}

/** Sometimes an agent ends the workflow; after the faults have stopped, all stages are to run. */
function goodStatus({ random, faults }: Sim): ResponseStatus {
  return !faults.stopped && random.chance(0.05) ? ResponseStatus.COMPLETED : ResponseStatus.SUCCESS;
}

function responseOf(status: ResponseStatus, { random, faults }: Sim) {
  const score = faults.stopped ? 0.9 : Math.round(random.next() * 100) / 100;
  return { status, data: { score }, message: "so it is" };
}

/** The fields that a fault changes. */
function twist(envelope: TaskEnvelope, fault: Fault | undefined, sim: Sim): ResultInit {
  const outcome = (kind: Outcome): ResultInit => ({
    status: { outcome: kind, summary: "not done", failureReason: "it did not work" },
  });
  const respond = (status: ResponseStatus): ResultInit => ({ response: responseOf(status, sim) });
  const { attemptNumber = 0, dispatchId = "" } = envelope.execution ?? {};
  switch (fault) {
    case "partial result": {
      const blocked = sim.random.chance(0.5);
      return {
        ...outcome(Outcome.PARTIAL),
        blockers: blocked ? [{ description: "half is left", suggestedResolution: "do the rest" }] : [],
      };
    }
    case "retryable failure":
      return outcome(Outcome.RETRYABLE_FAILURE);
    case "non-retryable failure":
      return outcome(Outcome.NON_RETRYABLE_FAILURE);
    case "policy blocked":
      return outcome(Outcome.POLICY_BLOCKED);
    case "failing evidence": {
      const items = [
        { type: EvidenceType.TEST, command: "npm test", output: "1 failed", passed: false, exitCode: 1 },
      ];
      return { evidence: { evidencePayload: { case: "items", value: { items } } } };
    }
    case "wrong trace":
      return { trace: { traceId: "f".repeat(32), spanId: "f".repeat(16) } };
    case "wrong attempt":
      return { attemptNumber: attemptNumber + 1 };
    case "wrong dispatch":
      return { dispatchId: `${dispatchId}0` };
    case "wrong task":
      return { taskId: "another" };
    case "wrong version":
      return { protocolVersion: { schemaVersion: "2.0.0" } };
    case "no evidence":
      return { evidence: {} };
    case "no outcome":
      return { status: { outcome: Outcome.UNSPECIFIED, summary: "?" } };
    case "overspending":
      return { usage: { ...usageFor(envelope, sim, 1), outputTokens: 5_000n, costMicroUsd: 50_000n } };
    case "too many steps":
      return {
        usage: { ...usageFor(envelope, sim, 1), steps: (envelope.safety?.maxAutonomousSteps ?? 0) + 7 },
      };
    case "clarification":
      return respond(ResponseStatus.CLARIFICATION_NEEDED);
    case "sent back":
      return respond(ResponseStatus.RETRY_WITH_INSTRUCTION);
    case "response failure":
      return respond(ResponseStatus.FAILURE);
    case "workflow ended early":
      return respond(ResponseStatus.COMPLETED);
    default:
      return {};
  }
}
