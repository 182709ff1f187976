import type { ReactNode } from "react";

interface EmptyProps {
  readonly title: string;
  /** The whole page is empty, so the title is its heading. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
}

/** An empty state and what to do next. */
export function Empty({ title, isPage = false, children }: EmptyProps) {
  return (
    <div className="empty">
      {isPage ? <h1 className="wrap">{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  );
}
