import { Endpoint } from "./endpoint.ts";
import { Deviation, Notes, type Row, Skipped } from "./row.ts";
import { rows } from "./rows.ts";
import type { EndpointOptions } from "./usage.ts";

export interface RowReport {
  readonly id: string;
  readonly title: string;
  readonly verdict: "pass" | "fail" | "skip";
  /** What was sent and seen, or why it failed or was skipped. */
  readonly detail: string;
}

/** Checks an endpoint, one row after the other. Rejects when it cannot be reached. */
export async function checkEndpoint(
  options: EndpointOptions,
  onRow: (report: RowReport) => void = () => {},
): Promise<readonly RowReport[]> {
  const endpoint = new Endpoint(options);
  const reports: RowReport[] = [];
  for (const row of rows) {
    const report = await run(row, endpoint);
    reports.push(report);
    onRow(report);
  }
  return reports;
}

async function run({ id, title, check }: Row, endpoint: Endpoint): Promise<RowReport> {
  const notes = new Notes();
  try {
    await check(endpoint, notes);
    return { id, title, verdict: "pass", detail: notes.text };
  } catch (error) {
    if (error instanceof Deviation) return { id, title, verdict: "fail", detail: error.message };
    if (error instanceof Skipped) return { id, title, verdict: "skip", detail: error.message };
    throw error;
  }
}

export function lineOf({ id, title, verdict, detail }: RowReport): string {
  return `${verdict}  ${id}: ${title}; ${detail}`;
}

export function countsOf(reports: readonly RowReport[]): string {
  const count = (verdict: RowReport["verdict"]) =>
    reports.filter((report) => report.verdict === verdict).length;
  const skipped = count("skip") > 0 ? `, ${count("skip")} skipped` : "";
  return `${count("pass")} passed, ${count("fail")} failed${skipped}`;
}
