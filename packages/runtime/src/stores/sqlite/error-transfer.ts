/** Errors of the port in messages between threads, where they lose their class. */
import { Conflict, OutOfSequence, type StoreErrorCode, StoreUnavailable } from "../../ports/store-error.ts";
import { asStoreError, type CommitError } from "./errors.ts";

export type TransferredError =
  | {
      readonly kind: "conflict";
      readonly pipelineId: string;
      readonly expectedVersion: number;
      readonly actualVersion: number;
    }
  | {
      readonly kind: "out-of-sequence";
      readonly writer: string;
      readonly sequence: number;
      readonly last: number;
    }
  | {
      readonly kind: "unavailable";
      readonly code: StoreErrorCode;
      readonly message: string;
      readonly fix: string;
      readonly mayPass: boolean;
      readonly cause: Error | undefined;
    };

/** Converts an error that occurred while the store in `directory` was used. */
export function toTransferred(error: unknown, directory: string): TransferredError {
  const converted = asStoreError(error, directory);
  if (converted instanceof Conflict) {
    const { pipelineId, expectedVersion, actualVersion } = converted;
    return { kind: "conflict", pipelineId, expectedVersion, actualVersion };
  }
  if (converted instanceof OutOfSequence) {
    const { writer, sequence, last } = converted;
    return { kind: "out-of-sequence", writer, sequence, last };
  }
  const { code, message, fix, mayPass } = converted;
  const cause = converted.cause instanceof Error ? converted.cause : undefined;
  return { kind: "unavailable", code, message, fix, mayPass, cause };
}

export function fromTransferred(error: TransferredError): CommitError {
  if (error.kind === "conflict") {
    return new Conflict(error.pipelineId, error.expectedVersion, error.actualVersion);
  }
  if (error.kind === "out-of-sequence") return new OutOfSequence(error.writer, error.sequence, error.last);
  const { code, message, fix, mayPass, cause } = error;
  return new StoreUnavailable(code, message, { fix, mayPass, cause });
}
