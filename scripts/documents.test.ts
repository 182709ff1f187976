import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findFiles, isInTree, root } from "./tree.ts";

const documents = [
  ...findFiles("*.md"),
  ...findFiles("{apps,docs,examples,packages,scripts}/**/*.md"),
].filter((file) => !/(^|\/)(node_modules|dist)\//.test(file));

const aboutTheCode = documents.filter((file) => /^docs\/(decisions|explanation)\/|\/README\.md$/.test(file));
const sources = findFiles(
  "{apps,bench,chaos,conformance,examples,packages,proto,scripts,simulation}/**/*.{ts,tsx,mjs,sql}",
).map((file) => `/${file}`);
const packages = findFiles("{apps,packages}/*/README.md").map(dirname);

describe("the README of a package", () => {
  it.each(packages)("%s names every folder of its source, and no other", (folder) => {
    const text = readFileSync(join(root, folder, "README.md"), "utf8");
    const source = readdirSync(join(root, folder, "src"), { withFileTypes: true });
    const folders = source.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(folders.filter((name) => !new RegExp(`[\`/ ]${name}/`).test(text))).toEqual([]);
    const rows = [...text.matchAll(/^\| ([^|]*`[^|]*\/`[^|]*) \|/gm)].map(([, first = ""]) => first);
    const named = rows.flatMap((row) => [...row.matchAll(/`([a-z/-]+)\/`/g)].map(([, name = ""]) => name));
    expect(named.filter((name) => !isFolderOf(folder, name))).toEqual([]);
  });
});

describe("documents", () => {
  it.each(documents)("%s links to files and headings that exist", (file) => {
    expect(brokenLinks(file, readFileSync(join(root, file), "utf8"))).toEqual([]);
  });

  it.each(documents)("%s names files and folders that exist", (file) => {
    expect(missingPaths(readFileSync(join(root, file), "utf8"))).toEqual([]);
  });

  it.each(aboutTheCode)("%s names source files that exist", (file) => {
    expect(missingSources(readFileSync(join(root, file), "utf8"))).toEqual([]);
  });

  it("fails for a link or a path that leads nowhere", () => {
    expect(brokenLinks("docs/a.md", "[a](b.md) [b](README.md#nothing) [c](README.md)")).toEqual([
      "b.md",
      "README.md#nothing",
    ]);
    expect(missingPaths("`packages/kernel/src` `packages/kernel/no.ts`")).toEqual(["packages/kernel/no.ts"]);
    expect(missingSources("`engine.ts` `engine/engine.ts` `no/engine.ts`")).toEqual(["no/engine.ts"]);
  });
});

/** A kernel table names folders within `src/pipeline`. */
function isFolderOf(folder: string, name: string): boolean {
  return ["", "src", "src/pipeline"].some((parent) => isInTree(join(folder, parent, name)));
}

function brokenLinks(file: string, text: string): string[] {
  const links = [...prose(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links.filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(file, link));
}

function leadsSomewhere(file: string, link: string): boolean {
  const [path = "", heading] = link.split("#");
  const target = path === "" ? file : join(dirname(file), path);
  if (!isInTree(target, root)) return false;
  return heading === undefined || headingsOf(readFileSync(join(root, target), "utf8")).has(heading);
}

/** Anchors as GitHub makes them. */
function headingsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return new Set(headings);
}

/** Paths within the tree, written as code. Patterns and placeholders are left out. */
function missingPaths(text: string): string[] {
  const named = [
    ...prose(text).matchAll(
      /`((?:apps|bench|chaos|conformance|packages|proto|scripts|simulation)\/[\w./-]+)`/g,
    ),
  ];
  return named.map(([, path = ""]) => path).filter((path) => !isInTree(path, root));
}

/** Source files that a text names by the end of their path. */
function missingSources(text: string): string[] {
  const named = [...prose(text).matchAll(/`([\w./-]+\.(?:tsx?|mjs|sql))`/g)].map(([, name = ""]) => name);
  return named.filter((name) => !name.startsWith(".") && !sources.some((file) => file.endsWith(`/${name}`)));
}

function prose(text: string): string {
  return text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
}
