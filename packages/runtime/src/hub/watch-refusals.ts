import { HubError } from "./hub-error.ts";

/** For whoever would not notice that something is missing. */
export function gone(last: bigint, first: bigint): HubError {
  const message = `events ${last + 1n} to ${first - 1n} were removed because they were old; the first that is left is ${first}`;
  const violations = [{ field: "after_sequence", rule: "BATON-QUERY-003", message }];
  return new HubError("precondition", "BATON-QUERY-003", message, {
    fix: `read again what you show, and go on after ${first - 1n}`,
    violations,
  });
}

/** For whoever knows a number that was never given. */
export function beyond(after: bigint, end: bigint): HubError {
  const message = `there is no event ${after} yet: the last one is ${end}`;
  const violations = [{ field: "after_sequence", rule: "BATON-QUERY-002", message }];
  return new HubError("precondition", "BATON-QUERY-002", message, {
    fix: `read again what you show, and go on after ${end}; 0 begins with the first event there is`,
    violations,
  });
}
