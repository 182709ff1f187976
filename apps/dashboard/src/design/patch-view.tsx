import { DiffLines } from "./diff-view.tsx";
import { readPatch } from "./patch.ts";
import { VisibleText } from "./visible-text.tsx";

/** A patch, file by file. */
export function PatchView({ patch }: { readonly patch: string }) {
  const files = readPatch(patch);
  if (files.length === 0) return <p className="quiet">Nothing was changed.</p>;
  return files.map(({ path, hunks, added, removed }) => (
    <details key={path} className="patch" open>
      <summary>
        <code className="wrap">
          <VisibleText text={path} />
        </code>
        <span className="patch-added">+{added}</span> <span className="patch-removed">−{removed}</span>
      </summary>
      {hunks.length === 0 && <p className="quiet">No lines to show: it is no text, or was only renamed.</p>}
      {hunks.map((hunk, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a hunk is its place.
        <DiffLines key={place} lines={hunk} />
      ))}
    </details>
  ));
}
