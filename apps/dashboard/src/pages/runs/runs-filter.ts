import { quoted } from "../../hub/quoted.ts";

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
  ["WAITS", "Waits for you"],
  ["RUNNING", "Running"],
  ["PAUSED", "Paused"],
  ["COMPLETED", "Completed"],
  ["FAILED", "Failed"],
  ["ABORTED", "Aborted"],
] as const;

export function readFilter(query: URLSearchParams): RunsFilter {
  const status = query.get("status") ?? "";
  const before = query.get("before") ?? "";
  return {
    search: query.get("q") ?? "",
    status: statuses.some(([name]) => name === status) ? status : "",
    template: query.get("template") ?? "",
    before: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(before) ? before : "",
  };
}

/** As the API reads it: docs/reference/api.md#lists. Whoever pastes an id means the run. */
export function filterText({ search, status, template, before }: RunsFilter): string {
  const words = search.trim().slice(0, 200);
  const isId = /^p-[0-9a-z]{6,}$/.test(words);
  return [
    ...(words === "" ? [] : [`${isId ? "pipeline_id" : "pipeline_name"} ~ ${quoted(words)}`]),
    ...(status === "" ? [] : [status === "WAITS" ? "waits_for_person = true" : `status = ${status}`]),
    ...(template === "" ? [] : [`template_id = ${quoted(template)}`]),
    ...(before === "" ? [] : [`created_at <= ${quoted(before)}`]),
  ].join(" AND ");
}
