import type { ReactNode } from "react";
import { VisibleText } from "../../../design/visible-text.tsx";

/** A heading with a list of sentences below; nothing when there are none. */
export function Texts({
  title,
  texts,
}: {
  readonly title: string;
  readonly texts: readonly string[] | undefined;
}) {
  if (!texts || texts.length === 0) return null;
  return (
    <Part title={title}>
      <ul className="texts">
        {texts.map((text, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: sentences may be the same, and never change places.
          <li key={place} className="wrap">
            <VisibleText text={text} isProse />
          </li>
        ))}
      </ul>
    </Part>
  );
}

export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="stack tight">
      <h3>{title}</h3>
      {children}
    </section>
  );
}
