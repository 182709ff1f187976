/** Which test files the words on a command line stand for, as vitest reads them. */
import { isAbsolute, relative } from "node:path";
import { refuse } from "../arguments.ts";
import { findFilesIn, root } from "../tree.ts";
import { workspaceOf } from "./tally.ts";

/** Gives the test files whose path contains one of the words, all of them without any; refuses a word without one. */
export function takeTestFiles(words: readonly string[], pattern = "**/*.test.{ts,tsx}"): string[] {
  const files = findFilesIn(root, pattern);
  const lost = words.filter((word) => !files.some((file) => matches(file, word)));
  if (files.length === 0) refuse(`no file matches ${pattern} yet`);
  if (lost.length > 0) {
    const folders = [...new Set(files.map(workspaceOf))].join(", ");
    refuse(`no path of a test file contains ${lost.map(quote).join(" or ")}; folders with tests: ${folders}`);
  }
  return words.length === 0 ? files : files.filter((file) => words.some((word) => matches(file, word)));
}

/** A word may also be a path from here or from anywhere, and end with a line (`rank.test.ts:12`). */
function matches(file: string, word: string): boolean {
  const path = isAbsolute(word) ? relative(root, word) : word.replace(/^\.\//, "");
  return file.includes(path.replace(/:\d+$/, ""));
}

function quote(word: string): string {
  return `"${word}"`;
}
