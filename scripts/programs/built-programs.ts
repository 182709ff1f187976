import { existsSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vite";
import { root } from "../tree.ts";

/** The variable with the folder of the built programs. A helper that starts one takes it from the tree without it. */
export const builtPrograms = "BATON_PROGRAMS";

/** How a module names another one that it starts as a thread or a process. */
export const started = /new URL\("(\.\.?\/[^"]+\.ts)", import\.meta\.url\)/g;

/** Where a module of the tree is when it is built, below the folder of the built programs. */
export function builtName(module: string, tree = root): string {
  const path = relative(tree, module);
  return join(dirname(path), `${basename(path, extname(path))}.mjs`);
}

/** For vitest: a module that a test imports starts its threads and processes from what is built. */
export function startBuiltPrograms(): Plugin {
  return {
    name: "baton-built-programs",
    enforce: "pre",
    // vitest keeps transformed modules: without the folder in their key, they would start threads of an older build.
    configureVitest({ defineCacheKeyGenerator }) {
      defineCacheKeyGenerator(({ sourceCode }) =>
        sourceCode.search(started) === -1 ? undefined : process.env[builtPrograms],
      );
    },
    transform: {
      filter: { id: { exclude: /node_modules|\.test\./ }, code: started },
      handler(code, id) {
        const folder = process.env[builtPrograms];
        if (folder === undefined) return code;
        return code.replace(started, (whole, path: string) => {
          const file = join(folder, builtName(resolve(dirname(id), path)));
          return existsSync(file) ? `new URL(${JSON.stringify(pathToFileURL(file).href)})` : whole;
        });
      },
    },
  };
}
