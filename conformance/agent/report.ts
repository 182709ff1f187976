import { Failed, Skipped } from "./failed.ts";
import { limits } from "./limits.ts";

export type Verdict =
  | { readonly verdict: "pass" }
  | { readonly verdict: "fail"; readonly expected: string; readonly seen: string }
  | { readonly verdict: "skip"; readonly why: string };

/** How an agent did in one case. */
export type CaseReport = Verdict & { readonly id: string; readonly title: string };

/** What it means that a case threw this. */
export function verdictOf(error: unknown): Verdict {
  if (error instanceof Skipped) return { verdict: "skip", why: error.message };
  if (error instanceof Failed)
    return { verdict: "fail", expected: error.expected, seen: shorten(error.seen) };
  throw error;
}

/** A violation of the contract during the case fails it, or explains its failure. */
export function withComplaints(ended: Verdict, complaints: readonly string[]): Verdict {
  if (complaints.length === 0) return ended;
  const seen = complaints.join("; ");
  if (ended.verdict === "fail") return verdictOf(new Failed(ended.expected, `${ended.seen}; ${seen}`));
  return verdictOf(new Failed("only what the contract allows", seen));
}

/** One line a case. */
export function lineOf(report: CaseReport): string {
  const what = `${report.verdict}  ${report.id}: ${report.title}`;
  if (report.verdict === "pass") return what;
  if (report.verdict === "skip") return `${what}; skipped: ${report.why}`;
  return `${what}; expected ${report.expected}; saw ${report.seen}`;
}

/** The last line. */
export function countsOf(reports: readonly CaseReport[]): string {
  const count = (verdict: Verdict["verdict"]) =>
    reports.filter((report) => report.verdict === verdict).length;
  const skipped = count("skip") > 0 ? `, ${count("skip")} skipped` : "";
  return `${count("pass")} passed, ${count("fail")} failed${skipped}`;
}

/** What an agent says goes to a terminal: on one line, without control characters, and not all of it. */
function shorten(text: string): string {
  const plain = text.replaceAll(/\p{Cc}+/gu, " ");
  return plain.length <= limits.seenLength
    ? plain
    : `${plain.slice(0, limits.seenLength).toWellFormed()} […]`;
}
