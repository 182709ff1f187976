import {
  type Label,
  LabelSchema,
  type SubmitTaskRequest,
  SubmitTaskRequestSchema,
} from "@baton/contract/messages";
import { create, fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { kindOf, resolve, type Schema, submitSchema } from "./schema.ts";
import { type FormValue, type FormValues, isValues } from "./schema-field.tsx";

/** Fields that the form asks for, in this order. How it is run is chosen above it. */
export const asked = ["contract", "riskTier", "workspace", "inputs"];

/** Fields for those who look for them; the rest is for programs. */
export const more = ["priority", "safety", "patchSizeLimit", "budget"];

export const needed = ["contract"];

/** The message that the form stands for. Throws when what was typed as JSON is none. */
export function requestOf(values: FormValues, plan: JsonObject, idempotencyKey: string): SubmitTaskRequest {
  const { contract, ...rest } = clean(submitSchema, { ...values }) as { contract?: JsonObject } & JsonObject;
  const taskId = taskIdOf(String(contract?.title ?? ""), idempotencyKey);
  const named = { ...rest, contract: { taskId, ...contract } };
  return fromJson(SubmitTaskRequestSchema, { ...named, ...plan, idempotencyKey });
}

/** A label a line, as name=value. The hub says what is wrong with one. */
export function labelsOf(text: string): Label[] {
  return text.split("\n").flatMap((line) => {
    const [name = "", ...value] = line.split("=");
    return line.trim() === ""
      ? []
      : [create(LabelSchema, { name: name.trim(), value: value.join("=").trim() })];
  });
}

/** "turn-titles-into-slugs-3f2a": people know it by its title, and two of the same title are two. */
export function taskIdOf(title: string, key: string): string {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .match(/[a-z0-9]+/g);
  return [...(words ?? ["task"]).slice(0, 6), key.slice(0, 4)].join("-").slice(-64);
}

/** What was left empty is left out. */
function clean(given: Schema, value: FormValue): JsonValue | undefined {
  const schema = resolve(given);
  if (isValues(value)) {
    const entries = Object.entries(value).flatMap(([name, part]): [string, JsonValue][] => {
      const property = schema.properties?.[name];
      const kept = property && clean(property, part);
      return kept === undefined ? [] : [[name, kept]];
    });
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  }
  if (Array.isArray(value)) {
    const lines = value.map((line) => line.trim()).filter(Boolean);
    return lines.length > 0 ? lines : undefined;
  }
  if (typeof value === "string" && kindOf(given) === "json")
    return value.trim() === "" ? undefined : JSON.parse(value);
  if (value === "" || value === undefined || value === false) return undefined;
  return value as JsonValue;
}
