import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tree } from "./read-page.ts";

/** The files of a clone that a page may use; the page creates everything else. */
const linked = [
  "apps",
  "conformance",
  "examples",
  "node_modules",
  "package.json",
  "packages",
  "tsconfig.base.json",
];

/** The built programs, which start faster. */
const programs = process.env.BATON_PROGRAMS ?? tree;

/** Runs what `npx NAME` runs in a clone, a second faster. There is no other `baton` on PATH. */
const npx = `#!/bin/sh
name=$1
shift
if [ "$name" = node ]; then exec '${process.execPath}' "$@"; fi
if [ "$name" = baton ]; then exec '${process.execPath}' '${programs}/apps/cli/bin/baton.mjs' "$@"; fi
exec '${process.execPath}' '${tree}/node_modules/.bin/'"$name" "$@"
`;

/** A folder like a clone, and the environment of a shell in it. */
export function makeClone(folder: string): Readonly<Record<string, string>> {
  for (const name of linked) symlinkSync(join(tree, name), join(folder, name));
  const [commands, home, runtime] = [".programs", ".home", ".runtime"].map((name) => join(folder, name));
  for (const path of [commands, home, runtime]) mkdirSync(path ?? "");
  writeFileSync(join(commands ?? "", "npx"), npx, { mode: 0o755 });
  return {
    PATH: [commands, dirname(process.execPath), process.env.PATH].join(":"),
    HOME: home ?? "",
    XDG_RUNTIME_DIR: runtime ?? "",
    BATON_SERVER: join(programs, "apps/server/bin/baton-server.mjs"),
    // Agents and programs have the same sources each time, so they are compiled once.
    NODE_COMPILE_CACHE: join(tree, "node_modules/.cache/baton"),
    BATON_GRPC: "127.0.0.1:0",
    BATON_HTTP: "127.0.0.1:0",
  };
}
