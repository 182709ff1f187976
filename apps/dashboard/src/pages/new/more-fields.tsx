import type { ReactNode } from "react";

interface MoreFieldsProps {
  /** Something in it is wrong: it is shown. */
  readonly isOpen: boolean;
  readonly title: string;
  readonly children: ReactNode;
}

/** Fields that most leave alone. */
export function MoreFields({ isOpen, title, children }: MoreFieldsProps) {
  return (
    <details className="more-fields" open={isOpen}>
      <summary>{title}</summary>
      <div className="stack parts-body">{children}</div>
    </details>
  );
}
