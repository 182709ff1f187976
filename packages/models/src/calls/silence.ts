import type { ModelProvider } from "@baton/kernel";
import { ModelFailure } from "../failure.ts";

type Limits = Pick<ModelProvider, "id" | "firstTokenMs" | "silenceMs" | "callMs">;

/** Ends a call that is silent for too long. Only output counts: a server that merely pings is silent. */
export class Silence {
  readonly #limits: Limits;
  readonly #aborting = new AbortController();
  readonly #call: NodeJS.Timeout;
  #next: NodeJS.Timeout;
  #receivedMs = 0;
  /** Why the call was ended. */
  failure: ModelFailure | undefined;
  /** Aborted with the call's own signal too. */
  readonly signal: AbortSignal;

  constructor(limits: Limits, signal: AbortSignal) {
    this.#limits = limits;
    this.signal = AbortSignal.any([signal, this.#aborting.signal]);
    const { firstTokenMs, callMs } = limits;
    this.#call = setTimeout(() => this.#end("call", callMs, "the answer took longer than"), callMs);
    this.#next = setTimeout(
      () => this.#end("first_token", firstTokenMs, "the answer did not begin within"),
      firstTokenMs,
    );
  }

  /** Output has come. A timer for every piece would cost more than the piece. */
  received(): void {
    const isFirst = this.#receivedMs === 0;
    this.#receivedMs = performance.now();
    if (!isFirst) return;
    clearTimeout(this.#next);
    this.#watch(this.#limits.silenceMs);
  }

  end(): void {
    clearTimeout(this.#call);
    clearTimeout(this.#next);
  }

  #watch(delayMs: number): void {
    this.#next = setTimeout(() => {
      const leftMs = this.#limits.silenceMs - (performance.now() - this.#receivedMs);
      if (leftMs > 0) this.#watch(Math.ceil(leftMs));
      else this.#end("silence", this.#limits.silenceMs, "the answer paused for");
    }, delayMs);
  }

  #end(setting: string, ms: number, what: string): void {
    const { id } = this.#limits;
    const message = `provider "${id}": ${what} ${ms} ms (timeouts.${setting} in config/models.yaml)`;
    this.failure ??= new ModelFailure("MODEL_TIMED_OUT", message);
    this.#aborting.abort(this.failure);
  }
}
