import type { ComparedCase, ComparedVersions, EvaluatedRun, EvaluationTotals } from "@baton/kernel/deciding";
import { Fragment } from "react";
import { Sign } from "../../design/signs.tsx";
import { costText } from "../../design/spent.ts";
import { Link } from "../../router/link.tsx";
import { runAddress } from "../../router/routes.ts";
import { timeText } from "./numbers.ts";

/** Case by case, with a link to each run. Cases whose verdicts differ between the versions are marked. */
export function ComparedTable({ compared }: { readonly compared: ComparedVersions }) {
  const { versions, cases } = compared;
  return (
    <section className="card" aria-labelledby="cases">
      <header>
        <h2 id="cases">Cases</h2>
        <span className="quiet">{differenceText(cases)}</span>
      </header>
      <div className="table-frame" tabIndex={0} role="group" aria-label="Results by case">
        <table className="table eval-table">
          <thead>
            <tr>
              <th scope="col" rowSpan={2}>
                Case
              </th>
              {versions.map(({ version }) => (
                <th key={version} scope="colgroup" colSpan={3} className="eval-version-head">
                  {version}
                </th>
              ))}
              <th scope="col" rowSpan={2}>
                Failed checks
              </th>
            </tr>
            <tr>
              {versions.map(({ version }) => (
                <Fragment key={version}>
                  <th scope="col" className="eval-version-head">
                    Runs
                  </th>
                  <th scope="col">Cost</th>
                  <th scope="col">Time</th>
                </Fragment>
              ))}
            </tr>
          </thead>
          <tbody>
            {cases.map((one) => (
              <CaseRow key={one.caseId} one={one} names={versions.map(({ version }) => version)} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function CaseRow({ one, names }: { readonly one: ComparedCase; readonly names: readonly string[] }) {
  const checks = one.versions.at(-1)?.failedChecks ?? [];
  return (
    <tr className={isDifferent(one) ? "eval-different" : undefined}>
      <th scope="row">{one.caseId}</th>
      {one.versions.map((totals, at) => (
        <Fragment key={names[at]}>
          <td className="eval-version-head">
            <Verdicts runs={totals.runs} />
          </td>
          <td>{costOf(totals)}</td>
          <td>{timeText(totals.meanMs)}</td>
        </Fragment>
      ))}
      <td className="eval-checks">
        {checks.map(([check, times]) => (times > 1 ? `${check} (${times})` : check)).join(", ")}
      </td>
    </tr>
  );
}

const verdicts = {
  passed: { sign: "done", tone: "good" },
  failed: { sign: "failed", tone: "bad" },
  open: { sign: "pending", tone: "quiet" },
} as const;

/** A sign for each run. */
function Verdicts({ runs }: { readonly runs: readonly EvaluatedRun[] }) {
  if (runs.length === 0) return <span className="quiet">not run</span>;
  return (
    <span className="eval-runs">
      {runs.map(({ runId, verdict }, at) => (
        <Link
          key={runId}
          href={runAddress(runId)}
          className={`eval-run ${verdicts[verdict].tone}`}
          aria-label={`Run ${at + 1}: ${verdict === "open" ? "not judged" : verdict}`}
        >
          <Sign name={verdicts[verdict].sign} />
        </Link>
      ))}
    </span>
  );
}

function costOf({ costMicroUsd, costUnknown }: EvaluationTotals): string {
  return costText({ costMicroUsd: BigInt(costMicroUsd), costUnknown }) || "–";
}

function isDifferent({ versions: [before, now] }: ComparedCase): boolean {
  return before?.passRate !== undefined && now?.passRate !== undefined && before.passRate !== now.passRate;
}

function differenceText(cases: readonly ComparedCase[]): string {
  const differ = cases.filter(isDifferent);
  if ((cases[0]?.versions.length ?? 0) < 2) return "";
  const better = differ.filter(
    ({ versions: [before, now] }) => (now?.passRate ?? 0) > (before?.passRate ?? 0),
  ).length;
  const worse = differ.length - better;
  return differ.length === 0
    ? "All pass as often in both versions"
    : `${better} better, ${worse} worse, ${cases.length - differ.length} the same`;
}
