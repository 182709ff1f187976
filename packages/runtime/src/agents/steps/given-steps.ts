import type { Step, TaskEnvelope } from "@baton/contract";
import { activeAttempts, type KnownStep, stepsOf } from "@baton/kernel";
import type { Engine } from "../../engine/engine.ts";
import { HubError } from "../../ports/hub-error.ts";
import type { QueryStore } from "../../ports/store.ts";
import { pipelineOf } from "../../ports/stored-command.ts";
import { stepOf } from "./step-rows.ts";

/** Values that an envelope carries, and a page; a larger value has a page of its own. */
const pageBytes = 64 * 1024;
const pageSteps = 200;

export interface GivenStepsParts {
  readonly engine: Pick<Engine, "pipelineWithRetry" | "whenReadable">;
  readonly store: Pick<QueryStore, "steps">;
}

/** An attempt under way, of one tenant. */
interface Attempt {
  readonly tenantId: string;
  readonly dispatchId: string;
}

/** Reads the steps that a running attempt continues from, as they were reported: they return to the work that made them. */
export class GivenSteps {
  readonly #parts: GivenStepsParts;

  constructor(parts: GivenStepsParts) {
    this.#parts = parts;
  }

  /** The envelope with the first of its steps. */
  async fill(tenantId: string, envelope: TaskEnvelope): Promise<TaskEnvelope> {
    const { steps: given, execution } = envelope;
    if (!given || !execution) return envelope;
    const page = await this.page({ tenantId, dispatchId: execution.dispatchId }, 0);
    const steps = page.slice(0, given.count);
    const isWhole = steps.reduce((sum, { valueJson }) => sum + valueJson.length, 0) <= pageBytes;
    return { ...envelope, steps: { ...given, steps: isWhole ? steps : [] } };
  }

  /** The steps after the first ones. Those of the attempt itself are last. */
  async page(attempt: Attempt, after: number): Promise<readonly Step[]> {
    const known = [...(await this.#known(attempt)).values()].slice(after, after + pageSteps);
    const steps: Step[] = [];
    let bytes = 0;
    for (const step of known) {
      bytes += step.bytes;
      if (steps.length > 0 && bytes > pageBytes) break;
      steps.push(await this.#read(step));
    }
    return steps;
  }

  async *all(attempt: Attempt): AsyncGenerator<Step> {
    for (let after = 0; ; ) {
      const page = await this.page(attempt, after);
      if (page.length === 0) return;
      yield* page;
      after += page.length;
    }
  }

  async #known({ tenantId, dispatchId }: Attempt): Promise<ReadonlyMap<string, KnownStep>> {
    const state = await this.#parts.engine.pipelineWithRetry(pipelineOf(dispatchId));
    if (state?.tenantId !== tenantId) return new Map();
    const active = activeAttempts(state).find(({ sent }) => sent.dispatchId === dispatchId);
    return active ? stepsOf(state, active.stage).known : new Map();
  }

  async #read({ dispatchId, ordinal }: KnownStep): Promise<Step> {
    const { engine, store } = this.#parts;
    const [row] = await engine.whenReadable(() =>
      store.steps(dispatchId, ordinal - 1, 1, Number.MAX_SAFE_INTEGER),
    );
    if (row?.ordinal === ordinal) return stepOf(row);
    throw new HubError(
      "internal",
      "BATON-HUB-001",
      `step ${ordinal} of "${dispatchId}" is not in the store`,
      {
        fix: "check the store (baton store check)",
      },
    );
  }
}
