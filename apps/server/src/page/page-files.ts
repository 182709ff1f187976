import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, join } from "node:path";

export interface PageFile {
  readonly type: string;
  readonly etag: string;
  /** Uncompressed, and as compressed by the build. */
  readonly plain: Buffer;
  readonly gzip: Buffer | undefined;
  readonly br: Buffer | undefined;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * The files of the built page, in memory by path, so that no path of a request reaches the file system. Reads them again when
 * the page is rebuilt.
 */
export class PageFiles {
  readonly #folder: string;
  #builtAtMs = 0;
  #files: ReadonlyMap<string, PageFile> = new Map();

  constructor(folder: string) {
    this.#folder = folder;
  }

  find(path: string): PageFile | undefined {
    this.#reload();
    return this.#files.get(path);
  }

  #reload(): void {
    const builtAtMs = statSync(join(this.#folder, "built.json"), { throwIfNoEntry: false })?.mtimeMs;
    if (builtAtMs === undefined || builtAtMs === this.#builtAtMs) return;
    try {
      this.#files = readAll(this.#folder);
      this.#builtAtMs = builtAtMs;
    } catch {
      // The build is replacing the files; the next request tries again.
    }
  }
}

function readAll(folder: string): ReadonlyMap<string, PageFile> {
  const contents = new Map(
    globSync("**/*.*", { cwd: folder }).map((name) => [name, readFileSync(join(folder, name))]),
  );
  const files = new Map<string, PageFile>();
  for (const [name, plain] of contents) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
    files.set(`/${name}`, {
      type,
      etag,
      plain,
      gzip: contents.get(`${name}.gz`),
      br: contents.get(`${name}.br`),
    });
  }
  return files;
}

const dashboard = ["@baton", "dashboard"].join("/");

/** The folder of the built page, when the dashboard is installed; it is served, never imported. */
export function findPage(): string | undefined {
  const folders = createRequire(import.meta.url).resolve.paths(dashboard) ?? [];
  const found = folders.map((folder) => join(folder, dashboard)).find((folder) => existsSync(folder));
  return found === undefined ? undefined : join(found, "dist");
}
