import { type Artifact, ArtifactAction, type GetAttemptChangesResponse } from "@baton/contract/messages";
import { PatchView } from "../../../design/patch-view.tsx";
import { VisibleText } from "../../../design/visible-text.tsx";
import { useChanges } from "../use-changes.ts";
import { NotYet } from "./not-yet.tsx";
import type { TabProps } from "./tab-props.ts";
import { Part } from "./texts.tsx";

const actions: Readonly<Record<ArtifactAction, { readonly word: string; readonly tone: string }>> = {
  [ArtifactAction.UNSPECIFIED]: { word: "touched", tone: "quiet" },
  [ArtifactAction.CREATED]: { word: "new", tone: "good" },
  [ArtifactAction.MODIFIED]: { word: "changed", tone: "busy" },
  [ArtifactAction.DELETED]: { word: "deleted", tone: "bad" },
};

/** The files that the agent says it touched, and what the hub saw. */
export function ArtifactsTab({ stage, summary, attempt }: TabProps) {
  const { value: changes } = useChanges(summary);
  const result = attempt?.result;
  if (!result) return <NotYet stage={stage} what="Artifacts come with the agent's answer." />;
  return (
    <div className="stack">
      {result.artifacts.length === 0 && <p className="quiet">The agent reported no files.</p>}
      <ul className="artifacts">
        {result.artifacts.map((artifact) => (
          <ArtifactRow key={artifact.path} artifact={artifact} />
        ))}
      </ul>
      {changes && <Changes changes={changes} />}
    </div>
  );
}

/** The hub's own look at what was changed, from the commits that it keeps. */
export function Changes({ changes }: { readonly changes: GetAttemptChangesResponse }) {
  const { patch, truncated, reason, baseCommit, commit } = changes;
  if (reason !== "") return <p className="quiet">No changes to show: {reason}.</p>;
  return (
    <Part title="Changes seen by the hub">
      <PatchView patch={patch} />
      {truncated && <p className="quiet">Only the beginning is shown.</p>}
      <p className="quiet wrap">
        From <code>{baseCommit.slice(0, 12)}</code> to <code>{commit.slice(0, 12)}</code>, which is kept.
      </p>
    </Part>
  );
}

function ArtifactRow({ artifact }: { readonly artifact: Artifact }) {
  const { word, tone } = actions[artifact.action];
  return (
    <li className="row">
      <span className={`badge ${tone}`}>{word}</span>
      <code className="wrap">
        <VisibleText text={artifact.path} />
      </code>
      <code className="quiet clip digest" title={artifact.digest}>
        {artifact.digest}
      </code>
    </li>
  );
}
