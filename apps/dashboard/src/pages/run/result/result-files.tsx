import { ArtifactAction, type Pipeline } from "@baton/contract/messages";
import { VisibleText } from "../../../design/visible-text.tsx";
import { Part } from "../tabs/texts.tsx";
import type { ResultFiles } from "./use-files.ts";

/** More are in the artifacts of the stages. */
const most = 20;

const actions: Readonly<Record<ArtifactAction, { readonly word: string; readonly tone: string }>> = {
  [ArtifactAction.UNSPECIFIED]: { word: "touched", tone: "quiet" },
  [ArtifactAction.CREATED]: { word: "new", tone: "good" },
  [ArtifactAction.MODIFIED]: { word: "changed", tone: "busy" },
  [ArtifactAction.DELETED]: { word: "deleted", tone: "bad" },
};

interface ResultFilesProps {
  readonly pipeline: Pipeline;
  readonly read: ResultFiles | undefined;
}

/** Files of the kept commits, then what agents name besides them. */
export function ResultFileList({ pipeline, read }: ResultFilesProps) {
  const files = read?.files ?? [];
  const inCommits = new Set(files.map(({ path }) => path));
  const named = (pipeline.summary?.artifacts ?? []).filter(({ path }) => !inCommits.has(path));
  const more = files.length - Math.min(most, files.length) + (read?.leftOut ?? 0);
  const isKnown = read !== undefined;
  return (
    <>
      {(files.length > 0 || Number.isNaN(more)) && (
        <Part title="Files">
          <ul className="artifacts">
            {files.slice(0, most).map(({ path, action, addedLines, removedLines }) => (
              <li key={path} className="row">
                <span className={`badge ${actions[action].tone}`}>{actions[action].word}</span>
                <code className="wrap">
                  <VisibleText text={path} />
                </code>
                <span className="quiet">
                  +{addedLines} −{removedLines}
                </span>
              </li>
            ))}
          </ul>
          {more > 0 && <p className="quiet">and {more} more</p>}
          {Number.isNaN(more) && <p className="quiet">The changes could not all be read.</p>}
        </Part>
      )}
      {isKnown && named.length > 0 && (
        <Part title="Artifacts">
          <ul className="artifacts">
            {named.slice(0, most).map(({ path, action }) => (
              <li key={path} className="row">
                <span className={`badge ${actions[action].tone}`}>{actions[action].word}</span>
                <code className="wrap">
                  <VisibleText text={path} />
                </code>
              </li>
            ))}
          </ul>
          {named.length > most && <p className="quiet">and {named.length - most} more</p>}
        </Part>
      )}
    </>
  );
}
