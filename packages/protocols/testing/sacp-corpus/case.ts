import type { ReadOptions, SacpResponse } from "@baton/protocols/sacp";

/** What a model wrote, and what it has to be read as. */
export interface CorpusCase {
  readonly category: string;
  readonly name: string;
  readonly text: string;
  /** Undefined: nothing in it can be taken for the answer, so it is the fallback of SACP §7.2. */
  readonly expected: SacpResponse | undefined;
  readonly options?: ReadOptions;
}

type Line = readonly [name: string, text: string, expected: SacpResponse | undefined, options?: ReadOptions];

export function category(name: string, lines: readonly Line[]): readonly CorpusCase[] {
  return lines.map(([line, text, expected, options]) => ({
    ...{ category: name, name: line, text, expected },
    ...(options && { options }),
  }));
}

/** Stands for the fallback. */
export const none = undefined;

/** The answer of most cases. */
export const weather: SacpResponse = {
  thought: "I looked up the weather.",
  status: "success",
  data: { city: "London", temp: 15 },
  message: "It is 15 degrees in London.",
};

export const json = JSON.stringify(weather);
export const pretty = JSON.stringify(weather, null, 2);
export const fence = "```";

export function answer(fields: Partial<SacpResponse> = {}): SacpResponse {
  return { ...weather, ...fields };
}

/** The same as text, with one field as it is given: not necessarily JSON. */
export function written(fields: Readonly<Record<string, string>>): string {
  const all: Record<string, string> = {
    ...{ thought: JSON.stringify(weather.thought), status: '"success"' },
    ...{ data: JSON.stringify(weather.data), message: JSON.stringify(weather.message) },
    ...fields,
  };
  return `{${Object.entries(all)
    .map(([name, value]) => `"${name}": ${value}`)
    .join(", ")}}`;
}
