import { quoted } from "../../hub/read-pages.ts";
import { readWords } from "./search-words.ts";

/** The filter of the list, as in the address. */
export interface RunsFilter {
  readonly search: string;
  readonly status: string;
  readonly template: string;
  /** Only runs submitted until this time. */
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
  // Bookmarks may use the former name of this state.
  const status = asked === "WAITS" ? "WAITING" : asked;
  const before = query.get("before") ?? "";
  return {
    search: query.get("q") ?? "",
    status: statuses.some(([name]) => name === status) ? status : "",
    template: query.get("template") ?? "",
    before: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(before) ? before : "",
  };
}

/** A waiting run is in no other state, whatever the status of its pipeline. */
function stateText(state: string): string {
  if (state === "WAITING") return "waits_for_person = true AND ended = false";
  const isOpen = state === "RUNNING" || state === "PAUSED";
  return isOpen ? `status = ${state} AND waits_for_person = false` : `status = ${state}`;
}

/** In the filter language of the API: docs/reference/api.md#lists. A pasted id matches the run id. */
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
