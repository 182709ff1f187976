import type { JsonValue } from "@bufbuild/protobuf";
import { listNames } from "../problem.ts";
import type { Scope } from "../scope.ts";
import type { Reference } from "./template.ts";

export type Found =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly reason: string };

/** Resolves a reference; a failure says at which step, and what is there instead (SAC-06). */
export function lookUp(reference: Reference, scope: Scope): Found {
  const start = startOf(reference, scope);
  if (!start.ok) return start;
  let value = start.value;
  let walked = reference.node === undefined ? "input" : `${reference.node}.${reference.field}`;
  for (const step of reference.path) {
    const next = memberOf(value, step);
    if (next === undefined) return missing(reference, walked, step, value);
    value = next;
    walked +=
      typeof step === "number"
        ? `[${step}]`
        : /^[\w$-]+$/.test(step)
          ? `.${step}`
          : `[${JSON.stringify(step)}]`;
  }
  return { ok: true, value };
}

function startOf({ text, node, field }: Reference, { nodes, input }: Scope): Found {
  if (node === undefined) return { ok: true, value: input ?? {} };
  const output = nodes.get(node);
  if (!output) return { ok: false, reason: `{{${text}}}: node ${JSON.stringify(node)} did not run` };
  const { status, data, message, nextStepHint } = output;
  return { ok: true, value: { status, data, message, next_step_hint: nextStepHint }[field as "data"] };
}

/** Only own members: names of the prototype are ordinary data. */
function memberOf(value: JsonValue, step: string | number): JsonValue | undefined {
  if (Array.isArray(value)) return typeof step === "number" ? value[step] : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  const key = String(step);
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function missing(reference: Reference, walked: string, step: string | number, value: JsonValue): Found {
  const wanted = typeof step === "number" ? `element ${step}` : JSON.stringify(step);
  return { ok: false, reason: `{{${reference.text}}}: ${walked} has no ${wanted}; it ${inventory(value)}` };
}

/** Names what is there, without the values: they may be long or secret. */
function inventory(value: JsonValue): string {
  if (value === null) return "is null";
  if (Array.isArray(value)) return `is a list of ${value.length}`;
  if (typeof value === "object") return `has ${listNames(Object.keys(value))}`;
  return `is a ${typeof value}`;
}
