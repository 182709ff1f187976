import type {
  Chance,
  Clock,
  EngineLimits,
  Point,
  ReferenceReader,
  Store,
  Verifier,
  Workspaces,
} from "@baton/runtime";
import { EgressFilter, StoreUnavailable } from "@baton/runtime";
import { type ComposedHub, composeHub } from "@baton/runtime/parts";
import type { Fault } from "../chance/faults.ts";
import type { Checker } from "../checks/checker.ts";
import type { FleetState } from "../kernel.ts";
import type { FleetScenario } from "../scenario/fleet.ts";
import { inspect, type Sim, tenantId } from "../sim.ts";
import { Violation } from "../violation.ts";
import type { Disk } from "./failing-store.ts";
import { FailingStore } from "./failing-store.ts";

export interface HubProcessParts {
  readonly sim: Sim;
  readonly disk: Disk;
  readonly checker: Checker;
  readonly scenario: FleetScenario;
  readonly limits: Partial<EngineLimits>;
  readonly chance: Chance;
  readonly verifier: Verifier;
  readonly references: ReferenceReader;
  readonly workspaces: Workspaces;
  /** Wraps the store of the hub. */
  readonly wrapStore: ((store: Store) => Store) | undefined;
  /** Called after a crash. */
  readonly onEnd: (life: HubProcess, reason: string) => void;
}

/** One process of the real hub, from its start to its crash. */
export class HubProcess {
  readonly hub: ComposedHub;
  /** Resolves with a crash. */
  readonly over: Promise<"down">;
  isOver = false;
  /** Calls without an answer. */
  waiting = 0;
  readonly #parts: HubProcessParts;
  readonly #store: FailingStore;
  readonly #end: (answer: "down") => void;

  constructor(parts: HubProcessParts) {
    const { sim, checker, scenario } = parts;
    this.#parts = parts;
    const { promise, resolve } = Promise.withResolvers<"down">();
    this.over = promise;
    this.#end = resolve;
    this.#store = new FailingStore({ ...parts, crash: (reason) => this.crash(reason) });
    this.hub = composeHub(
      {
        store: parts.wrapStore?.(this.#store) ?? this.#store,
        policy: scenario.policy,
        templates: new Map(),
        orchestratorVersion: "0.1.0",
        verifier: parts.verifier,
        references: parts.references,
        workspaces: parts.workspaces,
        review: { normal: scenario.review },
        fleet: scenario.settings,
        filter,
        limits: parts.limits,
        chance: parts.chance,
        kernel: checker.kernel,
        onProblem: (problem) => this.#reportProblem(problem),
        reach: (point) => this.#reach(point),
      },
      processClock(sim, () => this.isOver),
    );
  }

  get fleet(): FleetState {
    return this.hub.engine.fleet(tenantId);
  }

  /** Whether it decides about an input at once. */
  get isIdle(): boolean {
    return !this.#store.isCommitting && this.hub.engine.unavailableReason === undefined;
  }

  /** Only committed data survives. */
  crash(reason: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#store.cut();
    this.#parts.checker.forget();
    this.#end("down");
    this.#parts.onEnd(this, reason);
  }

  /** The answer of a call, or "down" when the hub crashes first. */
  async orDown<Answer>(call: Promise<Answer>): Promise<Answer | "down"> {
    this.waiting++;
    try {
      const answer = await Promise.race([this.over, call]);
      return this.isOver ? "down" : answer;
    } catch (error) {
      if (this.isOver) return "down";
      throw error;
    } finally {
      this.waiting--;
    }
  }

  #reach(point: Point): void {
    const { sim, checker } = this.#parts;
    if (point === "before commit") checker.sent();
    if (point === "committed") checker.passed();
    const { fault, weight } = crashes[point];
    if (!sim.faults.strikes(fault, weight)) return;
    this.crash(fault);
    throw new PowerCut();
  }

  /** An unavailable store is expected; every other problem is a violation. */
  #reportProblem(problem: Error): void {
    if (this.isOver || (problem instanceof StoreUnavailable && problem.code === "BATON-STORE-006")) return;
    inspect(this.#parts.sim, () => {
      throw new Violation("the hub reports no problem", problem.stack ?? problem.message);
    });
  }
}

/** Many transactions have nothing to store, and few have a command: the weights even out the points. */
const crashes: Readonly<Record<Point, { readonly fault: Fault; readonly weight: number }>> = {
  decided: { fault: "crash after decide", weight: 0.03 },
  "before commit": { fault: "crash before commit", weight: 0.03 },
  committed: { fault: "crash after commit", weight: 0.03 },
  answered: { fault: "crash after answers", weight: 0.03 },
  "before command": { fault: "crash before a command", weight: 0.2 },
  "after command": { fault: "crash after a command", weight: 0.2 },
};

/** Ends whatever is under way in the hub. */
class PowerCut extends Error {
  override readonly name = "PowerCut";
}

/** Shared by all runs, since creating one takes longer than a short run. */
const filter = new EgressFilter();

/** The virtual clock of one hub process: after a crash no timer fires. */
export function processClock({ clock }: Sim, isOver: () => boolean): Clock {
  const after = (delayMs: number, callback: () => void) =>
    clock.after(delayMs, () => {
      if (!isOver()) callback();
    });
  return {
    nowMs: () => clock.nowMs,
    after,
    // Inputs of the same moment arrive first.
    soon: (callback) => void after(0, callback),
  };
}
