import { defaultServerLimits, type ServerLimits, settingOf } from "../limits.ts";
import type { Given } from "./given.ts";

/** Reads `limits:`, where `callTimeoutMs` is written as `call_timeout: 60s` and all others as numbers. */
export function readLimits(given: Given): ServerLimits {
  const keys = limitNames.map(settingOf);
  given.only(keys);
  const limits: Record<keyof ServerLimits, number> = { ...defaultServerLimits };
  for (const name of limitNames) {
    const one = given.at(settingOf(name));
    if (one.isThere) limits[name] = name.endsWith("Ms") ? one.durationMs() : one.whole();
  }
  return limits;
}

const limitNames = Object.keys(defaultServerLimits).filter(
  (name): name is keyof ServerLimits => name in defaultServerLimits,
);
