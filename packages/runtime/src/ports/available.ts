import { HubError } from "./hub-error.ts";
import { type StoreErrorCode, StoreUnavailable } from "./store-error.ts";

/** Converts failures of the store to `HubError`. */
export function available<Value>(reading: Promise<Value>): Promise<Value> {
  return reading.catch((error: unknown): never => {
    throw notNow(error);
  });
}

const retryAfterMs = 1_000;

/** The store failed: nothing was done, and a retry may succeed. */
function notNow(error: unknown): HubError {
  const known = error instanceof StoreUnavailable;
  const message = inPublic(error);
  return new HubError("unavailable", known ? error.code : "BATON-HUB-002", message, {
    fix: known ? error.fix : "try again; if it stays so, look into the hub's log",
    retryAfterMs,
    cause: error,
  });
}

/** Without paths and ids, which only the log has: callers may belong to any tenant. */
export function inPublic(error: unknown): string {
  return error instanceof StoreUnavailable ? troubles[error.code] : "the hub cannot store anything now";
}

const troubles: Readonly<Record<StoreErrorCode, string>> = {
  "BATON-STORE-001": "another process has the store",
  "BATON-STORE-002": "a later version of Baton has written to the store",
  "BATON-STORE-003": "something that is stored is damaged",
  "BATON-STORE-004": "there is no room left where the hub stores",
  "BATON-STORE-005": "the hub must not write to its store",
  "BATON-STORE-006": "the store cannot be reached",
  "BATON-STORE-007": "the place for the backup cannot be used",
  "BATON-STORE-008": "the hub cannot store this: a mistake of its own",
  "BATON-STORE-009": "the hub's key for its record cannot be used",
  "BATON-STORE-010": "the key that opens the store cannot be used",
  "BATON-STORE-011": "the key that opens the store is another one",
};
