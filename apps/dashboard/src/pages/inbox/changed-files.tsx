import type { FileDiff } from "@baton/contract/messages";
import { fileNotes, fileWord } from "@baton/kernel/deciding";
import { useState } from "react";
import { DiffLines } from "../../design/diff-view.tsx";
import { readHunks } from "../../design/patch.ts";
import { VisibleText } from "../../design/visible-text.tsx";
import { Lines } from "./size.tsx";

/** So many characters of diff are open at first: more would make the page slow before anybody has looked. */
const openCharacters = 60_000;

const tones = { new: "good", changed: "busy", renamed: "busy", deleted: "bad" } as const;

/** Every file of a change, with what differs in it. */
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

/** What is closed is not drawn: a large change has many lines. */
function Diff({ file, isOpenAtFirst }: { readonly file: FileDiff; readonly isOpenAtFirst: boolean }) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const hunks = isOpen ? readHunks(file.diff.replace(/\n$/, "").split("\n")) : [];
  return (
    <details className="changed-file" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <FileHead file={file} />
      </summary>
      {hunks.map((hunk, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a hunk is its place.
        <DiffLines key={place} lines={hunk} />
      ))}
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
