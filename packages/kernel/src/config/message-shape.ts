import { boundsOf } from "@baton/contract";
import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { type Field, fields, list, optional, required } from "./lists-and-fields.ts";
import {
  anyMapping,
  choice,
  duration,
  flag,
  number,
  onlyTrue,
  positiveDuration,
  type Shape,
  text,
  whole,
} from "./shape.ts";

const maxInt32 = 2 ** 31 - 1;

/** Zero on the wire is absent and takes the default. In a file it is explicit: for these fields it is refused as useless… */
const minimumInFiles: Readonly<Record<string, number>> = {
  "vasini.agent.v1.RetryPolicy.max_attempts": 1,
  "vasini.agent.v1.RetryPolicy.backoff_multiplier": 1,
  "vasini.agent.v1.InterfaceContract.max_concurrent_tasks": 1,
  "vasini.agent.v1.RewindEdge.max_times": 1,
};

/** The same for durations. */
const positiveInFiles: readonly string[] = [
  "vasini.agent.v1.PipelinePolicy.pipeline_deadline",
  "vasini.agent.v1.InterfaceContract.max_task_duration",
];

/** A policy block always asks a person (A §4.3 step 5), so a file may not state otherwise. */
const trueInFiles: readonly string[] = ["vasini.agent.v1.EscalationPolicy.escalate_on_policy_blocked"];

/** …and for these the contract has a flag that means zero or false. */
const zeroFields: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "vasini.agent.v1.RetryPolicy": { jitter: "noJitter" },
  "vasini.agent.v1.PipelinePolicy": {
    max_total_retries: "noRetries",
    max_rejections: "noRejections",
    serial: "parallel",
    soft_deadline: "hardDeadline",
  },
};

/**
 * A message in a file: fields by their proto names, enum values with or without prefix, durations as 30s or 5m. Reads the
 * input of `create`.
 */
export function messageShape(
  schema: DescMessage,
  overrides: Readonly<Record<string, Shape<unknown>>> = {},
  requiredFields: readonly string[] = [],
): Shape<Record<string, unknown>> {
  const shape = fields(messageFields(schema, overrides, requiredFields), schema.name);
  return {
    read: (given) => initOf(schema, shape.read(given)),
    schema: (docs) => shape.schema(docs),
  };
}

/** The fields of a message, to be combined with others. */
export function messageFields(
  { fields: described }: DescMessage,
  overrides: Readonly<Record<string, Shape<unknown>>> = {},
  requiredFields: readonly string[] = [],
): Readonly<Record<string, Field<unknown>>> {
  const entries = described.map((field) => {
    const one = overrides[field.name] ?? shapeOf(field);
    const make = requiredFields.includes(field.name) ? required : optional;
    return [field.name, make(one, field)] as const;
  });
  return Object.fromEntries(entries);
}

/** Converts values by proto names to the input of `create`. */
export function initOf(
  { typeName, fields: described }: DescMessage,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const there = described.filter(({ name }) => values[name] !== undefined);
  const zeros = Object.entries(zeroFields[typeName] ?? {}).filter(
    ([name]) => values[name] === 0 || values[name] === false,
  );
  return Object.fromEntries([
    ...there.map(({ name, localName }) => [localName, values[name]] as const),
    ...zeros.map(([, flag]) => [flag, true] as const),
  ]);
}

function shapeOf(field: DescField): Shape<unknown> {
  return field.fieldKind === "list" ? list(itemShape(field)) : itemShape(field);
}

function itemShape(field: DescField): Shape<unknown> {
  const { message, enum: described, scalar } = field;
  const bounds = boundsOf(field);
  const name = `${field.parent.typeName}.${field.name}`;
  const least = minimumInFiles[name] ?? bounds.least;
  if (message) return subMessage(message, bounds.isPositive === true || positiveInFiles.includes(name));
  if (described) return enumShape(described);
  switch (scalar) {
    case ScalarType.BOOL:
      return trueInFiles.includes(name) ? onlyTrue : flag;
    case ScalarType.INT32:
      return whole(least ?? 0, bounds.most ?? maxInt32);
    case ScalarType.INT64:
      return map(whole(least ?? 0, bounds.most), BigInt);
    case ScalarType.DOUBLE:
      return number({
        ...(least !== undefined && { least }),
        ...(bounds.most !== undefined && { most: bounds.most }),
      });
    default:
      return text({ least: 0 });
  }
}

function subMessage(schema: DescMessage, isPositive: boolean): Shape<unknown> {
  if (schema.typeName === "google.protobuf.Duration")
    return map(isPositive ? positiveDuration : duration, durationFromMs);
  return schema.typeName === "google.protobuf.Struct" ? anyMapping() : messageShape(schema);
}

/** A value of an enum by its name, with or without the prefix of the enum; without it also in lower case, as in a task. */
export function enumShape(schema: DescEnum, what = `a value of ${schema.name}`): Shape<number> {
  const prefix = schema.sharedPrefix?.toUpperCase() ?? "";
  const stated = schema.values.filter(({ number }) => number !== 0);
  const names = stated.flatMap(({ name, number }) => [
    [name.slice(prefix.length), number] as const,
    [name, number] as const,
  ]);
  const lower = stated.map(({ name, number }) => [name.slice(prefix.length).toLowerCase(), number] as const);
  return choice(what, Object.fromEntries(names), 0, Object.fromEntries(lower));
}

export function map<From, To>(shape: Shape<From>, make: (value: From) => To): Shape<To> {
  return { read: (given) => make(shape.read(given)), schema: (docs) => shape.schema(docs) };
}
