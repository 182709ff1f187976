import {
  type Label,
  LabelSchema,
  type SubmitTaskRequest,
  SubmitTaskRequestSchema,
} from "@baton/contract/messages";
import { create, fromJson, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { type FieldKind, kindOf, resolve, type Schema, submitSchema } from "./schema.ts";
import { type FormValue, type FormValues, isValues } from "./schema-field.tsx";

/** The fields of the form by section. */
export const sections = {
  task: ["contract", "riskTier", "inputs"],
  limits: ["deadline", "timeout", "maxRetries", "patchSizeLimit", "failureStrategy"],
  more: ["context", "contextLevel", "priority", "safety", "refs"],
} as const;

export const required = ["contract"];

/** The request for the typed values. Throws on invalid JSON. */
export function requestOf(values: FormValues, plan: JsonObject, idempotencyKey: string): SubmitTaskRequest {
  const { contract, ...rest } = clean(submitSchema, { ...values }) as { contract?: JsonObject } & JsonObject;
  const taskId = taskIdOf(String(contract?.title ?? ""), idempotencyKey);
  const named = { ...rest, ...workspaceOf(rest.workspace), contract: { taskId, ...contract } };
  return fromJson(SubmitTaskRequestSchema, { ...named, ...plan, idempotencyKey });
}

/** Parses one label per line, as name=value. The hub validates them. */
export function labelsOf(text: string): Label[] {
  return text.split("\n").flatMap((line) => {
    const [name = "", ...value] = line.split("=");
    return line.trim() === ""
      ? []
      : [create(LabelSchema, { name: name.trim(), value: value.join("=").trim() })];
  });
}

/** Without a repository, a shared folder is its own repository. */
function workspaceOf(given: JsonValue | undefined): JsonObject {
  const workspace = given as JsonObject | undefined;
  return workspace?.path && !workspace.repository
    ? { workspace: { ...workspace, repository: workspace.path } }
    : {};
}

/** A readable, unique id: "turn-titles-into-slugs-3f2a". */
export function taskIdOf(title: string, key: string): string {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .match(/[a-z0-9]+/g);
  return [...(words ?? ["task"]).slice(0, 6), key.slice(0, 4)].join("-").slice(-64);
}

/** Removes empty fields. */
function clean(given: Schema, value: FormValue, of = ""): JsonValue | undefined {
  const schema = resolve(given);
  if (isValues(value)) {
    const entries = Object.entries(value).flatMap(([name, part]): [string, JsonValue][] => {
      const property = schema.properties?.[name];
      const kept = property && clean(property, part, name);
      return kept === undefined ? [] : [[name, kept]];
    });
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  }
  if (Array.isArray(value)) {
    const lines = value.map((line) => line.trim()).filter(Boolean);
    return lines.length > 0 ? lines : undefined;
  }
  if (typeof value === "string") return value.trim() === "" ? undefined : readText(value, kindOf(given, of));
  if (value === undefined || value === false) return undefined;
  return value as JsonValue;
}

const seconds = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Converts a typed text to the JSON form of the contract. */
function readText(text: string, kind: FieldKind): JsonValue {
  switch (kind) {
    case "json":
      return JSON.parse(text);
    case "number":
      return Number(text);
    case "dollars":
      return Math.round(Number(text) * 1e6);
    case "instant":
      return new Date(text).toISOString();
    case "duration":
      return `${Number.parseInt(text, 10) * seconds[text.trim().at(-1) as keyof typeof seconds]}s`;
    default:
      return text;
  }
}
