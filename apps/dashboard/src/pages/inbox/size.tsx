import type { ChangeSize } from "@baton/contract/messages";

export function Size({ size: { files, addedLines, removedLines } }: { readonly size: ChangeSize }) {
  if (files === 0) return <span>no change</span>;
  return (
    <span className="size">
      {files} {files === 1 ? "file" : "files"} <Lines added={addedLines} removed={removedLines} />
    </span>
  );
}

export function Lines({ added, removed }: { readonly added: number; readonly removed: number }) {
  return (
    <span className="size">
      <span className="patch-added">
        +{added}
        <span className="sr"> lines added</span>
      </span>{" "}
      <span className="patch-removed">
        −{removed}
        <span className="sr"> lines removed</span>
      </span>
    </span>
  );
}
