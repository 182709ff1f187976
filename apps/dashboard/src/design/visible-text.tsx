import { findHidden } from "@baton/kernel/deciding";

interface VisibleTextProps {
  readonly text: string;
  /** Sentences may have line breaks; a line of a file and a name have none. */
  readonly isProse?: boolean;
}

/** Text of an agent in which nothing hides: what cannot be seen, or turns text around, is shown as its code. */
export function VisibleText({ text, isProse = false }: VisibleTextProps) {
  const pieces = findHidden(text);
  if (pieces.every((piece) => piece.hidden === undefined)) return text;
  return pieces.map(({ text: part, hidden }, place) =>
    hidden && !(isProse && part === "\n") ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place.
      <span key={place} className="hidden-character" title={hidden.name || undefined}>
        {hidden.code}
      </span>
    ) : (
      part
    ),
  );
}
