import type { SpendRow } from "@baton/contract/messages";
import { type Amount, measureOf, measureText } from "./spending.ts";

interface DayChartProps {
  readonly rows: readonly SpendRow[];
  readonly from: string;
  readonly to: string;
  readonly amount: Amount;
}

const dayMs = 86_400_000;
const height = 100;
/** Of the width of a day. */
const barShare = 0.72;
const leastHeight = 1.5;

/** A bar for each day. The table below it has the numbers. */
export function DayChart({ rows, from, to, amount }: DayChartProps) {
  const spent = new Map(rows.map((row) => [row.day, measureOf(row, amount)]));
  const days = daysBetween(from, to);
  const most = Math.max(...spent.values(), 0);
  const scale = niceTop(most);
  const label = `Spending by day, from ${from} to ${to}, at most ${measureText(most, amount)} a day`;
  return (
    <figure className="day-chart">
      <div className="day-scale quiet" aria-hidden="true">
        <span>{measureText(scale, amount)}</span>
        <span>{measureText(scale / 2, amount)}</span>
        <span>0</span>
      </div>
      <svg viewBox={`0 0 ${days.length} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {[0, height / 2].map((y) => (
          <line key={y} className="day-line" x1={0} x2={days.length} y1={y} y2={y} />
        ))}
        {days.map((day, place) => {
          const value = spent.get(day) ?? 0;
          const tall = value === 0 ? 0 : Math.max(leastHeight, (value / scale) * height);
          return (
            <rect
              key={day}
              className="day-bar"
              x={place + (1 - barShare) / 2}
              y={height - tall}
              width={barShare}
              height={tall}
            >
              <title>{`${day}: ${measureText(value, amount)}`}</title>
            </rect>
          );
        })}
        <line className="day-base" x1={0} x2={days.length} y1={height} y2={height} />
      </svg>
      <figcaption className="day-ends quiet">
        <span>{from}</span>
        <span>{to}</span>
      </figcaption>
    </figure>
  );
}

function daysBetween(from: string, to: string): readonly string[] {
  const [first, last] = [from, to].map((day) => Date.parse(`${day}T00:00:00Z`) / dayMs) as [number, number];
  return Array.from({ length: Math.max(1, last - first + 1) }, (_, place) =>
    new Date((first + place) * dayMs).toISOString().slice(0, 10),
  );
}

/** The end of the scale: 1, 2 or 5 times a power of ten. */
function niceTop(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((step) => step * power >= most) ?? 10) * power;
}
