import type { Task } from "@baton/agent";
import { limits } from "../limits.ts";

/**
 * Publishes what a model says as it says it (SAOP §2 THOUGHT_STREAM). Pieces are gathered for a moment: an event for each
 * token costs more than the token.
 */
export class Thoughts {
  readonly #task: Task;
  #gathered: string[] = [];
  #length = 0;
  #timer: NodeJS.Timeout | undefined;
  #problem: unknown;
  isPublished = false;

  constructor(task: Task) {
    this.#task = task;
  }

  add(piece: string): void {
    if (this.#problem !== undefined) throw this.#problem;
    if (piece === "") return;
    this.#gathered.push(piece);
    this.#length += piece.length;
    if (this.#length >= limits.thoughtPiece) this.flush();
    else this.#timer ??= setTimeout(() => this.#flushLater(), limits.thoughtDelayMs);
  }

  flush(): void {
    this.#clear();
    if (this.#length === 0) return;
    const piece = this.#gathered.join("").toWellFormed();
    this.drop();
    this.isPublished = true;
    this.#task.think(piece);
  }

  /** Forgets what is not published yet. */
  drop(): void {
    this.#clear();
    this.#gathered = [];
    this.#length = 0;
  }

  /** The attempt may be over by now; adding the next piece throws it. */
  #flushLater(): void {
    try {
      this.flush();
    } catch (error) {
      this.#problem = error;
    }
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
