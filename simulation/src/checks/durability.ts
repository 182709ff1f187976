import type { AgentResult } from "@baton/contract";
import { pipelineOf } from "@baton/runtime/parts";
import type { Command, PipelineInput, PipelineState } from "../kernel.ts";
import { look, type Sim } from "../sim.ts";
import { demand } from "../violation.ts";
import type { Rows } from "./store/rows.ts";

/** Stands at every way out of the hub: nothing leaves that is not stored. */
export class Exits {
  readonly #sim: Sim;
  readonly #rows: Rows;
  readonly #states: ReadonlyMap<string, PipelineState>;
  /** What was seen to leave, as "send p1/s0/1". */
  readonly #left = new Set<string>();
  /** Results whose decision is durable. */
  readonly #heard = new WeakSet<AgentResult>();
  /** Whether a result that names this dispatch, and answers no attempt, was last decided to be audited. */
  readonly #unmatched = new Map<string, boolean>();

  constructor(sim: Sim, rows: Rows, states: ReadonlyMap<string, PipelineState>) {
    this.#sim = sim;
    this.#rows = rows;
    this.#states = states;
  }

  /** What came of an input is durable. */
  heard(input: PipelineInput): void {
    if (input.type === "result" && input.answer.kind === "result") this.#heard.add(input.answer.result);
  }

  /** The fleet has decided about a result that answers no attempt. One of a quarantined agent leaves no record. */
  unmatched(dispatchId: string, isAudited: boolean): void {
    this.#unmatched.set(dispatchId, isAudited);
  }

  /** An agent is told that its result answers no attempt: that counts against it, so it has to be stored. */
  refused(result: AgentResult): void {
    const { dispatchId } = result;
    const isAudited = this.#unmatched.get(dispatchId);
    look(this.#sim, () =>
      demand(
        isAudited !== undefined && (!isAudited || this.#rows.hasUnmatched(dispatchId)),
        "no answer leaves before its records are stored",
        () => `the result of ${dispatchId} is refused`,
      ),
    );
    this.#heard.add(result);
  }

  /** Something leaves the hub, to an agent or to the commands that it runs itself. */
  leaving(type: Command["type"], dispatchId: string): void {
    look(this.#sim, () =>
      demand(
        this.#rows.hasOrdered(type, dispatchId),
        "no command leaves before its records are stored",
        () => `${type} ${dispatchId}`,
      ),
    );
  }

  /** It is out of the hub: on its way to an agent, or with the port that does it. */
  left(type: Command["type"], dispatchId: string): void {
    this.#left.add(`${type} ${dispatchId}`);
  }

  hasLeft(type: Command["type"], dispatchId: string): boolean {
    return this.#left.has(`${type} ${dispatchId}`);
  }

  /** An agent is told to stop, also with what it still has and nobody waits for. */
  stopping(dispatchId: string): void {
    const state = this.#states.get(pipelineOf(dispatchId));
    const isAwaited = state?.stages.some(
      (stage) =>
        stage.status === "DISPATCHED" &&
        stage.phase.kind === "sent" &&
        stage.phase.sent.dispatchId === dispatchId,
    );
    if (isAwaited) this.leaving("cancel", dispatchId);
  }

  /** Somebody is told that a pipeline is now as they wanted. */
  answered({ id, version }: PipelineState): void {
    const stored = this.#states.get(id)?.version ?? 0;
    look(this.#sim, () =>
      demand(
        stored >= version,
        "no answer leaves before its records are stored",
        () => `${id} is shown at ${version}, and stored at ${stored}`,
      ),
    );
  }

  /** A watcher is shown an event after another one. */
  showing(last: bigint, next: bigint): void {
    look(this.#sim, () => {
      demand(next === last + 1n, "a watcher sees every event once, in order", () => `${next} after ${last}`);
      demand(
        next <= this.#rows.lastEvent,
        "no event is shown before it is stored",
        () => `${next} is shown, and ${this.#rows.lastEvent} is the last one stored`,
      );
    });
  }

  /** An agent is told that its result is the hub's now. */
  acknowledged(result: AgentResult): void {
    look(this.#sim, () =>
      demand(
        this.#heard.has(result),
        "no answer leaves before its records are stored",
        () => `the result of ${result.dispatchId} is acknowledged`,
      ),
    );
  }
}
