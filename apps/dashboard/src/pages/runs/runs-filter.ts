import { quoted } from "../../hub/quoted.ts";
import { readWords } from "./search-words.ts";

/** What the list of runs is asked for. It is what the address says. */
export interface RunsFilter {
  readonly search: string;
  readonly status: string;
  readonly template: string;
  /** An instant: only runs that were submitted until then. */
  readonly before: string;
}

export const statuses = [
  ["", "All"],
  ["WAITING", "Waiting"],
  ["RUNNING", "Running"],
  ["PAUSED", "Paused"],
  ["COMPLETED", "Completed"],
  ["FAILED", "Failed"],
  ["ABORTED", "Aborted"],
] as const;

export function readFilter(query: URLSearchParams): RunsFilter {
  const asked = query.get("status") ?? "";
  // Addresses that were kept from before the state was called "waiting".
  const status = asked === "WAITS" ? "WAITING" : asked;
  const before = query.get("before") ?? "";
  return {
    search: query.get("q") ?? "",
    status: statuses.some(([name]) => name === status) ? status : "",
    template: query.get("template") ?? "",
    before: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(before) ? before : "",
  };
}

/** A run that waits for a person is in no other state, whatever the status of its pipeline is. */
function stateText(state: string): string {
  if (state === "WAITING") return "waits_for_person = true AND ended = false";
  const isOpen = state === "RUNNING" || state === "PAUSED";
  return isOpen ? `status = ${state} AND waits_for_person = false` : `status = ${state}`;
}

/** As the API reads it: docs/reference/api.md#lists. Whoever pastes an id means the run. */
export function filterText({ search, status, template, before }: RunsFilter): string {
  const { words, terms } = readWords(search);
  const isId = /^p-[0-9a-z]{6,}$/.test(words);
  return [
    ...(words === "" ? [] : [`${isId ? "pipeline_id" : "pipeline_name"} ~ ${quoted(words)}`]),
    ...terms,
    ...(status === "" ? [] : [stateText(status)]),
    ...(template === "" ? [] : [`template_id = ${quoted(template)}`]),
    ...(before === "" ? [] : [`created_at <= ${quoted(before)}`]),
  ].join(" AND ");
}
