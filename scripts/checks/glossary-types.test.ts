import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findFiles, inTree } from "../tree.ts";

const page = readFileSync(inTree("docs/reference/glossary.md"), "utf8");
const terms = [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \| `([A-Za-z.]+)` \|$/gm)].map(
  ([, term = "", meaning = "", type = ""]) => ({ term, meaning, type }),
);
const source = findFiles("{packages,apps}/*/src/**/*.ts", "proto/vasini/**/*.proto")
  .filter((file) => !/\.test\.ts$|\/testing\//.test(file))
  .map((file) => readFileSync(inTree(file), "utf8"))
  .join("\n");

describe("the glossary", () => {
  it("has 40 to 80 terms, each once, with one sentence and a type", () => {
    const rows = page.slice(0, page.indexOf("## States of a run")).match(/^\| (?!term )[^|]+ \|/gm) ?? [];
    expect(terms.length).toBe(rows.length);
    expect(terms.length).toBeGreaterThanOrEqual(40);
    expect(terms.length).toBeLessThanOrEqual(80);
    expect(new Set(terms.map(({ term }) => term)).size).toBe(terms.length);
    for (const { meaning } of terms) expect(meaning).toMatch(/^[^.]+\.$/);
  });

  it.each(terms)("names a type that is declared: $term, $type", ({ type }) => {
    expect(isDeclared(type)).toBe(true);
  });

  it("does not accept a type or a property that nothing declares", () => {
    expect(isDeclared("Engine")).toBe(true);
    expect(isDeclared("Engin")).toBe(false);
    expect(isDeclared("Caller.tenantId")).toBe(true);
    expect(isDeclared("Caller.tenantName")).toBe(false);
  });
});

/** Whether the source declares a type, or the property of an interface as `Interface.property`. */
function isDeclared(type: string): boolean {
  const [name = "", property] = type.split(".");
  const kinds = "interface|type|class|const|enum|message|rpc";
  const declaration = new RegExp(
    String.raw`^ *(?:export )?(?:abstract )?(?:${kinds}) ${name}\b.*(?:\n(?! *\}).*)*`,
    "gm",
  );
  const declared = source.match(declaration) ?? [];
  if (property === undefined) return declared.length > 0;
  return declared.some((text) => new RegExp(String.raw`^ *(?:readonly )?${property}\??:`, "m").test(text));
}
