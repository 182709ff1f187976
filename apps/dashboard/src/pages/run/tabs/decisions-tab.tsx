import type { Decision } from "@baton/contract/messages";
import { NotYet, Part, type TabProps, Texts } from "./tab.tsx";

/** Decisions, risks and assumptions that the agent reports. */
export function DecisionsTab({ stage, attempt }: TabProps) {
  const out = attempt?.result?.contextOut;
  if (!attempt?.result) return <NotYet stage={stage} what="Decisions arrive with the result." />;
  const isEmpty =
    !out || out.decisionsMade.length + out.risksIdentified.length + out.assumptionsMade.length === 0;
  return (
    <div className="stack">
      {isEmpty && <p className="quiet">No decisions, risks or assumptions reported.</p>}
      {out && out.decisionsMade.length > 0 && (
        <Part title="Decisions">
          <Decisions decisions={out.decisionsMade} />
        </Part>
      )}
      <Texts title="Risks" texts={out?.risksIdentified} />
      <Texts title="Assumptions" texts={out?.assumptionsMade} />
      {out && out.rollbackNotes !== "" && (
        <Part title="Rollback">
          <p className="wrap">{out.rollbackNotes}</p>
        </Part>
      )}
    </div>
  );
}

export function Decisions({ decisions }: { readonly decisions: readonly Decision[] }) {
  return (
    <ul className="texts">
      {decisions.map(({ decisionId, description, rationale }) => (
        <li key={decisionId + description} className="wrap">
          {description}
          {rationale !== "" && <span className="muted"> — {rationale}</span>}
        </li>
      ))}
    </ul>
  );
}
