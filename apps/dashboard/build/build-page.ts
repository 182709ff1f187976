import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { compressAll } from "./compress.ts";
import { stampOf } from "./stamp.ts";

export interface BuiltPage {
  /** False when the page was up to date. */
  readonly built: boolean;
  readonly files: number;
  /** The total size of all files with gzip. */
  readonly compressedBytes: number;
}

const here = resolve(import.meta.dirname, "..");
const root = resolve(here, "../..");
const dist = join(here, "dist");

/**
 * Builds the page when it is missing or its sources have changed. The new page replaces the old one at once, so that a
 * hub never serves a mixture.
 */
export async function buildPage(): Promise<BuiltPage> {
  const stamp = stampOf(root);
  const present = readBuilt();
  if (present?.stamp === stamp) return { ...present, built: false };
  const aside = `${dist}.${process.pid}.${Date.now()}`;
  try {
    const { build } = await import("vite");
    await build({
      root: here,
      configFile: false,
      logLevel: "error",
      define: { "process.env.NODE_ENV": '"production"' }, // Also in tests.
      oxc: { jsx: { runtime: "automatic", development: false } },
      build: {
        outDir: aside,
        target: "es2023",
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0, // The content security policy forbids inline assets.
        reportCompressedSize: false,
        chunkSizeWarningLimit: 2_000, // A test limits the compressed size.
      },
      worker: { format: "es" },
    });
    const { files, compressedBytes } = await compressAll(aside);
    const built = { stamp, files, compressedBytes };
    writeFileSync(join(aside, "built.json"), JSON.stringify(built));
    putInPlace(aside, stamp);
    return { ...built, built: true };
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function readBuilt(): (BuiltPage & { readonly stamp: string }) | undefined {
  const path = join(dist, "built.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

function putInPlace(aside: string, stamp: string): void {
  const old = `${aside}.old`;
  try {
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(aside, dist);
  } catch (error) {
    // Another process has built the same page meanwhile.
    if (readBuilt()?.stamp !== stamp) throw error;
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}
