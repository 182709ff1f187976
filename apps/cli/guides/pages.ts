import { globSync } from "node:fs";
import { tree } from "./read-page.ts";

/** The pages that are followed: those that somebody reads with a shell beside them. */
export const guides: readonly string[] = [
  ...globSync("docs/{how-to,tutorial}/*.md", { cwd: tree }).sort(),
  "README.md",
];
