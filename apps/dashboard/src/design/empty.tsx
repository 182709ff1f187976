import type { ReactNode } from "react";

interface EmptyProps {
  readonly title: string;
  /** Whether it is all that the page has to say: then its title is the title of the page. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
}

/** Nothing to show, and what to do about it. */
export function Empty({ title, isPage = false, children }: EmptyProps) {
  return (
    <div className="empty">
      {isPage ? <h1 className="wrap">{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  );
}
