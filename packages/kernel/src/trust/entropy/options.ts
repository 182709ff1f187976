/** When falling confidence escalates to a person (TUR-07). */
export interface EntropyOptions {
  /** Latest turns that make a trend. */
  readonly window: number;
  /** With fewer turns there is no verdict. At least five: below that a single low turn could look like a trend. */
  readonly minTurns: number;
  /** How much confidence must fall, per turn. */
  readonly fallPerTurn: number;
  /** How much it may still fall, per turn, when a decline counts as over. Less than `fallPerTurn`. */
  readonly recoveredFallPerTurn: number;
  /** How clearly falling pairs must outnumber rising ones, in standard deviations. */
  readonly significance: number;
}

/** docs/decisions/0014 measures false alarms and delays of these values. */
export const defaultEntropyOptions: EntropyOptions = {
  window: 8,
  minTurns: 5,
  fallPerTurn: 0.05,
  recoveredFallPerTurn: 0.01,
  significance: 1.645,
};

const fewestAllowedTurns = 5;
/** The work per turn grows with the cube of the window. */
const maxWindow = 50;

/** Merges options with the defaults. Throws when the result cannot do what TUR-07 requires. */
export function entropyOptions(overrides: Partial<EntropyOptions> = {}): EntropyOptions {
  const options = { ...defaultEntropyOptions, ...overrides };
  const { window, minTurns, fallPerTurn, recoveredFallPerTurn, significance } = options;
  const demand = (holds: boolean, rule: string) => {
    if (!holds) throw new RangeError(`entropy detector: ${rule}`);
  };
  demand(
    Number.isInteger(minTurns) && minTurns >= fewestAllowedTurns,
    `minTurns must be ${fewestAllowedTurns} or more`,
  );
  demand(
    Number.isInteger(window) && window >= minTurns && window <= maxWindow,
    `window must be from minTurns (${minTurns}) to ${maxWindow}`,
  );
  demand(fallPerTurn > 0 && fallPerTurn <= 1, "fallPerTurn must be above 0, and at the most 1");
  demand(
    recoveredFallPerTurn >= 0 && recoveredFallPerTurn < fallPerTurn,
    `recoveredFallPerTurn must be from 0 to less than fallPerTurn (${fallPerTurn})`,
  );
  demand(significance >= 0 && significance <= 2, "significance must be from 0 to 2");
  return options;
}
