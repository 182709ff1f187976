import type { JsonValue } from "@bufbuild/protobuf";
import { graphLimits } from "../limits.ts";
import type { Scope } from "../scope.ts";
import { lookUp } from "./look-up.ts";
import type { Reference, TemplatePart } from "./template.ts";

/** A mapping with parsed templates. */
export type TemplateTree =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "whole"; readonly reference: Reference }
  | { readonly kind: "text"; readonly parts: readonly TemplatePart[] }
  | { readonly kind: "list"; readonly items: readonly TemplateTree[] }
  | { readonly kind: "object"; readonly members: readonly (readonly [key: string, value: TemplateTree])[] };

export type Filled =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly field: string; readonly reason: string };

export function fillTree(tree: TemplateTree, scope: Scope): Filled {
  const filling = new Filling(scope);
  try {
    return { ok: true, value: filling.fill(tree, "", 0) };
  } catch (error) {
    if (error instanceof FillFault) return { ok: false, field: error.field, reason: error.message };
    throw error;
  }
}

class FillFault extends Error {
  readonly field: string;
  constructor(field: string, reason: string) {
    super(reason);
    this.field = field;
  }
}

class Filling {
  readonly #scope: Scope;
  /** A short template can expand to megabytes, many times over. */
  #charsLeft: number = graphLimits.inputsChars;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  fill(tree: TemplateTree, field: string, depth: number): JsonValue {
    switch (tree.kind) {
      case "value":
        return tree.value;
      case "whole": {
        const value = this.#lookUp(tree.reference, field);
        this.#measure(value, field, depth);
        return value;
      }
      case "text":
        return tree.parts
          .map((part) => (typeof part === "string" ? part : this.#asText(part, field)))
          .join("");
      case "list":
        return tree.items.map((item, at) => this.fill(item, `${field}[${at}]`, depth + 1));
      case "object":
        // fromEntries defines own members, even for a key named __proto__.
        return Object.fromEntries(
          tree.members.map(([key, value]) => [
            key,
            this.fill(value, field === "" ? key : `${field}.${key}`, depth + 1),
          ]),
        );
    }
  }

  #lookUp(reference: Reference, field: string): JsonValue {
    const found = lookUp(reference, this.#scope);
    if (found.ok) return found.value;
    throw new FillFault(field, found.reason);
  }

  /** Within longer text a string is inserted as it is, everything else as JSON. */
  #asText(reference: Reference, field: string): string {
    const value = this.#lookUp(reference, field);
    this.#measure(value, field, 0);
    return typeof value === "string" ? value : JSON.stringify(value);
  }

  /** Counts characters about as JSON does, and stops at the limit. */
  #measure(value: JsonValue, field: string, depth: number): void {
    if (typeof value !== "object" || value === null) {
      this.#spend(typeof value === "string" ? value.length : 8, field);
      return;
    }
    if (depth >= graphLimits.inputsDepth) {
      throw new FillFault(field, `the inputs would be nested deeper than ${graphLimits.inputsDepth}`);
    }
    this.#spend(2, field);
    if (Array.isArray(value)) {
      for (const item of value) this.#measure(item, field, depth + 1);
      return;
    }
    for (const [key, member] of Object.entries(value)) {
      this.#spend(key.length + 4, field);
      this.#measure(member, field, depth + 1);
    }
  }

  #spend(chars: number, field: string): void {
    this.#charsLeft -= chars;
    if (this.#charsLeft >= 0) return;
    throw new FillFault(field, `the inputs would be longer than ${graphLimits.inputsChars} characters`);
  }
}
