import { type ReactNode, useId } from "react";

interface FormSectionProps {
  readonly title: string;
  readonly help: string;
  readonly children: ReactNode;
}

/** Fields that belong together, in sight. */
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
