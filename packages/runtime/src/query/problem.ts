import { HubError } from "../hub/hub-error.ts";

/** A list that was asked for in a way that cannot be answered. */
export function badQuery(field: string, message: string): HubError {
  return new HubError("invalid", "BATON-QUERY-001", `${field}: ${message}`, {
    fix: "docs/reference/api.md says how lists are filtered, ordered and paged",
    violations: [{ field, rule: "BATON-QUERY-001", message }],
  });
}
