import { setTimeout as sleep } from "node:timers/promises";
import { backoffDelayMs } from "@baton/contract";
import { failureOf, ModelFailure, missingKey } from "../failure.ts";
import { limits } from "../limits.ts";
import type { CallableModel } from "./replaced-calls.ts";
import type { ModelReply } from "./reply.ts";
import { type ModelRequest, streamCall } from "./stream-call.ts";

export interface CallOptions {
  /** Ends the attempt. Its reason is thrown. */
  readonly signal: AbortSignal;
  /** The time left for the attempt. */
  readonly leftMs: () => number;
  /** Receives reasoning and text, piece by piece. */
  readonly onPiece: (piece: string) => void;
  /** Whether a piece of the current call was published: then it cannot be repeated unnoticed. */
  readonly isPublished: () => boolean;
  /** Pieces of a failed try that were not published are dropped. */
  readonly onDropped: () => void;
}

/**
 * Calls the models in order until one answers. Each is tried again while it is overloaded or unreachable, with the delay
 * that the provider asks for, as long as the attempt has time. Rejects with a `ModelFailure`.
 */
export async function callModel(
  models: readonly CallableModel[],
  request: ModelRequest,
  options: CallOptions,
): Promise<ModelReply> {
  let failure: ModelFailure | undefined;
  for (const [index, model] of models.entries()) {
    const isLast = index === models.length - 1;
    const outcome = await tryModel(model, request, options, isLast);
    if (!(outcome instanceof ModelFailure)) return outcome;
    // The reason of the preferred model is the one to act on, unless only a later one is worth another attempt.
    failure = failure === undefined || (outcome.retryable && !failure.retryable) ? outcome : failure;
    if (!outcome.fallsBack || options.isPublished()) break;
  }
  throw failure ?? new ModelFailure("MODEL_UNKNOWN", "no model is configured");
}

async function tryModel(
  model: CallableModel,
  request: ModelRequest,
  options: CallOptions,
  isLast: boolean,
): Promise<ModelReply | ModelFailure> {
  const { signal, leftMs, onPiece, isPublished, onDropped } = options;
  const tries = isLast ? limits.tries : limits.triesBeforeFallback;
  for (let count = 1; ; count++) {
    try {
      if (model.missingKey !== undefined) throw missingKey(model.provider, model.missingKey);
      return await model.queue(async () => {
        signal.throwIfAborted();
        const { call } = model;
        return call ? call(request, signal, onPiece) : streamCall(model, request, signal, onPiece);
      });
    } catch (error) {
      signal.throwIfAborted();
      const failure = failureOf(error, model);
      if (!failure.retryable || isPublished() || count >= tries) return failure;
      onDropped();
      const delayMs = failure.waitMs ?? jitter(count);
      const isTooLong = delayMs >= leftMs() || (!isLast && delayMs > limits.waitBeforeFallbackMs);
      if (isTooLong) return failure;
      await sleep(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

function jitter(failures: number): number {
  return (
    Math.random() * backoffDelayMs(failures, { firstMs: limits.retryFirstMs, maxMs: limits.retryMostMs })
  );
}
