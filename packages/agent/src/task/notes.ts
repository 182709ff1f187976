import type { ContextOut } from "@baton/contract";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { AgentError } from "../agent-error.ts";
import { limits } from "../limits.ts";

/** Context for the next agent (A §2.13). */
export class Notes {
  readonly #taskId: string;
  readonly #dispatchId: string;
  readonly #out: ContextOut = {
    $typeName: "vasini.agent.v1.ContextOut",
    decisionsMade: [],
    risksIdentified: [],
    assumptionsMade: [],
    rollbackNotes: "",
  };

  constructor(taskId: string, dispatchId: string) {
    this.#taskId = taskId;
    this.#dispatchId = dispatchId;
  }

  decision(description: string, rationale: string): void {
    const { decisionsMade } = this.#out;
    checkRoom(decisionsMade, "decisions");
    decisionsMade.push({
      $typeName: "vasini.agent.v1.Decision",
      decisionId: `${this.#dispatchId}#${decisionsMade.length + 1}`,
      description,
      rationale,
      sourceTask: this.#taskId,
      decidedAt: timestampNow(),
    });
  }

  risk(description: string): void {
    checkRoom(this.#out.risksIdentified, "risks");
    this.#out.risksIdentified.push(description);
  }

  assumption(description: string): void {
    checkRoom(this.#out.assumptionsMade, "assumptions");
    this.#out.assumptionsMade.push(description);
  }

  rollback(notes: string): void {
    this.#out.rollbackNotes = notes;
  }

  get contextOut(): ContextOut {
    return this.#out;
  }
}

function checkRoom(list: readonly unknown[], what: string): void {
  if (list.length < limits.notes) return;
  throw new AgentError("BATON-SDK-019", `a result may have ${limits.notes} ${what}`, { at: what });
}
