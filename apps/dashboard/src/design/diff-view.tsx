import "./diff.css";
import { type DiffLine, diffLines, hunksOf } from "./line-diff.ts";
import { VisibleText } from "./visible-text.tsx";

const signs = { same: " ", add: "+", del: "−", note: " " } as const;
const words = { same: "", add: "added ", del: "removed ", note: "" } as const;

/** Two texts, as what is different in them. */
export function TextDiff({ before, after }: { readonly before: string; readonly after: string }) {
  const hunks = hunksOf(diffLines(before, after));
  if (hunks.length === 0) return <p className="quiet">No difference.</p>;
  return (
    <div className="diff">
      {hunks.map((hunk, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: hunks have nothing else to be told apart by.
        <DiffLines key={place} lines={hunk} />
      ))}
    </div>
  );
}

export function DiffLines({ lines }: { readonly lines: readonly DiffLine[] }) {
  return (
    <pre className="hunk">
      {lines.map(({ kind, text }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place.
        <span key={place} className={kind}>
          <span aria-hidden="true">{signs[kind]} </span>
          {words[kind] !== "" && <span className="sr">{words[kind]}</span>}
          <VisibleText text={text} />
          {"\n"}
        </span>
      ))}
    </pre>
  );
}
