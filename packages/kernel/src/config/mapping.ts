import type { Shape } from "./shape.ts";

export interface MappingRules {
  readonly most: number;
  /** What the keys are, for messages. */
  readonly what: string;
}

/** An object with arbitrary keys. */
export function mapping<Value>(
  key: RegExp,
  value: Shape<Value>,
  { most, what }: MappingRules,
): Shape<Readonly<Record<string, Value>>> {
  return {
    read(given) {
      const members = given.members();
      if (!members)
        given.reportInvalid("must hold fields", "write each as name: value, on a line of its own");
      const names = Object.keys(members ?? {});
      if (names.length > most) given.reportInvalid(`must have ${most} fields at the most`, "leave some out");
      const read = names.slice(0, most).map((name) => {
        const one = given.at(name);
        if (!key.test(name)) one.reportInvalid(`is not ${what}`, "use letters, digits and underscores");
        return [name, value.read(one)] as const;
      });
      return Object.fromEntries(read);
    },
    schema: (docs) => ({
      type: "object",
      propertyNames: { pattern: key.source },
      additionalProperties: value.schema(docs),
      maxProperties: most,
    }),
  };
}
