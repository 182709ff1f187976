import { ArtifactAction, type BranchRewind, type RewindPreview, RiskKind } from "@baton/contract/messages";
import { Badge, pipelineLook, stageStatusLook } from "../../../design/status.tsx";

export function PreviewView({ preview }: { readonly preview: RewindPreview }) {
  const { stages, branches, note, statusNow, statusThen } = preview;
  return (
    // Takes the focus so that the keyboard can scroll it.
    <div className="rewind-preview" role="group" aria-label="What changes" tabIndex={0}>
      <div className="row">
        <strong>The run</strong>
        <Badge {...pipelineLook(statusNow)} />
        <span aria-hidden="true">→</span>
        <Badge {...pipelineLook(statusThen)} />
      </div>
      {stages.length > 0 && (
        <table className="table">
          <caption className="sr">Stages that change</caption>
          <thead>
            <tr>
              <th scope="col">Stage</th>
              <th scope="col">Now</th>
              <th scope="col">Then</th>
            </tr>
          </thead>
          <tbody>
            {stages.map((stage) => (
              <tr key={stage.stageId}>
                <td className="wrap">{stage.stageId}</td>
                <td>
                  <Badge {...stageStatusLook(stage.statusNow)} /> {attempt(stage.attemptNow)}
                </td>
                <td>
                  <Badge {...stageStatusLook(stage.statusThen)} />{" "}
                  {stage.sentAnew ? (
                    <span className="quiet">dispatched again</span>
                  ) : (
                    attempt(stage.attemptThen)
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {branches.map((branch) => (
        <BranchView key={branch.branch} branch={branch} />
      ))}
      {branches.length === 0 && note === "" && <p className="quiet">No branch changes.</p>}
      {note !== "" && <p className="notice asks">{note}</p>}
    </div>
  );
}

function attempt(number: number) {
  return number > 0 ? <span className="quiet">attempt {number}</span> : null;
}

function BranchView({ branch }: { readonly branch: BranchRewind }) {
  const { branch: name, commitNow, commitThen, givenUp, regained, files } = branch;
  return (
    <section className="rewind-branch" aria-label={name}>
      <p>
        <code className="wrap">{name}</code>{" "}
        <span className="quiet mono">
          {commitNow.slice(0, 10) || "none"} → {commitThen.slice(0, 10) || "none"}
        </span>
      </p>
      <ul>
        {givenUp.map(({ commit, subject }) => (
          <li key={commit} className="gives-up">
            <span className="mono">− {commit.slice(0, 10)}</span> {subject}
          </li>
        ))}
        {regained.map(({ commit, subject }) => (
          <li key={commit} className="regains">
            <span className="mono">+ {commit.slice(0, 10)}</span> {subject}
          </li>
        ))}
        {files.map(({ path, action }) => (
          <li key={path} className="quiet">
            {actions[action] ?? "changes"} <code className="wrap">{path}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

const actions: Readonly<Record<ArtifactAction, string>> = {
  [ArtifactAction.UNSPECIFIED]: "changes",
  [ArtifactAction.CREATED]: "restores",
  [ArtifactAction.MODIFIED]: "changes",
  [ArtifactAction.DELETED]: "removes",
};

interface AtRiskProps {
  readonly preview: RewindPreview;
  readonly discard: boolean;
  readonly onDiscard: (discard: boolean) => void;
}

/** What the rewind would overwrite, and the confirmation for it. */
export function AtRisk({ preview: { atRisk }, discard, onDiscard }: AtRiskProps) {
  if (atRisk.length === 0) return null;
  const isBlocked = atRisk.some(({ kind }) => kind === RiskKind.CHECKED_OUT);
  return (
    <div className="notice bad">
      <ul>
        {atRisk.map(({ kind, branch, detail }) => (
          <li key={`${kind} ${branch}`}>
            <code>{branch}</code> {risks[kind] ?? ""}: {detail}
          </li>
        ))}
      </ul>
      {isBlocked ? (
        <span>Check out another branch there first. The hub does not change a checked-out branch.</span>
      ) : (
        <label className="rewind-discard">
          <input type="checkbox" checked={discard} onChange={(event) => onDiscard(event.target.checked)} />
          Discard it. A copy is kept in the repository.
        </label>
      )}
    </div>
  );
}

const risks: Readonly<Record<RiskKind, string>> = {
  [RiskKind.UNSPECIFIED]: "is at risk",
  [RiskKind.UNCOMMITTED]: "has uncommitted changes",
  [RiskKind.FOREIGN]: "has commits that the hub did not make",
  [RiskKind.CHECKED_OUT]: "is checked out",
};
