import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The sources of the page. The lock file stands for its packages. */
const sources = [
  "apps/dashboard/{index.html,package.json}",
  "apps/dashboard/{build,public,src}/**/*.*",
  "packages/contract/gen/**/*.js",
  "packages/contract/src/messages.ts",
  "packages/contract/schemas/SubmitTaskRequest.schema.json",
  "packages/kernel/src/deciding/*.ts",
  "package-lock.json",
];

/** A hash of the sources. */
export function stampOf(root: string): string {
  const hash = createHash("sha256");
  for (const file of globSync(sources, { cwd: root }).toSorted()) {
    if (file.includes(".test.")) continue;
    hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  }
  return hash.digest("base64url");
}
