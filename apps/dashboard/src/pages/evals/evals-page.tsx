import "../spend/spend.css";
import "./evals.css";
import { compareVersions, type EvaluatedRun, evaluationLabels, versionsOf } from "@baton/kernel/deciding";
import { Empty } from "../../design/empty.tsx";
import { ProblemNotice } from "../../design/problem-notice.tsx";
import { setQuery, useQuery } from "../../router/location.ts";
import { useTitle } from "../../shell/use-title.ts";
import { ComparedTable } from "./compared-table.tsx";
import { useEvaluatedRuns } from "./use-evaluated-runs.ts";
import { VersionTotals } from "./version-totals.tsx";

/** Evaluations: pass rates, cost and time of the versions of a workflow, side by side (SACP §10). */
export function EvalsPage() {
  useTitle("Evals");
  const query = useQuery();
  const { value, problem } = useEvaluatedRuns();
  const runs = value?.runs ?? [];
  const names = [...new Set(runs.map(({ name }) => name))];
  const name = names.find((one) => one === query.get("eval")) ?? names[0] ?? "";
  const own = runs.filter((run) => run.name === name);
  const versions = versionsOf(own);
  const version = versions.find((one) => one === query.get("version")) ?? versions[0] ?? "";
  const before = chosenBefore(query.get("compare"), versions, version);
  return (
    <div className="stack">
      <div className="page-head">
        <h1>Evals</h1>
        <span className="spring" />
        {names.length > 0 && (
          <div className="evals-choice">
            <Picker
              label="Evaluation"
              value={name}
              options={names}
              onPick={(one) => setQuery({ eval: one, version: "", compare: "" })}
            />
            <Picker
              label="Version"
              value={version}
              options={versions}
              onPick={(one) => setQuery({ eval: name, version: one })}
            />
            <Picker
              label="Compared with"
              value={before ?? none}
              options={[none, ...versions.filter((one) => one !== version)]}
              onPick={(one) => setQuery({ eval: name, version, compare: one })}
            />
          </div>
        )}
      </div>
      {problem && <ProblemNotice problem={problem} />}
      {!value && !problem && <div className="card runs-loading" aria-busy="true" />}
      {value && names.length === 0 && <NoEvals />}
      {value && names.length > 0 && (
        <Results runs={own} versions={before === undefined ? [version] : [before, version]} />
      )}
      {value?.hasMore && (
        <p className="quiet">Only the newest runs are counted. Others are found by their labels.</p>
      )}
    </div>
  );
}

const none = "nothing";

/** By default the version before. */
function chosenBefore(
  asked: string | null,
  versions: readonly string[],
  version: string,
): string | undefined {
  if (asked === none) return undefined;
  const found = versions.find((one) => one === asked && one !== version);
  return found ?? versions[versions.indexOf(version) + 1];
}

interface ResultsProps {
  readonly runs: readonly EvaluatedRun[];
  readonly versions: readonly string[];
}

function Results({ runs, versions }: ResultsProps) {
  const compared = compareVersions(runs, versions);
  return (
    <>
      <div className="evals-versions">
        {compared.versions.map(({ version, totals }, at) => (
          <VersionTotals
            key={version}
            version={version}
            totals={totals}
            before={at > 0 ? compared.versions[0]?.totals : undefined}
          />
        ))}
      </div>
      <ComparedTable compared={compared} />
    </>
  );
}

interface PickerProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  readonly onPick: (option: string) => void;
}

function Picker({ label, value, options, onPick }: PickerProps) {
  return (
    <label>
      <span className="quiet" aria-hidden="true">
        {label}
      </span>
      <select
        className="input"
        aria-label={label}
        value={value}
        onChange={({ target }) => onPick(target.value)}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {option}
          </option>
        ))}
      </select>
    </label>
  );
}

function NoEvals() {
  return (
    <div className="card">
      <Empty title="No evaluations yet">
        <p>
          An evaluation runs a workflow over a set of cases and judges the answers. Its runs have the label{" "}
          <code>{evaluationLabels.kind}</code>.
        </p>
        <pre>
          <code>npx baton eval evals/find-the-email.yaml --as first</code>
        </pre>
      </Empty>
    </div>
  );
}
