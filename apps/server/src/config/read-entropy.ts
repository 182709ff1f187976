import { defaultEntropyOptions, type EntropyOptions, entropyOptions } from "@baton/kernel";
import type { Given } from "./given.ts";

const names = {
  window: "window",
  min_turns: "minTurns",
  fall_per_turn: "fallPerTurn",
  recovered_fall_per_turn: "recoveredFallPerTurn",
  significance: "significance",
} as const satisfies Record<string, keyof EntropyOptions>;

/** Reads `entropy:`, when falling confidence is worth a person's time (TUR-07). */
export function readEntropy(given: Given): EntropyOptions {
  given.only(Object.keys(names));
  const said = Object.entries(names).flatMap(([key, name]) =>
    given.at(key).isThere ? [[name, given.at(key).number()] as const] : [],
  );
  try {
    return entropyOptions(Object.fromEntries(said));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    given.complain(`cannot be so: ${error.message}`, "docs/decisions/0014 says what the numbers do");
    return defaultEntropyOptions;
  }
}
