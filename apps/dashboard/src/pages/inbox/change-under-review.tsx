import "./change.css";
import type { GetPipelineChangesResponse } from "@baton/contract/messages";
import { changeCommands, changeWarnings, shortCommit } from "@baton/kernel/deciding";
import { Command } from "../../design/command.tsx";
import { Trouble } from "../../design/trouble.tsx";
import { Part, Texts } from "../run/tabs/texts.tsx";
import { ChangedFiles } from "./changed-files.tsx";
import { Size } from "./size.tsx";
import { useChange } from "./use-change.ts";

interface ChangeUnderReviewProps {
  readonly dispatchId: string;
  /** The files that the agent names, for where the hub has seen none. */
  readonly named: readonly string[] | undefined;
}

/** The whole change that is to be decided about, from the commit that the run began with. */
export function ChangeUnderReview({ dispatchId, named }: ChangeUnderReviewProps) {
  const { value: change, problem } = useChange(dispatchId);
  if (problem && !change) return <Trouble problem={problem} />;
  if (!change) return <div className="change-loading" aria-busy="true" />;
  if (change.reason !== "")
    return (
      <Part title="Change under review">
        <p className="notice">It cannot be shown: {change.reason}.</p>
        <Texts title="Files that the agent names" texts={named} />
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
              {commit === "" ? "the folder as it is now" : <code>{shortCommit(commit)}</code>}
            </>
          )}
        </p>
      </div>
      {files.length === 0 && <p className="quiet">Nothing was changed since the run began.</p>}
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
