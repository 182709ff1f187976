/** Imported first, so that modules that read the clock while loading get the shifted time too. */
import { shiftClock } from "./shifted-date.ts";

const shiftMs = Number(process.env.CHAOS_CLOCK_SHIFT_MS ?? "0");
if (shiftMs !== 0) shiftClock(shiftMs);
