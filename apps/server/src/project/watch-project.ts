import type { ConfigProblem } from "../config/problem.ts";
import type { ProjectPlaces } from "./places.ts";
import { type Project, readProject } from "./read-project.ts";
import { readSignature } from "./signature.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";

export interface WatchOptions {
  readonly places: ProjectPlaces;
  /** Of the files that are in force. */
  readonly digest: string;
  /** Puts what is good in force; gives what kept it from doing so. */
  readonly apply: (project: Project) => Promise<readonly ConfigProblem[]>;
  /** The files have changed, and are wrong; what was in force stays in force. */
  readonly refuse: (problems: readonly ConfigProblem[]) => void;
  /** A mistake of the hub, not of the files. */
  readonly fail: (error: unknown) => void;
  readonly intervalMs?: number;
}

/** Half of what a person notices, and next to no work. */
const defaultIntervalMs = 500;
/** Clocks of file systems are coarse: a file so young may be written again without looking any newer. */
const youngMs = 2_000;

/**
 * Notices when the files of a project have changed, by looking at them: that works on every file system and however an
 * editor writes. Files that still change are left alone: nothing is read before two looks in a row were the same, so that
 * a file that is half written is neither used nor complained of. What was refused is told once, not with every look.
 */
export class ProjectWatch {
  readonly #options: WatchOptions;
  #timer: NodeJS.Timeout | undefined;
  /** The last look, and of what it was settled that it was handled. */
  #seen = "";
  #handled = "";
  #digest: string;
  #isStopped = false;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#digest = options.digest;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#look()
        .catch(this.#options.fail)
        .finally(() => {
          if (!this.#isStopped) this.start();
        });
    }, this.#options.intervalMs ?? defaultIntervalMs).unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const { places } = this.#options;
    const { text, newestMs } = await readSignature(places);
    const isSettled = text === this.#seen;
    this.#seen = text;
    const isYoung = Date.now() - newestMs < youngMs;
    if (!isSettled || (text === this.#handled && !isYoung)) return;
    const snapshot = takeSnapshot(places);
    // Written while it was read: the next look will see it settle.
    if ((await readSignature(places)).text !== text || this.#isStopped) return;
    this.#handled = text;
    if (snapshot.digest === this.#digest) return;
    const before = this.#digest;
    this.#digest = snapshot.digest;
    try {
      await this.#take(snapshot);
    } catch (error) {
      // Not the fault of the files: they are tried again with the next look.
      this.#digest = before;
      this.#handled = "";
      throw error;
    }
  }

  async #take(snapshot: Snapshot): Promise<void> {
    const { apply, refuse } = this.#options;
    const { project, told } = readProject(snapshot);
    const problems = project ? await apply(project) : told.filter(({ severity }) => severity === "error");
    if (problems.length > 0) refuse(problems);
  }
}
