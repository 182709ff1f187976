import type { ReactNode } from "react";

interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly chosen: string;
  readonly title: string;
  /** What will happen. */
  readonly tells: string;
  readonly onChoose: (value: string) => void;
  readonly children?: ReactNode;
}

/** One way to decide, with what it means. What belongs to it is asked for when it is chosen. */
export function Choice({ name, value, chosen, title, tells, onChoose, children }: ChoiceProps) {
  const isChosen = chosen === value;
  return (
    <div className={isChosen ? "choice chosen" : "choice"}>
      <label>
        <input type="radio" name={name} value={value} checked={isChosen} onChange={() => onChoose(value)} />
        <span>
          <strong>{title}</strong>
          <span className="muted">{tells}</span>
        </span>
      </label>
      {isChosen && children}
    </div>
  );
}
