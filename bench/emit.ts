/** So many events; so many a second, or as fast as they are taken. */
export interface Talk {
  readonly events: number;
  readonly perSecond?: number;
}

/** What an agent might think, with the time at which it did. */
const thought = "the accents come off first, then whatever is not a letter or a digit becomes a dash";

const ticksPerSecond = 100;
/** All at once when undefined. */
const burst = 50;

/** Both sides are on one machine, so its clock measures the way. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

export async function emit({ events, perSecond }: Talk, report: (text: string) => void): Promise<void> {
  const atOnce = perSecond === undefined ? burst : Math.ceil(perSecond / ticksPerSecond);
  const began = performance.now();
  for (let sent = 0, tick = 1; sent < events; tick++) {
    for (const end = Math.min(events, sent + atOnce); sent < end; sent++) {
      report(`<${nowMs().toFixed(3)}> ${thought}`);
    }
    const due = perSecond === undefined ? 0 : began + (tick * 1_000) / ticksPerSecond - performance.now();
    await new Promise<void>((resolve) => (due > 0 ? setTimeout(resolve, due) : setImmediate(resolve)));
  }
}
