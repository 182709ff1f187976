import type { AttemptSummary } from "@baton/contract/messages";
import { useEffect, useRef } from "react";
import { Sign } from "../../design/signs.tsx";
import { setQuery } from "../../router/location.ts";
import { endingLook, formerText } from "./ending.ts";

interface AttemptPickerProps {
  readonly attempts: readonly AttemptSummary[];
  readonly selected: number;
}

/** Selects an attempt; by default the last one. */
export function AttemptPicker({ attempts, selected }: AttemptPickerProps) {
  const list = useRef<HTMLFieldSetElement>(null);
  // Scrolls to the selected attempt.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the selection moves the element.
  useEffect(() => {
    const { current } = list;
    const chosen = current?.querySelector<HTMLElement>("[aria-pressed=true]");
    if (!current || !chosen) return;
    const end = chosen.offsetLeft + chosen.offsetWidth;
    if (chosen.offsetLeft < current.scrollLeft || end > current.scrollLeft + current.clientWidth)
      current.scrollLeft = end - current.clientWidth;
  }, [selected, attempts.length]);
  return (
    <fieldset className="attempt-picker" ref={list}>
      <legend className="sr">Attempt</legend>
      {attempts.map((attempt) => {
        const { attemptNumber } = attempt;
        const { word, sign, tone } = endingLook(attempt);
        return (
          <button
            key={attemptNumber}
            type="button"
            className={`chip ${tone}${attempt.setAside ? " aside" : ""}`}
            aria-pressed={attemptNumber === selected}
            title={`${word} ${formerText(attempt)}`.trim()}
            onClick={() => setQuery({ attempt: String(attemptNumber) })}
          >
            <Sign name={sign} /> <span>Attempt {attemptNumber}</span>
            <span className="sr">, {word}</span>
          </button>
        );
      })}
    </fieldset>
  );
}
