import { type ReactNode, useId } from "react";

interface FormSectionProps {
  readonly title: string;
  readonly help: string;
  readonly children: ReactNode;
}

export function FormSection({ title, help, children }: FormSectionProps) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-body stack">
        <div>
          <h2 id={id}>{title}</h2>
          <p className="quiet">{help}</p>
        </div>
        <div className="field-grid">{children}</div>
      </div>
    </section>
  );
}

interface MoreFieldsProps {
  /** Opened when a field in it is invalid. */
  readonly isOpen: boolean;
  readonly title: string;
  readonly children: ReactNode;
}

/** Optional fields, collapsed. */
export function MoreFields({ isOpen, title, children }: MoreFieldsProps) {
  return (
    <details className="more-fields" open={isOpen}>
      <summary>{title}</summary>
      <div className="stack parts-body">{children}</div>
    </details>
  );
}
