import type { Pipeline } from "@baton/contract/messages";
import { FileRow } from "../tabs/artifacts-tab.tsx";
import { Part } from "../tabs/tab.tsx";
import type { ResultFiles } from "./use-files.ts";

/** The artifacts of the stages list further files. */
const maxFiles = 20;

interface ResultFilesProps {
  readonly pipeline: Pipeline;
  readonly read: ResultFiles | undefined;
}

/** The files of the kept commits, then other files that agents report. */
export function ResultFileList({ pipeline, read }: ResultFilesProps) {
  const files = read?.files ?? [];
  const inCommits = new Set(files.map(({ path }) => path));
  const reported = (pipeline.summary?.artifacts ?? []).filter(({ path }) => !inCommits.has(path));
  const more = Math.max(0, files.length - maxFiles) + (read?.leftOut ?? 0);
  return (
    <>
      {(files.length > 0 || Number.isNaN(more)) && (
        <Part title="Files">
          <ul className="artifacts">
            {files.slice(0, maxFiles).map(({ path, action, addedLines, removedLines }) => (
              <FileRow key={path} path={path} action={action}>
                <span className="quiet">
                  +{addedLines} −{removedLines}
                </span>
              </FileRow>
            ))}
          </ul>
          {more > 0 && <p className="quiet">and {more} more</p>}
          {Number.isNaN(more) && <p className="quiet">Some changes could not be read.</p>}
        </Part>
      )}
      {read && reported.length > 0 && (
        <Part title="Artifacts">
          <ul className="artifacts">
            {reported.slice(0, maxFiles).map(({ path, action }) => (
              <FileRow key={path} path={path} action={action} />
            ))}
          </ul>
          {reported.length > maxFiles && <p className="quiet">and {reported.length - maxFiles} more</p>}
        </Part>
      )}
    </>
  );
}
