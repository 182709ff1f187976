import { formatSpan } from "../../../design/format-time.ts";
import { endingLook, formerText } from "../ending.ts";
import { type Bar, markOf } from "./lanes.ts";
import type { Scale } from "./scale.ts";

interface TimeBarProps {
  readonly bar: Bar;
  readonly scale: Scale;
  /** The end of bars that still last. */
  readonly toMs: number;
}

/** Short bars stay visible. Hollow bars need more to look hollow. */
const minPixels = { full: 3, hollow: 9 } as const;

function isHollow(mark: ReturnType<typeof markOf>): boolean {
  return mark === "unchecked" || mark === "rejected";
}

export function TimeBar({ bar, scale, toMs }: TimeBarProps) {
  const { kind, attempt, reason } = bar;
  const end = bar.toMs ?? toMs;
  const [left, right] = [scale.placeOf(bar.fromMs), scale.placeOf(end)];
  const mark = markOf(bar);
  const least = kind === "work" && isHollow(mark) ? minPixels.hollow : minPixels.full;
  const style = {
    left: `${left * 100}%`,
    width: `max(${least}px, ${(right - left) * 100}%)`,
  };
  const took = formatSpan(end - bar.fromMs);
  if (attempt === undefined)
    return (
      <span className="bar wait" style={style} title={`waiting for ${reason} · ${took}`}>
        <span className="sr">waiting for {reason}</span>
      </span>
    );
  const { word: ending, tone } = endingLook(attempt);
  const word = `${ending} ${formerText(attempt)}`.trim();
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
