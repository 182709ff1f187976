/** docs/reference/errors.md lists every error code that the source can give, and no other. */
import { readFileSync } from "node:fs";
import { findFilesIn, inTree, isInTree, root } from "../tree.ts";
import { failed, type Outcome, passedWith } from "./step.ts";

const page = "docs/reference/errors.md";
const sources = "{packages,apps}/*/src/**/*.ts";
/** Tests make codes up. */
const isTest = /\.test\.ts$|\/testing\//;
const code = /\bBATON-[A-Z]+-\d{3}\b/g;

export async function checkErrorCodes(tree = root): Promise<Outcome> {
  if (!isInTree(page, tree)) return failed(`${page} is missing\nfix: git checkout -- ${page}`);
  const listed = codesIn(readFileSync(inTree(page, tree), "utf8"));
  const given = new Map<string, string>();
  for (const file of findFilesIn(tree, sources).filter((path) => !isTest.test(path))) {
    for (const found of codesIn(readFileSync(inTree(file, tree), "utf8"))) {
      if (!given.has(found)) given.set(found, file);
    }
  }
  const lines = [
    ...[...given]
      .filter(([found]) => !listed.has(found))
      .map(([found, file]) => `${found}  ${file} gives it`),
    ...[...listed].filter((found) => !given.has(found)).map((found) => `${found}  nothing gives it any more`),
  ];
  if (lines.length === 0) return passedWith(`${given.size} codes`);
  return failed([...lines.sort(), `fix: add the codes to ${page}, or take them out of it`].join("\n"));
}

function codesIn(text: string): ReadonlySet<string> {
  return new Set(text.match(code));
}
