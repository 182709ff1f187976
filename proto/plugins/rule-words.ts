import type { DescEnum, DescField } from "@bufbuild/protobuf";
import { type Limits, rulesOfField } from "./rules.ts";

type Phrases = {
  readonly [Limit in keyof Limits]-?: (value: NonNullable<Limits[Limit]>, field: DescField) => string;
};

const phrases: Phrases = {
  minLength: (length) => (length === 1 ? "not empty" : `at least ${length} characters`),
  maxLength: (length) => `at most ${length} characters`,
  isUuid: () => "a UUID",
  byteLength: (length) => `exactly ${length} bytes`,
  minItems: (items) => `at least ${items} ${items === 1 ? "item" : "items"}`,
  maxItems: (items) => `at most ${items} items`,
  moreThan: (bound) => `more than ${bound}`,
  atLeast: (bound) => `at least ${bound}`,
  lessThan: (bound) => `less than ${bound}`,
  atMost: (bound) => `at most ${bound}`,
  longerThan: (bound) => `longer than ${bound}`,
  noShorterThan: (bound) => `no shorter than ${bound}`,
  definedOnly: () => "a defined value",
  notIn: (numbers, field) => `not ${numbers.map((number) => `\`${nameOf(field.enum, number)}\``).join(", ")}`,
};

/** The rules of a field, in words, one phrase a rule. */
export function rulesInWords(field: DescField): string[] {
  const { required, limits, cel } = rulesOfField(field);
  return [
    ...(required ? ["required"] : []),
    ...limitsInWords(field, limits),
    ...cel.map(({ message }) => message),
  ];
}

export function limitsInWords(field: DescField, limits: Limits): string[] {
  // The type ties each phrase to its limit, but is lost when the two are looked up by the same name.
  const phraseOf = phrases as Record<string, (value: unknown, field: DescField) => string>;
  return Object.entries(limits).map(([limit, value]) => phraseOf[limit]?.(value, field) ?? "");
}

function nameOf(type: DescEnum | undefined, number: number): string {
  return type?.value[number]?.name ?? String(number);
}
