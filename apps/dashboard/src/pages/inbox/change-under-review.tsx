import "./change.css";
import type { GetPipelineChangesResponse } from "@baton/contract/messages";
import { changeCommands, changeWarnings, shortCommit } from "@baton/kernel/deciding";
import { Command } from "../../design/code.tsx";
import { ProblemNotice } from "../../design/problem-notice.tsx";
import { inspection } from "../../hub/client.ts";
import { useLive } from "../../hub/use-live.ts";
import { Part, Texts } from "../run/tabs/tab.tsx";
import { ChangedFiles } from "./changed-files.tsx";
import { Size } from "./size.tsx";

interface ChangeUnderReviewProps {
  readonly dispatchId: string;
  /** The files that the agent reports, for changes that the hub cannot read. */
  readonly named: readonly string[] | undefined;
}

/** The whole change to decide on, since the base commit of the run. */
export function ChangeUnderReview({ dispatchId, named }: ChangeUnderReviewProps) {
  const { value: change, problem } = useLive(
    `change ${dispatchId}`,
    (signal) => inspection.getPipelineChanges({ dispatchId }, { signal }),
    { touches: (record) => record.dispatchId === dispatchId, disabled: dispatchId === "" },
  );
  if (problem && !change) return <ProblemNotice problem={problem} />;
  if (!change) return <div className="change-loading" aria-busy="true" />;
  if (change.reason !== "")
    return (
      <Part title="Change under review">
        <p className="notice">The change cannot be displayed: {change.reason}.</p>
        <Texts title="Files reported by the agent" texts={named} />
      </Part>
    );
  return <Change change={change} />;
}

function Change({ change }: { readonly change: GetPipelineChangesResponse }) {
  const { files, size, baseCommit, commit } = change;
  const warnings = changeWarnings(change);
  const { look, merge } = changeCommands(change);
  return (
    <section className="stack change" aria-label="Change under review">
      <div className="stack tight">
        <h3>Change under review</h3>
        <p className="muted">
          {size && <Size size={size} />}
          {files.length > 0 && (
            <>
              {" "}
              from <code>{shortCommit(baseCommit)}</code> to{" "}
              {commit === "" ? "the current folder" : <code>{shortCommit(commit)}</code>}
            </>
          )}
        </p>
      </div>
      {files.length === 0 && <p className="quiet">No changes since the run started.</p>}
      {warnings.length > 0 && (
        <ul className="notice asks change-warnings">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      <ChangedFiles files={files} />
      {look.length > 0 && (
        <Part title="View the full diff">
          {look.map((text) => (
            <Command key={text} text={text} />
          ))}
        </Part>
      )}
      {merge.length > 0 && (
        <Part title="Merge after approval">
          {merge.map((text) => (
            <Command key={text} text={text} />
          ))}
        </Part>
      )}
    </section>
  );
}
