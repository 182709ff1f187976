import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { parseTemplate, type Reference } from "./template.ts";

/** A reference that cannot be replaced where it stands. */
export class RewriteFault extends Error {
  /** The part of the mapping, such as `query.names[0]`. */
  readonly field: string;
  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** Replaces the references of a mapping; each becomes a mapping itself. Throws a `RewriteFault`. */
export function rewriteMapping(
  mapping: JsonValue,
  nodes: ReadonlySet<string>,
  replace: (reference: Reference) => JsonValue,
  field = "",
): JsonValue {
  if (typeof mapping === "string") return rewriteText(mapping, nodes, replace, field);
  if (typeof mapping !== "object" || mapping === null) return mapping;
  if (Array.isArray(mapping))
    return mapping.map((item, at) => rewriteMapping(item, nodes, replace, `${field}[${at}]`));
  return Object.fromEntries(
    Object.entries(mapping).map(([name, value]) => [
      name,
      rewriteMapping(value, nodes, replace, field === "" ? name : `${field}.${name}`),
    ]),
  );
}

function rewriteText(
  text: string,
  nodes: ReadonlySet<string>,
  replace: (reference: Reference) => JsonValue,
  field: string,
): JsonValue {
  const parts = parseTemplate(text, nodes);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && typeof only !== "string") return replace(only);
  return parts
    .map((part, at) => {
      if (typeof part === "string") return escapeLiteral(part, typeof parts[at + 1] === "object");
      const value = replace(part);
      if (typeof value === "string") return value;
      if (typeof value !== "object" || value === null) return JSON.stringify(value);
      throw new RewriteFault(
        field,
        `{{${part.text}}} is ${Array.isArray(value) ? "a list" : "an object"} within a text`,
      );
    })
    .join("");
}

/** A literal as `parseTemplate` reads it. */
function escapeLiteral(literal: string, isBeforeTemplate: boolean): string {
  const escaped = literal.replaceAll(/(\\*)\{\{/g, "$1$1\\{{");
  return isBeforeTemplate ? escaped.replace(/(\\+)$/, "$1$1") : escaped;
}

/** The template of a path, with node ids that need no other context. */
export function templateOf(node: string | undefined, path: readonly (string | number)[]): string {
  const isPlain = node !== undefined && /^[\w-]+$/.test(node) && !["input", "nodes"].includes(node);
  const root = node === undefined ? "input" : isPlain ? node : `nodes[${JSON.stringify(node)}]`;
  const steps = path.map((step) =>
    typeof step === "number"
      ? `[${step}]`
      : /^[\w$-]+$/.test(step)
        ? `.${step}`
        : `[${JSON.stringify(step)}]`,
  );
  return `{{${root}${steps.join("")}}}`;
}

/** The member of a mapping at a path; a template is extended by the rest of the path. */
export function memberOfMapping(
  mapping: JsonValue,
  path: readonly (string | number)[],
  nodes: ReadonlySet<string>,
): JsonValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return mapping;
  if (typeof mapping === "string") {
    const [only, more] = parseTemplate(mapping, nodes);
    if (more !== undefined || only === undefined || typeof only === "string") return undefined;
    return templateOf(only.node, [...(only.field === undefined ? [] : [only.field]), ...only.path, ...path]);
  }
  if (typeof mapping !== "object" || mapping === null) return undefined;
  if (Array.isArray(mapping)) {
    const item = typeof step === "number" ? mapping[step] : undefined;
    return item === undefined ? undefined : memberOfMapping(item, rest, nodes);
  }
  const member = Object.hasOwn(mapping, step) ? (mapping as JsonObject)[String(step)] : undefined;
  return member === undefined ? undefined : memberOfMapping(member, rest, nodes);
}
