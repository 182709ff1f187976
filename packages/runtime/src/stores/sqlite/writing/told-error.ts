/** Errors of the port on their way between threads: what is handed over loses its class. */
import { Conflict, type StoreErrorCode, StoreUnavailable } from "../../../ports/store-error.ts";
import { asStoreError } from "../errors.ts";

export type ToldError =
  | {
      readonly kind: "conflict";
      readonly pipelineId: string;
      readonly expectedVersion: number;
      readonly actualVersion: number;
    }
  | {
      readonly kind: "unavailable";
      readonly code: StoreErrorCode;
      readonly message: string;
      readonly fix: string;
      readonly mayPass: boolean;
      readonly cause: Error | undefined;
    };

/** What is told of an error that came up while the store at a place was written to. */
export function tellError(error: unknown, place: string): ToldError {
  const told = asStoreError(error, place);
  if (told instanceof Conflict) {
    const { pipelineId, expectedVersion, actualVersion } = told;
    return { kind: "conflict", pipelineId, expectedVersion, actualVersion };
  }
  const { code, message, fix, mayPass } = told;
  const cause = told.cause instanceof Error ? told.cause : undefined;
  return { kind: "unavailable", code, message, fix, mayPass, cause };
}

export function hearError(told: ToldError): Conflict | StoreUnavailable {
  if (told.kind === "conflict") {
    return new Conflict(told.pipelineId, told.expectedVersion, told.actualVersion);
  }
  const { code, message, fix, mayPass, cause } = told;
  return new StoreUnavailable(code, message, { fix, mayPass, cause });
}
