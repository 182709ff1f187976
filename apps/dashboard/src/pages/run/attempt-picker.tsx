import type { AttemptSummary } from "@baton/contract/messages";
import { Sign } from "../../design/signs.tsx";
import { setQuery } from "../../router/location.ts";
import { endingLook } from "./ending.ts";

interface AttemptPickerProps {
  readonly attempts: readonly AttemptSummary[];
  readonly selected: number;
}

/** Which attempt is looked at; the last one unless told. */
export function AttemptPicker({ attempts, selected }: AttemptPickerProps) {
  return (
    <fieldset className="attempt-picker">
      <legend className="sr">Attempt</legend>
      {attempts.map((attempt) => {
        const { attemptNumber } = attempt;
        const { word, sign, tone } = endingLook(attempt);
        return (
          <button
            key={attemptNumber}
            type="button"
            className={`chip ${tone}`}
            aria-pressed={attemptNumber === selected}
            title={word}
            onClick={() => setQuery({ attempt: String(attemptNumber) })}
          >
            <Sign name={sign} /> Attempt {attemptNumber}
            <span className="sr">, {word}</span>
          </button>
        );
      })}
    </fieldset>
  );
}
