import { findHidden } from "@baton/kernel/deciding";

/** Text of an agent in which nothing hides: what cannot be seen, or turns text around, is shown as its code. */
export function VisibleText({ text }: { readonly text: string }) {
  const pieces = findHidden(text);
  if (pieces.every((piece) => piece.hidden === undefined)) return text;
  return pieces.map(({ text: part, hidden }, place) =>
    hidden ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place.
      <span key={place} className="hidden-character" title={hidden.name || undefined}>
        {hidden.code}
      </span>
    ) : (
      part
    ),
  );
}
