import { globSync } from "node:fs";
import { tree } from "./read-page.ts";

/** The pages that are executed: those with commands for a shell. */
export const guides: readonly string[] = [
  ...globSync("docs/{how-to,tutorial}/*.md", { cwd: tree }).sort(),
  "README.md",
];
