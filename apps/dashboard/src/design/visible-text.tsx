import { findHidden } from "@baton/kernel/deciding";

interface VisibleTextProps {
  readonly text: string;
  /** Prose may have line breaks; names and lines of files may not. */
  readonly isProse?: boolean;
}

/** Agent text with invisible and bidirectional characters replaced by their codes. */
export function VisibleText({ text, isProse = false }: VisibleTextProps) {
  const pieces = findHidden(text);
  if (pieces.every((piece) => piece.hidden === undefined)) return text;
  return pieces.map(({ text: part, hidden }, place) =>
    hidden && !(isProse && part === "\n") ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity.
      <span key={place} className="hidden-character" title={hidden.name || undefined}>
        {hidden.code}
      </span>
    ) : (
      part
    ),
  );
}
