import { type CancelAgentRequest, CancelOutcome, type TaskEnvelope } from "@baton/contract";
import { AgentError } from "../agent-error.ts";
import type { AgentDefinition } from "../definition.ts";
import { limits } from "../limits.ts";
import type { OnProblem } from "../problem.ts";
import type { Vitals } from "../vitals.ts";
import { declined } from "../work/decline.ts";
import { Workload } from "../work/workload.ts";
import { Transcript } from "./transcript.ts";

/** No room now; another time there may be. */
export class Busy extends Error {
  override readonly name = "Busy";
}

export interface AgentReportsParts {
  readonly definition: AgentDefinition;
  readonly instanceId: string;
  readonly vitals: Vitals;
  readonly onProblem: OnProblem;
}

/** What an agent that listens does with a call, whichever way it came. */
export class Desk {
  readonly workload: Workload;
  readonly #parts: AgentReportsParts;
  /** By dispatch_id, the oldest first. */
  readonly #transcripts = new Map<string, Transcript>();

  constructor(parts: AgentReportsParts) {
    this.#parts = parts;
    this.workload = new Workload({
      ...parts,
      outlet: {
        turn: (dispatchId, turn) => this.#transcripts.get(dispatchId)?.turn(turn),
        event: (dispatchId, event) => this.#transcripts.get(dispatchId)?.event(event),
        result: (dispatchId, result) => this.#transcripts.get(dispatchId)?.result(result),
      },
    });
  }

  /** The same dispatch_id is run once; who calls again hears the same. */
  run(envelope: TaskEnvelope): Transcript {
    const dispatchId = envelope.execution?.dispatchId ?? "";
    const known = this.#transcripts.get(dispatchId);
    if (known) return known;
    const taken = this.workload.take(envelope);
    if (taken === "full") throw new Busy("the agent has no room for another task");
    if (taken === "closing") throw new Busy("the agent is leaving");
    if (taken !== "taken") {
      const what = "the attempt has ended, and what it said is not kept any more";
      throw new AgentError("BATON-SDK-018", what, {
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

  /** Takes nothing more, and answers what waits. */
  close(): void {
    for (const checked of this.workload.close()) {
      const result = declined(checked, this.#parts, {
        code: "AGENT_CLOSING",
        reason: "the agent is leaving",
      });
      this.#transcripts.get(checked.execution.dispatchId)?.result(result);
    }
  }

  #forgetOld(): void {
    const ended = [...this.#transcripts].filter(([, { end }]) => end);
    for (const [dispatchId] of ended.slice(0, -limits.transcripts)) this.#transcripts.delete(dispatchId);
  }
}
