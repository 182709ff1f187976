import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { graphLimits } from "../limits.ts";
import { type GraphProblemCode, listNames, positionAt, type TextPosition } from "../problem.ts";
import { asSet, type KnownNodes } from "../reference.ts";
import { type SchemaAt, schemaMember } from "../schema-at.ts";
import type { Scope } from "../scope.ts";
import { fillTree, type TemplateTree } from "./fill-tree.ts";
import { parseTemplate, type Reference, TemplateFault } from "./template.ts";

/** The compiled inputs of a node, to be filled any number of times (SACP §4.2). */
export interface Mapping {
  /** The nodes that it reads. */
  readonly nodes: readonly string[];
  readonly tree: TemplateTree;
}

export interface MappingProblem {
  readonly code: GraphProblemCode;
  /** The part of the template at fault, such as `query.names[0]`; empty for the whole. */
  readonly field: string;
  readonly message: string;
  readonly fix: string;
  /** Where in the string. */
  readonly position?: TextPosition;
}

export type CompiledMapping =
  | { readonly ok: true; readonly mapping: Mapping }
  | { readonly ok: false; readonly problems: readonly MappingProblem[] };

export type MappedInputs =
  | { readonly ok: true; readonly inputs: JsonObject }
  | { readonly ok: false; readonly field: string; readonly reason: string };

/** Compiles all templates of a mapping and reports all faults at once. */
export function compileMapping(template: JsonObject, { nodes, schemas }: KnownNodes): CompiledMapping {
  const reader = new Reader(asSet(nodes), schemas);
  const tree = reader.read(template, "", 1);
  if (reader.problems.length > 0) return { ok: false, problems: reader.problems };
  return { ok: true, mapping: { nodes: [...reader.nodesRead], tree } };
}

/** Fills the templates. Answers are data: braces in them are not templates, and names of the prototype are names. */
export function applyMapping(mapping: Mapping, scope: Scope): MappedInputs {
  const filled = fillTree(mapping.tree, scope);
  return filled.ok ? { ok: true, inputs: filled.value as JsonObject } : filled;
}

/** The first step that a schema lacks. */
function missingAt(
  root: SchemaAt,
  path: readonly (string | number)[],
): { readonly step: string | number; readonly why: string } | undefined {
  let at = root;
  for (const step of path) {
    const member = schemaMember(at, step);
    if (member.kind === "missing") return { step, why: member.why };
    if (member.kind === "unknown") return undefined;
    at = member.at;
  }
  return undefined;
}

class Reader {
  readonly problems: MappingProblem[] = [];
  readonly nodesRead = new Set<string>();
  readonly #nodes: ReadonlySet<string>;
  readonly #schemas: KnownNodes["schemas"];
  #chars = 0;
  #references = 0;

  constructor(nodes: ReadonlySet<string>, schemas: KnownNodes["schemas"]) {
    this.#nodes = nodes;
    this.#schemas = schemas;
  }

  read(template: JsonValue, field: string, depth: number): TemplateTree {
    if (typeof template === "string") return this.#readText(template, field);
    if (typeof template !== "object" || template === null) return { kind: "value", value: template };
    if (depth > graphLimits.mappingDepth) {
      this.#tooMuch(field, `nested deeper than ${graphLimits.mappingDepth}`);
      return { kind: "value", value: null };
    }
    if (Array.isArray(template)) {
      return {
        kind: "list",
        items: template.map((item, at) => this.read(item, `${field}[${at}]`, depth + 1)),
      };
    }
    const members = Object.entries(template).map(([key, value]): [string, TemplateTree] => {
      this.#count(key.length, field);
      return [key, this.read(value, field === "" ? key : `${field}.${key}`, depth + 1)];
    });
    return { kind: "object", members };
  }

  #readText(text: string, field: string): TemplateTree {
    if (!this.#count(text.length, field)) return { kind: "value", value: text };
    try {
      const parts = parseTemplate(text, this.#nodes);
      for (const part of parts) {
        if (typeof part === "string") continue;
        this.#countReference(part.node, field);
        this.#checkPath(part, field);
      }
      const [only] = parts;
      // A template that is the whole value keeps the type of the referenced value (SAC-06).
      if (parts.length === 1 && only !== undefined && typeof only !== "string")
        return { kind: "whole", reference: only };
      return { kind: "text", parts };
    } catch (error) {
      if (!(error instanceof TemplateFault)) throw error;
      const { code, message, fix, offset } = error;
      this.problems.push({ code, field, message, fix, position: positionAt(text, offset) });
      return { kind: "value", value: text };
    }
  }

  /** A path that the answer cannot have, by its form or by the schema of its data. Stored mappings are read without schemas. */
  #checkPath({ node, field: ofAnswer, path, text }: Reference, field: string): void {
    if (node === undefined || path.length === 0 || this.#schemas === undefined) return;
    const root = this.#schemas.get(node);
    const missing =
      ofAnswer === "data"
        ? root && missingAt({ root, schema: root }, path)
        : { step: path[0], why: "it is text" };
    if (!missing) return;
    const step =
      typeof missing.step === "number" ? `element ${missing.step}` : listNames([String(missing.step)]);
    const message = `{{${text}}}: there is no ${step} here: ${missing.why}`;
    const fix = "read what the data_schema of the node describes, or add it there";
    this.problems.push({ code: "BATON-GRAPH-004", field, message, fix });
  }

  #count(chars: number, field: string): boolean {
    const before = this.#chars;
    this.#chars += chars;
    if (this.#chars <= graphLimits.mappingChars) return true;
    if (before <= graphLimits.mappingChars)
      this.#tooMuch(field, `longer than ${graphLimits.mappingChars} characters`);
    return false;
  }

  #countReference(node: string | undefined, field: string): void {
    if (node !== undefined) this.nodesRead.add(node);
    if (++this.#references !== graphLimits.mappingReferences + 1) return;
    this.#tooMuch(field, `of more than ${graphLimits.mappingReferences} references`);
  }

  #tooMuch(field: string, excess: string): void {
    const fix = "take less from other nodes, or let a node gather it";
    this.problems.push({ code: "BATON-GRAPH-002", field, message: `the mapping is ${excess}`, fix });
  }
}
