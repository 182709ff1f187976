/** To be imported before everything else: who reads the clock while its module is loaded is told the shifted time too. */
import { shiftClock } from "./shifted-date.ts";

const shiftMs = Number(process.env.CHAOS_CLOCK_SHIFT_MS ?? "0");
if (shiftMs !== 0) shiftClock(shiftMs);
