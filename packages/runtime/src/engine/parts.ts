import type { Clock } from "../ports/clock.ts";
import type { Chance } from "../ports/outside.ts";
import type { Batch, EventRow, JournalStore, QueryStore } from "../ports/store.ts";
import type { AttemptChange, PendingCommand } from "../ports/stored-command.ts";
import type { Engine } from "./engine.ts";
import type { Kernel } from "./kernel.ts";
import type { EngineSettings } from "./settings.ts";

/** Points at which a test stops the engine, to check that nothing is lost there. */
export type Point =
  | "decided"
  | "before commit"
  | "committed"
  | "answered"
  | "before command"
  | "after command";

export interface EngineParts {
  readonly store: JournalStore & Pick<QueryStore, "knowledge">;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly settings: EngineSettings;
  /** Default: `defaultKernel`. */
  readonly kernel?: Kernel | undefined;
  /** Executes a command. The executor calls `completeCommand`, or enqueues the input that answers the command. */
  readonly executeCommand: (command: PendingCommand, engine: Engine) => void;
  /** Earlier calls of `onAttempt` are void: the engine reports every running attempt again. */
  readonly onForget?: () => void;
  /** An attempt has begun or ended, durably. */
  readonly onAttempt?: (change: AttemptChange) => void;
  readonly onEvents?: (rows: readonly EventRow[]) => void;
  /** A batch is durable, and the fleets of these tenants have changed. */
  readonly onStored?: (batch: Batch, fleets: ReadonlySet<string>) => void;
  /** The store works again after a failure. Connected agents have to announce themselves again. */
  readonly onRecovered?: () => void;
  readonly onProblem?: (problem: Error) => void;
  readonly reach?: (point: Point) => void;
}
