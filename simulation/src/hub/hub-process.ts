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
import type { Watch } from "../checks/checker.ts";
import type { FleetState } from "../kernel.ts";
import type { FleetScenario } from "../scenario/fleet.ts";
import { look, type Sim, tenantId } from "../sim.ts";
import { Violation } from "../violation.ts";
import type { Disk } from "./failing-store.ts";
import { FailingStore } from "./failing-store.ts";

export interface LifeParts {
  readonly sim: Sim;
  readonly disk: Disk;
  readonly watch: Watch;
  readonly scenario: FleetScenario;
  readonly limits: Partial<EngineLimits>;
  readonly chance: Chance;
  readonly verifier: Verifier;
  readonly references: ReferenceReader;
  readonly workspaces: Workspaces;
  /** Puts something between the hub and its store. */
  readonly wrapStore: ((store: Store) => Store) | undefined;
  /** It has lost power. */
  readonly onEnd: (life: Life, reason: string) => void;
}

/** One life of the hub: the real one, from its start until it loses power. */
export class Life {
  readonly hub: ComposedHub;
  /** Resolves when it has lost power. */
  readonly over: Promise<"down">;
  isOver = false;
  /** How many wait for an answer. */
  waiting = 0;
  readonly #parts: LifeParts;
  readonly #store: FailingStore;
  readonly #end: (word: "down") => void;

  constructor(parts: LifeParts) {
    const { sim, watch, scenario } = parts;
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
        kernel: watch.kernel,
        onProblem: (problem) => this.#hearProblem(problem),
        reach: (point) => this.#reach(point),
      },
      lifeClock(sim, () => this.isOver),
    );
  }

  get fleet(): FleetState {
    return this.hub.engine.fleet(tenantId);
  }

  /** Whether it decides at once about what comes in. */
  get isIdle(): boolean {
    return !this.#store.isCommitting && this.hub.engine.unavailableReason === undefined;
  }

  /** The power goes: what is committed stays, and nothing else. */
  crash(reason: string): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#store.cut();
    this.#parts.watch.forget();
    this.#end("down");
    this.#parts.onEnd(this, reason);
  }

  /** What the hub answers, unless it loses power before. */
  async hear<Word>(answer: Promise<Word>): Promise<Word | "down"> {
    this.waiting++;
    try {
      const word = await Promise.race([this.over, answer]);
      return this.isOver ? "down" : word;
    } catch (error) {
      if (this.isOver) return "down";
      throw error;
    } finally {
      this.waiting--;
    }
  }

  #reach(point: Point): void {
    const { sim, watch } = this.#parts;
    if (point === "before commit") watch.sent();
    if (point === "committed") watch.passed();
    const { fault, weight } = crashes[point];
    if (!sim.faults.strikes(fault, weight)) return;
    this.crash(fault);
    throw new PowerCut();
  }

  /** A store that does not work is no mistake of the hub; everything else is. */
  #hearProblem(problem: Error): void {
    if (this.isOver || (problem instanceof StoreUnavailable && problem.code === "BATON-STORE-006")) return;
    look(this.#parts.sim, () => {
      throw new Violation("the hub makes no mistake", problem.stack ?? problem.message);
    });
  }
}

/** Many a turn has nothing to store, and few have a command: by weight, each point has its share. */
const crashes: Readonly<Record<Point, { readonly fault: Fault; readonly weight: number }>> = {
  decided: { fault: "crash after decide", weight: 0.03 },
  "before commit": { fault: "crash before commit", weight: 0.03 },
  committed: { fault: "crash after commit", weight: 0.03 },
  answered: { fault: "crash after answers", weight: 0.03 },
  "before command": { fault: "crash before a command", weight: 0.2 },
  "after command": { fault: "crash after a command", weight: 0.2 },
};

/** Whatever was under way in the hub ends here. */
class PowerCut extends Error {
  override readonly name = "PowerCut";
}

/** The same for all runs: to make one takes longer than a short run. */
const filter = new EgressFilter();

/** Virtual time as one life of the hub has it: nothing rings for a hub that is dead. */
export function lifeClock({ clock }: Sim, isOver: () => boolean): Clock {
  const after = (delayMs: number, callback: () => void) =>
    clock.after(delayMs, () => {
      if (!isOver()) callback();
    });
  return {
    nowMs: () => clock.nowMs,
    after,
    // What comes in at the same moment comes in first.
    soon: (callback) => void after(0, callback),
  };
}
