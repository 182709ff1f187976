import "./diff.css";
import { type DiffLine, diffLines, hunksOf } from "./line-diff.ts";
import { readPatch } from "./patch.ts";
import { VisibleText } from "./visible-text.tsx";

const signs = { same: " ", add: "+", del: "−", note: " " } as const;
const words = { same: "", add: "added ", del: "removed ", note: "" } as const;

/** The difference between two texts. */
export function TextDiff({ before, after }: { readonly before: string; readonly after: string }) {
  const hunks = hunksOf(diffLines(before, after));
  if (hunks.length === 0) return <p className="quiet">No difference.</p>;
  return (
    <div className="diff">
      <Hunks hunks={hunks} />
    </div>
  );
}

/** A patch, file by file. */
export function PatchView({ patch }: { readonly patch: string }) {
  const files = readPatch(patch);
  if (files.length === 0) return <p className="quiet">No files changed.</p>;
  return files.map(({ path, hunks, added, removed }) => (
    <details key={path} className="patch" open>
      <summary>
        <code className="wrap">
          <VisibleText text={path} />
        </code>
        <span className="patch-added">+{added}</span> <span className="patch-removed">−{removed}</span>
      </summary>
      {hunks.length === 0 && <p className="quiet">No text changes: binary or only renamed.</p>}
      <Hunks hunks={hunks} />
    </details>
  ));
}

export function Hunks({ hunks }: { readonly hunks: readonly (readonly DiffLine[])[] }) {
  return hunks.map((hunk, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: hunks have no other identity.
    <pre className="hunk" key={index}>
      {hunk.map(({ kind, text }, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity.
        <span key={line} className={kind}>
          <span aria-hidden="true">{signs[kind]} </span>
          {words[kind] !== "" && <span className="sr">{words[kind]}</span>}
          <VisibleText text={text} />
          {"\n"}
        </span>
      ))}
    </pre>
  ));
}
