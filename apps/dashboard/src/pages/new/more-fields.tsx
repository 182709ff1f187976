import type { ReactNode } from "react";

interface MoreFieldsProps {
  /** Something in it is wrong: it is shown. */
  readonly isOpen: boolean;
  readonly children: ReactNode;
}

/** Fields that most leave alone. */
export function MoreFields({ isOpen, children }: MoreFieldsProps) {
  return (
    <details className="more-fields" open={isOpen}>
      <summary>More</summary>
      <div className="stack parts-body">{children}</div>
    </details>
  );
}
