import type { ReactNode } from "react";

interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  readonly chosen: string;
  readonly title: string;
  /** What the choice does. */
  readonly effect: string;
  readonly onChoose: (value: string) => void;
  /** Fields that only this choice needs. */
  readonly children?: ReactNode;
}

export function Choice({ name, value, chosen, title, effect, onChoose, children }: ChoiceProps) {
  const isChosen = chosen === value;
  return (
    <div className={isChosen ? "choice chosen" : "choice"}>
      <label>
        <input type="radio" name={name} value={value} checked={isChosen} onChange={() => onChoose(value)} />
        <span>
          <strong>{title}</strong>
          <span className="muted">{effect}</span>
        </span>
      </label>
      {isChosen && children}
    </div>
  );
}
