import type { AgentResult } from "@baton/contract";
import { pipelineOf } from "@baton/runtime/parts";
import type { Command, PipelineInput, PipelineState } from "../kernel.ts";
import { inspect, type Sim } from "../sim.ts";
import { invariant } from "../violation.ts";
import type { Rows } from "./store/rows.ts";

/** Watches every exit of the hub: nothing leaves before it is stored. */
export class DurabilityChecker {
  readonly #sim: Sim;
  readonly #rows: Rows;
  readonly #states: ReadonlyMap<string, PipelineState>;
  /** Commands seen leaving, such as "send p1/s0/1". */
  readonly #sent = new Set<string>();
  /** Results with a durable decision. */
  readonly #durable = new WeakSet<AgentResult>();
  /** By dispatch: whether the decision about a result without an attempt is to be audited. */
  readonly #unmatched = new Map<string, boolean>();

  constructor(sim: Sim, rows: Rows, states: ReadonlyMap<string, PipelineState>) {
    this.#sim = sim;
    this.#rows = rows;
    this.#states = states;
  }

  /** The decision about an input is durable. */
  stored(input: PipelineInput): void {
    if (input.type === "result" && input.answer.kind === "result") this.#durable.add(input.answer.result);
  }

  /** The fleet decided about a result without an attempt. A quarantined agent leaves no record. */
  unmatched(dispatchId: string, isAudited: boolean): void {
    this.#unmatched.set(dispatchId, isAudited);
  }

  /** An agent learns that its result matches no attempt. That counts against it, so it must be stored. */
  refused(result: AgentResult): void {
    const { dispatchId } = result;
    const isAudited = this.#unmatched.get(dispatchId);
    inspect(this.#sim, () =>
      invariant(
        isAudited !== undefined && (!isAudited || this.#rows.hasUnmatched(dispatchId)),
        "no reply leaves before its records are stored",
        () => `the result of ${dispatchId} is refused`,
      ),
    );
    this.#durable.add(result);
  }

  sending(type: Command["type"], dispatchId: string): void {
    inspect(this.#sim, () =>
      invariant(
        this.#rows.hasOrdered(type, dispatchId),
        "no command leaves before its records are stored",
        () => `${type} ${dispatchId}`,
      ),
    );
  }

  sent(type: Command["type"], dispatchId: string): void {
    this.#sent.add(`${type} ${dispatchId}`);
  }

  wasSent(type: Command["type"], dispatchId: string): boolean {
    return this.#sent.has(`${type} ${dispatchId}`);
  }

  /** An agent is cancelled, possibly for an attempt that it still has and the hub gave up. */
  cancelling(dispatchId: string): void {
    const state = this.#states.get(pipelineOf(dispatchId));
    const isAwaited = state?.stages.some(
      (stage) =>
        stage.status === "DISPATCHED" &&
        stage.phase.kind === "sent" &&
        stage.phase.sent.dispatchId === dispatchId,
    );
    if (isAwaited) this.sending("cancel", dispatchId);
  }

  answered({ id, version }: PipelineState): void {
    const stored = this.#states.get(id)?.version ?? 0;
    inspect(this.#sim, () =>
      invariant(
        stored >= version,
        "no reply leaves before its records are stored",
        () => `${id} is returned at version ${version}, and stored at ${stored}`,
      ),
    );
  }

  publishing(last: bigint, next: bigint): void {
    inspect(this.#sim, () => {
      invariant(
        next === last + 1n,
        "a watcher receives every event once, in order",
        () => `${next} after ${last}`,
      );
      invariant(
        next <= this.#rows.lastEvent,
        "no event is published before it is stored",
        () => `${next} is published, and ${this.#rows.lastEvent} is the last one stored`,
      );
    });
  }

  acknowledged(result: AgentResult): void {
    inspect(this.#sim, () =>
      invariant(
        this.#durable.has(result),
        "no reply leaves before its records are stored",
        () => `the result of ${result.dispatchId} is acknowledged`,
      ),
    );
  }
}
