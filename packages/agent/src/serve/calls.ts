import { type CancelAgentRequest, CancelOutcome, type TaskEnvelope } from "@baton/contract";
import { AgentError } from "../agent-error.ts";
import type { AgentDefinition } from "../api/definition.ts";
import type { HealthMonitor } from "../health.ts";
import { limits } from "../limits.ts";
import type { OnProblem } from "../problem.ts";
import type { StepCalls } from "../step-calls.ts";
import type { UploadClient } from "../uploads/binary.ts";
import { declined } from "../work/decline.ts";
import { Workload } from "../work/workload.ts";
import { Transcript } from "./transcript.ts";

/** The agent accepts no task now; the caller may retry. */
export class Busy extends Error {
  override readonly name = "Busy";
}

export interface AgentCallsParts {
  readonly definition: AgentDefinition;
  readonly instanceId: string;
  readonly health: HealthMonitor;
  readonly uploads: UploadClient;
  readonly onProblem: OnProblem;
  /** Undefined for an agent that does not register: its steps leave with its other messages. */
  readonly stepCalls: StepCalls | undefined;
}

/** Handles the calls to an agent that listens, for every transport. */
export class AgentCalls {
  readonly workload: Workload;
  readonly #parts: AgentCallsParts;
  /** By dispatch_id, the oldest first. */
  readonly #transcripts = new Map<string, Transcript>();

  constructor(parts: AgentCallsParts) {
    this.#parts = parts;
    this.workload = new Workload({
      ...parts,
      sink: {
        turn: (dispatchId, turn) => this.#transcripts.get(dispatchId)?.turn(turn),
        event: (dispatchId, event) => this.#transcripts.get(dispatchId)?.event(event),
        result: (dispatchId, result) => this.#transcripts.get(dispatchId)?.result(result),
        step: async (dispatchId, step) => {
          if (parts.stepCalls) return parts.stepCalls.report(dispatchId, step);
          this.#transcripts.get(dispatchId)?.step(step);
        },
        listSteps: async (dispatchId, after) => parts.stepCalls?.list(dispatchId, after) ?? [],
        pinTools: async (tools) => {
          if (parts.stepCalls) return parts.stepCalls.pin(tools);
          throw new AgentError(
            "BATON-SDK-020",
            "an agent that does not register has no hub to pin tools at",
            {
              fix: "leave out register: false",
            },
          );
        },
      },
    });
  }

  /** Runs a dispatch_id once; further callers receive the same messages. */
  run(envelope: TaskEnvelope): Transcript {
    const dispatchId = envelope.execution?.dispatchId ?? "";
    const known = this.#transcripts.get(dispatchId);
    if (known) return known;
    const taken = this.workload.take(envelope);
    if (taken === "full") throw new Busy("the agent is at capacity");
    if (taken === "closing") throw new Busy("the agent is closing");
    if (taken !== "taken") {
      const message = "the attempt has ended, and its messages are no longer kept";
      throw new AgentError("BATON-SDK-018", message, {
        at: `dispatch ${dispatchId}`,
        fix: "send a new attempt",
      });
    }
    const transcript = new Transcript();
    this.#transcripts.set(dispatchId, transcript);
    this.#forgetOld();
    return transcript;
  }

  async cancel(request: CancelAgentRequest): Promise<CancelOutcome> {
    const outcome = await this.workload.cancel(request);
    if (outcome === CancelOutcome.STOPPED) this.#transcripts.get(request.dispatchId)?.cancelled();
    return outcome;
  }

  /** Accepts nothing more, and answers queued attempts. */
  close(): void {
    for (const checked of this.workload.close()) {
      const result = declined(checked, this.#parts, {
        code: "AGENT_CLOSING",
        reason: "the agent is closing",
      });
      this.#transcripts.get(checked.execution.dispatchId)?.result(result);
    }
  }

  #forgetOld(): void {
    const ended = [...this.#transcripts].filter(([, { end }]) => end);
    for (const [dispatchId] of ended.slice(0, -limits.transcripts)) this.#transcripts.delete(dispatchId);
  }
}
