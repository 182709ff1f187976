import { type Artifact, ArtifactAction } from "@baton/contract/messages";
import { NotYet } from "./not-yet.tsx";
import type { TabProps } from "./tab-props.ts";

const actions: Readonly<Record<ArtifactAction, { readonly word: string; readonly tone: string }>> = {
  [ArtifactAction.UNSPECIFIED]: { word: "touched", tone: "quiet" },
  [ArtifactAction.CREATED]: { word: "new", tone: "good" },
  [ArtifactAction.MODIFIED]: { word: "changed", tone: "busy" },
  [ArtifactAction.DELETED]: { word: "deleted", tone: "bad" },
};

/** The files that the agent says it touched. */
export function ArtifactsTab({ stage, attempt }: TabProps) {
  const result = attempt?.result;
  if (!result) return <NotYet stage={stage} what="Artifacts come with the agent's answer." />;
  return (
    <div className="stack">
      {result.artifacts.length === 0 && <p className="quiet">It touched no files.</p>}
      <ul className="artifacts">
        {result.artifacts.map((artifact) => (
          <ArtifactRow key={artifact.path} artifact={artifact} />
        ))}
      </ul>
      {result.commitSha !== "" && (
        <p className="quiet">
          Kept as commit <code>{result.commitSha}</code>.
        </p>
      )}
    </div>
  );
}

function ArtifactRow({ artifact }: { readonly artifact: Artifact }) {
  const { word, tone } = actions[artifact.action];
  return (
    <li className="row">
      <span className={`badge ${tone}`}>{word}</span>
      <code className="wrap">{artifact.path}</code>
      <code className="quiet clip digest" title={artifact.digest}>
        {artifact.digest}
      </code>
    </li>
  );
}
