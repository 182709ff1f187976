import type { CatalogueModel, ModelProvider } from "@baton/kernel";
import { missingKey } from "../failure.ts";
import type { OpenModel } from "../providers/open-models.ts";
import type { ModelReply } from "./reply.ts";
import { type ModelRequest, streamCall } from "./stream-call.ts";

/** Answers the calls of an agent instead of its providers, in tests. */
export interface ModelCalls {
  /** Rejects with a `ModelFailure`. */
  call(call: ModelCall): Promise<ModelReply>;
}

/** One try of one call. */
export interface ModelCall {
  readonly model: CatalogueModel;
  readonly provider: ModelProvider;
  readonly request: ModelRequest;
  /** Ends the attempt. Its reason is thrown. */
  readonly signal: AbortSignal;
  /** Receives reasoning and text, piece by piece. */
  readonly onPiece: (piece: string) => void;
  /** The keys of providers, which must not be stored. */
  readonly keys: readonly string[];
  /** Calls the provider. */
  callProvider(): Promise<ModelReply>;
}

/** A model with the calls that are made instead of its own. */
export interface CallableModel extends OpenModel {
  readonly call?: (
    request: ModelRequest,
    signal: AbortSignal,
    onPiece: (piece: string) => void,
  ) => Promise<ModelReply>;
}

/** A model needs no key for calls that its provider does not get. */
export function withCalls(open: OpenModel, calls: ModelCalls, keys: readonly string[]): CallableModel {
  const { model, provider, missingKey: variable } = open;
  return {
    ...open,
    missingKey: undefined,
    call: (request, signal, onPiece) =>
      calls.call({
        ...{ model, provider, request, signal, onPiece, keys },
        callProvider: async () => {
          if (variable !== undefined) throw missingKey(provider, variable);
          return streamCall(open, request, signal, onPiece);
        },
      }),
  };
}
