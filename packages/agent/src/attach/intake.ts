import {
  type AttachAgentResponse,
  type CancelAgentRequest,
  CancelAgentResponseSchema,
  type TaskEnvelope,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { AgentError } from "../agent-error.ts";
import type { AgentDefinition } from "../definition.ts";
import { limits } from "../limits.ts";
import type { OnProblem } from "../problem.ts";
import type { Checked } from "../task/attempt-facts.ts";
import { checkEnvelope } from "../work/check-envelope.ts";
import { declined } from "../work/decline.ts";
import type { Workload } from "../work/workload.ts";
import type { Line } from "./line.ts";

export interface IntakeParts {
  readonly definition: AgentDefinition;
  readonly instanceId: string;
  readonly workload: Workload;
  readonly line: Line;
  readonly onProblem: OnProblem;
}

const reasons = {
  full: { code: "AGENT_BUSY", reason: "the agent has no room for another task" },
  closing: { code: "AGENT_CLOSING", reason: "the agent is leaving" },
} as const;

/** Does what the hub says, once the agent is in. */
export class Intake {
  readonly #parts: IntakeParts;

  constructor(parts: IntakeParts) {
    this.#parts = parts;
  }

  hear(message: AttachAgentResponse["message"]): void {
    switch (message.case) {
      case "dispatch":
        return this.#take(message.value);
      case "cancel":
        return void this.#cancel(message.value);
      case "acknowledged":
        return this.#parts.line.acknowledged(message.value.sequence);
      case "refused":
        return this.#parts.line.refused(message.value);
      default:
        return; // A newer hub may say more than this agent knows (A §2.15).
    }
  }

  /** Answers a task that is not begun here. */
  decline(checked: Checked, why: keyof typeof reasons): void {
    const { line } = this.#parts;
    const value = declined(checked, this.#parts, reasons[why]);
    line.say(checked.execution.dispatchId, { case: "result", value });
  }

  #take(envelope: TaskEnvelope): void {
    const { workload, line, onProblem } = this.#parts;
    const dispatchId = envelope.execution?.dispatchId ?? "";
    if (line.session.outbox.isFull) {
      const what = `the hub acknowledges none of ${limits.unacknowledgedAnswers} answers: this task is not taken`;
      return onProblem(new AgentError("BATON-SDK-014", what, { at: `dispatch ${dispatchId}` }));
    }
    try {
      const taken = workload.take(envelope);
      if (taken === "held" || taken === "ended") line.repeatEnd(dispatchId);
      if (taken === "full" || taken === "closing") this.decline(checkEnvelope(envelope), taken);
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      onProblem(error);
    }
  }

  async #cancel(request: CancelAgentRequest): Promise<void> {
    const { workload, line } = this.#parts;
    const outcome = await workload.cancel(request);
    line.say(request.dispatchId, {
      case: "cancelled",
      value: create(CancelAgentResponseSchema, { outcome }),
    });
  }
}
