import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const dashboard = ["@baton", "dashboard"].join("/");

/** Where the built page is, or will be, when the dashboard is installed here. It is served, never imported. */
export function findPage(): string | undefined {
  const folders = createRequire(import.meta.url).resolve.paths(dashboard) ?? [];
  const found = folders.map((folder) => join(folder, dashboard)).find((folder) => existsSync(folder));
  return found === undefined ? undefined : join(found, "dist");
}
