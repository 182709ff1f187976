import { ArtifactAction, type GetAttemptChangesResponse } from "@baton/contract/messages";
import type { ReactNode } from "react";
import { PatchView } from "../../../design/diff-view.tsx";
import { VisibleText } from "../../../design/visible-text.tsx";
import { useChanges } from "../use-attempts.ts";
import { NotYet, Part, type TabProps } from "./tab.tsx";

/** The files that the agent reports, and the changes in the kept commits. */
export function ArtifactsTab({ stage, summary, attempt }: TabProps) {
  const { value: changes } = useChanges(summary);
  const result = attempt?.result;
  if (!result) return <NotYet stage={stage} what="Artifacts arrive with the result." />;
  return (
    <div className="stack">
      {result.artifacts.length === 0 && <p className="quiet">The agent reported no files.</p>}
      <ul className="artifacts">
        {result.artifacts.map((artifact) => (
          <FileRow key={artifact.path} path={artifact.path} action={artifact.action}>
            <code className="quiet clip digest" title={artifact.digest}>
              {artifact.digest}
            </code>
          </FileRow>
        ))}
      </ul>
      {changes && <Changes changes={changes} />}
    </div>
  );
}

/** The changes of an attempt, from the commits that the hub keeps. */
export function Changes({ changes }: { readonly changes: GetAttemptChangesResponse }) {
  const { patch, truncated, reason, baseCommit, commit } = changes;
  if (reason !== "") return <p className="quiet">Changes not available: {reason}.</p>;
  return (
    <Part title="Changes">
      <PatchView patch={patch} />
      {truncated && <p className="quiet">Truncated.</p>}
      <p className="quiet wrap">
        From <code>{baseCommit.slice(0, 12)}</code> to <code>{commit.slice(0, 12)}</code>.
      </p>
    </Part>
  );
}

const actions: Readonly<Record<ArtifactAction, { readonly word: string; readonly tone: string }>> = {
  [ArtifactAction.UNSPECIFIED]: { word: "touched", tone: "quiet" },
  [ArtifactAction.CREATED]: { word: "new", tone: "good" },
  [ArtifactAction.MODIFIED]: { word: "changed", tone: "busy" },
  [ArtifactAction.DELETED]: { word: "deleted", tone: "bad" },
};

interface FileRowProps {
  readonly path: string;
  readonly action: ArtifactAction;
  readonly children?: ReactNode;
}

export function FileRow({ path, action, children }: FileRowProps) {
  const { word, tone } = actions[action];
  return (
    <li className="row">
      <span className={`badge ${tone}`}>{word}</span>
      <code className="wrap">
        <VisibleText text={path} />
      </code>
      {children}
    </li>
  );
}
