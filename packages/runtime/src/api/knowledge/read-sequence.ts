import { HubError } from "../../ports/hub-error.ts";

/** The page token of lists of knowledge; undefined for the first page. */
export function readSequence(pageToken: string): number | undefined {
  if (pageToken === "") return undefined;
  const sequence = Number(pageToken);
  if (/^\d+$/.test(pageToken) && Number.isSafeInteger(sequence)) return sequence;
  const message = "it is no page token of this list";
  throw new HubError("invalid", "BATON-QUERY-001", message, {
    fix: "use next_page_token of the page before, or leave it out",
    violations: [{ field: "page_token", rule: "BATON-QUERY-001", message }],
  });
}
