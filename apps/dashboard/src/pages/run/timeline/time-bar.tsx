import { formatSpan } from "../../../design/format-time.ts";
import { endingLook, wasText } from "../ending.ts";
import { type Bar, markOf } from "./lanes.ts";
import type { Scale } from "./scale.ts";

interface TimeBarProps {
  readonly bar: Bar;
  readonly scale: Scale;
  /** Where what goes on is drawn to. */
  readonly toMs: number;
}

/** What was over in no time is still seen, and of a hollow one that it is hollow. */
const leastPixels = { full: 3, hollow: 9 } as const;

function isHollow(mark: ReturnType<typeof markOf>): boolean {
  return mark === "unchecked" || mark === "rejected";
}

/** Something that went on for a while, at its place in time. */
export function TimeBar({ bar, scale, toMs }: TimeBarProps) {
  const { kind, attempt, reason } = bar;
  const end = bar.toMs ?? toMs;
  const [left, right] = [scale.placeOf(bar.fromMs), scale.placeOf(end)];
  const mark = markOf(bar);
  const least = kind === "work" && isHollow(mark) ? leastPixels.hollow : leastPixels.full;
  const style = {
    left: `${left * 100}%`,
    width: `max(${least}px, ${(right - left) * 100}%)`,
  };
  const took = formatSpan(end - bar.fromMs);
  if (attempt === undefined)
    return (
      <span className="bar wait" style={style} title={`waits for ${reason} · ${took}`}>
        <span className="sr">waits for {reason}</span>
      </span>
    );
  const { word: ending, tone } = endingLook(attempt);
  const word = `${ending} ${wasText(attempt)}`.trim();
  const what = kind === "gate" ? "checks and review of " : "";
  const title = `${what}attempt ${attempt.attemptNumber} by ${attempt.packId}: ${word}${reason && ` · ${reason}`} · ${took}`;
  return (
    <span
      className={`bar ${kind} ${tone} ${mark}`}
      style={style}
      title={title}
      data-attempt={attempt.attemptNumber}
    >
      {kind === "work" && (
        <span className="sr">
          attempt {attempt.attemptNumber}: {word}
        </span>
      )}
    </span>
  );
}
