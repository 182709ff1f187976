import type { EvaluationTotals } from "@baton/kernel/deciding";
import { costText, grouped } from "../../design/spent.ts";
import { changeText, percentText, timeText } from "./numbers.ts";

interface VersionTotalsProps {
  readonly version: string;
  readonly totals: EvaluationTotals;
  /** The version that it is compared with. */
  readonly before: EvaluationTotals | undefined;
}

/** A version in numbers: pass rate, cost, time, and the checks that failed. */
export function VersionTotals({ version, totals, before }: VersionTotalsProps) {
  const { runs, passed, open, passRate, costMicroUsd, costUnknown, tokens, meanMs, failedChecks } = totals;
  const cost = costText({ costMicroUsd: BigInt(costMicroUsd), costUnknown }) || "none stated";
  return (
    <section className="card eval-version" aria-label={`Version ${version}`}>
      <header>
        <h2>{version}</h2>
        {before && <span className="quiet">{changeText(before.passRate, passRate)}</span>}
      </header>
      <p className="eval-rate">
        <strong>{percentText(passRate)}</strong>{" "}
        <span className="quiet">
          {passed} of {runs.length} passed{open > 0 && `, ${open} not judged`}
        </span>
      </p>
      <svg className="spend-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect className={(passRate ?? 1) < 1 ? "eval-failed" : "spend-track"} width={100} height={6} />
        <rect className="eval-passed" width={(passRate ?? 0) * 100} height={6} />
      </svg>
      <dl>
        <dt>Cost</dt>
        <dd>{cost}</dd>
        <dt>Tokens</dt>
        <dd>{grouped(BigInt(tokens))}</dd>
        <dt>Time of a run</dt>
        <dd>{timeText(meanMs)}</dd>
        <dt>Failed checks</dt>
        <dd>
          {failedChecks.length === 0
            ? "none"
            : failedChecks.map(([check, times]) => `${check} (${times})`).join(", ")}
        </dd>
      </dl>
    </section>
  );
}
