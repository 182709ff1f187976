import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { compressAll } from "./compress.ts";
import { stampOf } from "./stamp.ts";

export interface BuiltPage {
  /** Whether there was anything to do. */
  readonly built: boolean;
  readonly files: number;
  /** Of all files together, with gzip. */
  readonly compressedBytes: number;
}

const here = resolve(import.meta.dirname, "..");
const root = resolve(here, "../..");
const dist = join(here, "dist");

/**
 * Builds the page when it is missing or its sources have changed since. It is built aside and put in place at once:
 * a hub that serves it meanwhile serves the old one or the new one, and never a part.
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
      define: { "process.env.NODE_ENV": '"production"' }, // Whoever builds it, a test included.
      oxc: { jsx: { runtime: "automatic", development: false } },
      build: {
        outDir: aside,
        target: "es2023",
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0, // What stands in the page itself, its security policy would refuse.
        reportCompressedSize: false,
        chunkSizeWarningLimit: 2_000, // What it may have is compressed, and a test says so.
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
    // Somebody else has built the same in the meantime, and was faster.
    if (readBuilt()?.stamp !== stamp) throw error;
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}
