import {
  type AttachAgentResponse,
  type CancelAgentRequest,
  CancelAgentResponseSchema,
  type TaskEnvelope,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { AgentError } from "../agent-error.ts";
import type { AgentDefinition } from "../api/definition.ts";
import { type CheckedEnvelope, checkEnvelope } from "../attempt-facts.ts";
import { limits } from "../limits.ts";
import type { OnProblem } from "../problem.ts";
import { declined } from "../work/decline.ts";
import type { Workload } from "../work/workload.ts";
import type { Reporter } from "./reporter.ts";

export interface IntakeParts {
  readonly definition: AgentDefinition;
  readonly instanceId: string;
  readonly workload: Workload;
  readonly reporter: Reporter;
  readonly onProblem: OnProblem;
}

const reasons = {
  full: { code: "AGENT_BUSY", reason: "the agent is at capacity" },
  closing: { code: "AGENT_CLOSING", reason: "the agent is closing" },
} as const;

/** Handles the messages of the hub after the welcome. */
export class Intake {
  readonly #parts: IntakeParts;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  receive(message: AttachAgentResponse["message"]): void {
    switch (message.case) {
      case "dispatch":
        return this.#take(message.value);
      case "cancel":
        return void this.#cancel(message.value);
      case "acknowledged":
        return this.#parts.reporter.acknowledged(message.value.sequence);
      case "refused":
        return this.#parts.reporter.refused(message.value);
      default:
        return; // Sent by a newer hub (A §2.15).
    }
  }

  /** Answers an attempt that is not started. */
  decline(checked: CheckedEnvelope, why: keyof typeof reasons): void {
    const { reporter } = this.#parts;
    const value = declined(checked, this.#parts, reasons[why]);
    reporter.report(checked.execution.dispatchId, { case: "result", value });
  }

  #take(envelope: TaskEnvelope): void {
    const { workload, reporter, onProblem } = this.#parts;
    const dispatchId = envelope.execution?.dispatchId ?? "";
    if (reporter.session.outbox.isFull) {
      const message = `${limits.unacknowledgedAnswers} results are unacknowledged: this task is not accepted`;
      return onProblem(new AgentError("BATON-SDK-014", message, { at: `dispatch ${dispatchId}` }));
    }
    try {
      const taken = workload.take(envelope);
      if (taken === "held" || taken === "ended") reporter.resendEnd(dispatchId);
      if (taken === "full" || taken === "closing") this.decline(checkEnvelope(envelope), taken);
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      onProblem(error);
    }
  }

  async #cancel(request: CancelAgentRequest): Promise<void> {
    const { workload, reporter } = this.#parts;
    const outcome = await workload.cancel(request);
    reporter.report(request.dispatchId, {
      case: "cancelled",
      value: create(CancelAgentResponseSchema, { outcome }),
    });
  }
}
