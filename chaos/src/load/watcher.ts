import { setTimeout as pause } from "node:timers/promises";
import type { EventRecord } from "@baton/contract";
import { limits } from "../limits.ts";
import type { Violations } from "../violations.ts";
import { type Api, isAnswer } from "./api.ts";

/** What the events say about one pipeline. */
export interface Watched {
  /** Completed stages. */
  completions: number;
  isEnded: boolean;
}

/** The hub may have forgotten a watch without events. */
class Silence extends Error {}

/** Follows all events over all hub processes: each arrives once, in order, without gaps. */
export class Watcher {
  readonly #api: Api;
  readonly #violations: Violations;
  readonly #listeners = new Set<(record: EventRecord) => void>();
  readonly #watched = new Map<string, Watched>();
  readonly #ids = new Set<string>();
  #last = 0n;

  constructor(api: Api, violations: Violations) {
    this.#api = api;
    this.#violations = violations;
    void this.#follow();
  }

  of(pipelineId: string): Watched {
    const known = this.#watched.get(pipelineId) ?? { completions: 0, isEnded: false };
    this.#watched.set(pipelineId, known);
    return known;
  }

  /** Returns a function that removes the listener. */
  listen(listener: (record: EventRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #follow(): Promise<void> {
    const { signal } = this.#api;
    let wasSilent = false;
    while (!signal.aborted) {
      const before = this.#last;
      try {
        await this.#watch(wasSilent);
        wasSilent = false;
      } catch (error) {
        // The hub is gone; the next watch resumes here.
        wasSilent = error instanceof Silence;
        if (isAnswer(error) && !signal.aborted)
          this.#violations.add("a watch is not refused", `after event ${before}: ${String(error)}`);
      }
      await pause(limits.retryCallMs);
    }
  }

  /** Follows until the hub or the connection ends the watch. Throws `Silence` when nothing arrives for too long. */
  async #watch(wasSilent: boolean): Promise<void> {
    const { orchestrator, signal } = this.#api;
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(new Silence()), limits.silenceMs);
    const began = performance.now();
    try {
      const options = { signal: AbortSignal.any([signal, silence.signal]) };
      for await (const { message } of orchestrator.watchEvents({ afterSequence: this.#last }, options)) {
        timer.refresh();
        if (message.case === "record") {
          if (wasSilent) this.#missed(performance.now() - began);
          wasSilent = false;
          this.#take(message.value);
        }
        if (message.case === "dropped") return;
      }
    } catch (error) {
      throw silence.signal.aborted ? silence.signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Events that a new watch receives at once should have reached the previous one. */
  #missed(afterMs: number): void {
    if (afterMs > limits.silenceMs / 2) return;
    this.#violations.add(
      "a watcher receives stored events",
      `nothing arrived after event ${this.#last}, and the next watch received more`,
    );
  }

  #take(record: EventRecord): void {
    if (record.sequence !== this.#last + 1n)
      this.#violations.add(
        "events arrive once and in order",
        `${record.sequence} came after ${this.#last}, for ${record.pipelineId}`,
      );
    this.#last = record.sequence;
    this.#demandOnce(record);
    const payload = record.event?.payload;
    if (payload?.case === "taskTransition" && payload.value.toState === "COMPLETED") {
      const watched = this.of(record.pipelineId);
      if (record.stageId === "") watched.isEnded = true;
      else watched.completions++;
    }
    for (const listener of this.#listeners) listener(record);
  }

  /** A repeated event of an agent has the same id, also after a restart of the hub. */
  #demandOnce({ event, pipelineId }: EventRecord): void {
    const eventId = event?.eventId ?? "";
    if (this.#ids.has(eventId))
      this.#violations.add("a repeated event is published once", `${eventId}, for ${pipelineId}`);
    this.#ids.add(eventId);
  }
}
