import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { CliError } from "../errors/cli-error.ts";

const serverPackage = ["@baton", "server"].join("/");
const pagePackage = ["@baton", "dashboard"].join("/");

/** The server's program: the named one, else the one that npm installed. It is run, never imported. */
export function findServer(named = process.env.BATON_SERVER): string {
  if (named) return named;
  const path = findProgram(serverPackage, "baton-server");
  if (path !== undefined) return path;
  throw new CliError("BATON-CLI-006", `the server (${serverPackage}) is not installed here`, {
    fix: "install it beside the command line, or name its program in BATON_SERVER",
  });
}

/** The program that builds the page which the server serves; undefined where the page is not installed. */
export function findPageBuilder(): string | undefined {
  return findProgram(pagePackage, "baton-page");
}

function findProgram(packageName: string, program: string): string | undefined {
  const folders = createRequire(import.meta.url).resolve.paths(packageName) ?? [];
  return folders
    .map((folder) => programIn(join(folder, packageName), program))
    .find((path) => path !== undefined);
}

function programIn(folder: string, program: string): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    if (typeof manifest !== "object" || manifest === null || !("bin" in manifest)) return undefined;
    const { bin } = manifest;
    if (typeof bin === "string") return join(folder, bin);
    const path: unknown = typeof bin === "object" && bin !== null ? Reflect.get(bin, program) : undefined;
    return typeof path === "string" ? join(folder, path) : undefined;
  } catch {
    return undefined; // Not in this folder; try the next one.
  }
}
