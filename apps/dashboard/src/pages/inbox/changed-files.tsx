import type { FileDiff } from "@baton/contract/messages";
import { fileNotes, fileWord } from "@baton/kernel/deciding";
import { useState } from "react";
import { Hunks } from "../../design/diff-view.tsx";
import { readHunks } from "../../design/patch.ts";
import { VisibleText } from "../../design/visible-text.tsx";
import { Lines } from "./size.tsx";

/** Diffs beyond this size start collapsed, which keeps the page fast. */
const openCharacters = 60_000;

const tones = { new: "good", changed: "busy", renamed: "busy", deleted: "bad" } as const;

export function ChangedFiles({ files }: { readonly files: readonly FileDiff[] }) {
  let room = openCharacters;
  return (
    <ul className="changed-files" aria-label="Files">
      {files.map((file) => {
        const fits = file.diff.length <= room;
        if (fits) room -= file.diff.length;
        return (
          <li key={file.path}>
            {file.diff === "" ? (
              <div className="changed-file">
                <FileHead file={file} />
              </div>
            ) : (
              <Diff file={file} isOpenAtFirst={fits} />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** Collapsed diffs are not rendered. */
function Diff({ file, isOpenAtFirst }: { readonly file: FileDiff; readonly isOpenAtFirst: boolean }) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const hunks = isOpen ? readHunks(file.diff.replace(/\n$/, "").split("\n")) : [];
  return (
    <details className="changed-file" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <FileHead file={file} />
      </summary>
      <Hunks hunks={hunks} />
    </details>
  );
}

function FileHead({ file }: { readonly file: FileDiff }) {
  const { path, oldPath, addedLines, removedLines, test } = file;
  const word = fileWord(file);
  return (
    <span className="file-head">
      <span className={`badge ${tones[word]}`}>{word}</span>
      <code className="wrap">
        <VisibleText text={path} />
      </code>
      {oldPath !== "" && (
        <span className="quiet wrap">
          from{" "}
          <code>
            <VisibleText text={oldPath} />
          </code>
        </span>
      )}
      <Lines added={addedLines} removed={removedLines} />
      {test && <span className="badge asks">test</span>}
      {fileNotes(file).map((note) => (
        <span key={note} className="badge asks">
          {note}
        </span>
      ))}
    </span>
  );
}
