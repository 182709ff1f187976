import type { ConstitutionRule, GetConstitutionResponse } from "@baton/contract/messages";
import { Empty } from "../../design/empty.tsx";

/** The constitution in force, with how often each check fired and people overruled it. */
export function ConstitutionCard({ constitution }: { readonly constitution: GetConstitutionResponse }) {
  const { digest, version, description, rules, decisions } = constitution;
  return (
    <section className="card" aria-labelledby="constitution">
      <header>
        <h2 id="constitution">Constitution</h2>
        <span className="quiet">
          {digest === ""
            ? "none"
            : `version ${version}, digest ${digest.slice(0, 12)}, ${decisions} decisions`}
        </span>
      </header>
      {digest === "" ? (
        <Empty title="No constitution">
          <p>To write one, follow docs/how-to/write-a-constitution.md.</p>
        </Empty>
      ) : (
        <div className="card-body stack">
          {description !== "" && <p className="muted">{description}</p>}
          <ul className="texts">
            {rules.map((rule) => (
              <RuleItem key={`${rule.principle} ${rule.check}`} rule={rule} />
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function RuleItem({ rule }: { readonly rule: ConstitutionRule }) {
  const { principle, isConstraint, severity, check, kind, on, checked, fired, escalated, overruled } = rule;
  const reads = on === "both" ? "task and output" : on;
  return (
    <li className="wrap">
      <strong>{principle}</strong>{" "}
      <span className="quiet">
        {isConstraint ? "constraint" : "principle"}, {severity}
      </span>
      {check === "" ? (
        <div className="quiet">no checks</div>
      ) : (
        <div>
          <code>{check}</code>{" "}
          <span className="quiet">
            {kind}, reads {reads}:
          </span>{" "}
          fired {fired} of {checked} times
          {escalated > 0 && `, failed to run ${escalated} times`}
          {overruled > 0 && `, overruled ${overruled} times`}
        </div>
      )}
    </li>
  );
}
