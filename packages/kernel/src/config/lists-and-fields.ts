import type { DescField } from "@bufbuild/protobuf";
import type { Reading } from "./reading.ts";
import type { FieldDocs, JsonSchema, Shape } from "./shape.ts";

export interface ListRules {
  readonly least?: number;
  readonly most?: number;
  /** The example in the fix when there are too few. */
  readonly example?: string;
}

export function list<Item>(item: Shape<Item>, rules: ListRules = {}): Shape<readonly Item[]> {
  const { least = 0, most = 10_000, example = "- item" } = rules;
  return {
    read(given) {
      const { value } = given;
      if (!Array.isArray(value)) {
        given.reportInvalid("must be a list", "put each item on a line of its own, after a hyphen");
        return [];
      }
      if (value.length < least)
        given.reportInvalid(
          `must have at least ${least === 1 ? "one item" : `${least} items`}`,
          `write ${example}`,
        );
      if (value.length > most) {
        given.reportInvalid(`must have ${most} items at the most`, "leave some out");
        return [];
      }
      return given.items().map((one) => item.read(one));
    },
    schema: (docs) => ({
      type: "array",
      ...(least > 0 && { minItems: least }),
      maxItems: most,
      items: item.schema(docs),
    }),
  };
}

/** A field of an object. */
export interface Field<Value> {
  readonly shape: Shape<unknown>;
  readonly doc: string | DescField;
  readonly isRequired: boolean;
  /** Whether null differs from an absent field. */
  readonly takesNull?: boolean;
  readonly otherwise?: Value;
}

export function required<Value>(shape: Shape<Value>, doc: string | DescField): Field<Value> {
  return { shape, doc, isRequired: true };
}

export function optional<Value>(shape: Shape<Value>, doc: string | DescField): Field<Value | undefined>;
export function optional<Value>(shape: Shape<Value>, doc: string | DescField, otherwise: Value): Field<Value>;
export function optional<Value>(
  shape: Shape<Value>,
  doc: string | DescField,
  otherwise?: Value,
): Field<Value | undefined> {
  return { shape, doc, isRequired: false, ...(otherwise !== undefined && { otherwise }) };
}

export function nullable<Value>(shape: Shape<Value>, doc: string): Field<Value | null | undefined> {
  return { shape, doc, isRequired: false, takesNull: true };
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
export type ValuesOf<Of extends Fields> = {
  readonly [Name in keyof Of]: Of[Name] extends Field<infer Value> ? Value : never;
};

/** An object with exactly these fields. */
export function fields<Of extends Fields>(of: Of, title?: string): Shape<ValuesOf<Of>> {
  const named = Object.entries(of);
  return {
    read(given) {
      const isObject = given.members() !== undefined;
      if (!given.isPresent) reportEmpty(given, named[0]?.[0] ?? "a name");
      else if (!isObject)
        given.reportInvalid("must hold fields", "write each as name: value, on a line of its own");
      const from = isObject ? given.only(Object.keys(of)) : given.withoutReporting({});
      // Misspelt names are reported already.
      const misspelt = from.misspelt(Object.keys(of));
      const read = ([name, field]: [string, Field<unknown>]) =>
        readField(field, misspelt.has(name) ? from.withoutReporting({}).at(name) : from.at(name));
      return Object.fromEntries(named.map((one) => [one[0], read(one)])) as ValuesOf<Of>;
    },
    schema(docs) {
      const isRequired = named.filter(([, field]) => field.isRequired).map(([name]) => name);
      return {
        ...(title !== undefined && { title }),
        type: "object",
        properties: Object.fromEntries(named.map(([name, field]) => [name, describe(field, docs)])),
        ...(isRequired.length > 0 && { required: isRequired }),
        additionalProperties: false,
      };
    },
  };
}

function reportEmpty(given: Reading, first: string): void {
  if (given.path === "")
    given.reportInvalid("the file says nothing", `begin with ${first}: and put its fields below`);
  else given.reportInvalid("must be there", `begin with ${nameOf(given)}: and put its fields below`);
}

function nameOf({ path }: Reading): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

function readField(field: Field<unknown>, given: Reading): unknown {
  if (given.isPresent) return field.shape.read(given);
  if (field.isRequired) return readMissing(field, given);
  return field.takesNull && given.value === null ? null : field.otherwise;
}

/** Reports a missing field; its rule becomes the fix. */
function readMissing({ shape }: Field<unknown>, given: Reading): unknown {
  const quiet = given.withoutReporting(undefined);
  const value = shape.read(quiet);
  const [wanted] = quiet.problems;
  if (wanted === undefined) return value;
  const isPlain = wanted.message === "must be there" || !wanted.message.startsWith("must ");
  given.reportInvalid("is missing", isPlain ? wanted.fix : `add it; it ${wanted.message}: ${wanted.fix}`);
  return value;
}

function describe({ shape, doc, isRequired, otherwise }: Field<unknown>, docs: FieldDocs): JsonSchema {
  const description = typeof doc === "string" ? doc : docs(doc);
  const schema = shape.schema(docs);
  return {
    ...(description !== undefined && { description }),
    ...(isRequired ? schema : orNull(schema)),
    ...(isPlain(otherwise) && { default: otherwise }),
  };
}

/** Optional fields may also be null. */
function orNull(schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    type: [schema.type, "null"].flat(),
    ...(Array.isArray(schema.enum) && { enum: [...schema.enum, null] }),
  };
}

function isPlain(value: unknown): boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

interface MappingRules {
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
