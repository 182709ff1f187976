/**
 * A program of the tree is some 500 modules. To find, read and link them takes half of its start, and the tests start more
 * than a thousand: for them the programs are built into few files first.
 */
import { createHash } from "node:crypto";
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "rolldown";
import { inTree, root } from "../tree.ts";
import { builtName, started } from "./built-programs.ts";

/** What was built last. */
interface Manifest {
  readonly name: string;
  /** The hashes of what it was built from, by path in the tree; packages are in the lock file. */
  readonly sources: Readonly<Record<string, string>>;
}

/** What tests start. What these start in turn is found in them. */
const programs = ["apps/{cli,server}/bin/*.mjs"];

/** Whatever else decides what is built. */
const alwaysSources = [
  "package-lock.json",
  "scripts/programs/build-programs.ts",
  "scripts/programs/built-programs.ts",
];

/** A build that nobody has begun to use for so long is of no use to a run that is under way. */
const keptMs = 24 * 60 * 60_000;

/**
 * Builds the programs unless they are built of these sources, and gives the folder where each is below its path in the
 * tree. They are built aside and renamed: of two runs at once both may build, and each uses a whole one.
 */
export async function buildPrograms(tree = root): Promise<string> {
  const cache = inTree("node_modules/.cache/baton/programs", tree);
  const manifestPath = join(cache, "built.json");
  const present = readManifest(manifestPath);
  if (present !== undefined && existsSync(join(cache, present.name)) && isCurrent(tree, present)) {
    return touch(join(cache, present.name));
  }
  mkdirSync(cache, { recursive: true });
  const aside = mkdtempSync(join(cache, "aside."));
  try {
    const sources = await bundle(tree, aside);
    const manifest: Manifest = { name: hash(JSON.stringify(sources)), sources };
    const folder = join(cache, manifest.name);
    putInPlace(aside, folder);
    writeFileSync(`${aside}.json`, JSON.stringify(manifest));
    renameSync(`${aside}.json`, manifestPath);
    removeOld(cache);
    return folder;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function readManifest(path: string): Manifest | undefined {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

function isCurrent(tree: string, { sources }: Manifest): boolean {
  return Object.entries(sources).every(([path, known]) => hashOf(tree, path) === known);
}

function touch(folder: string): string {
  const now = new Date();
  utimesSync(folder, now, now);
  return folder;
}

function hashOf(tree: string, path: string): string {
  const file = inTree(path, tree);
  return existsSync(file) ? hash(readFileSync(file)) : "";
}

function hash(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

/** Gives the hashes of the sources. */
async function bundle(tree: string, folder: string): Promise<Manifest["sources"]> {
  // It takes a while itself, and most runs have nothing to build.
  const { rolldown } = await import("rolldown");
  const build = await rolldown({
    input: globSync(programs, { cwd: tree }).map((path) => inTree(path, tree)),
    platform: "node",
    plugins: [asInTree(tree)],
    logLevel: "warn",
  });
  try {
    const { output } = await build.write({
      dir: folder,
      entryFileNames: ({ facadeModuleId }) => builtName(facadeModuleId ?? "", tree),
      chunkFileNames: "chunks/[name]-[hash].mjs",
    });
    const modules = output.flatMap((file) => (file.type === "chunk" ? file.moduleIds : []));
    const ours = modules
      .filter((id) => id.startsWith(tree + sep) && !id.includes(`${sep}node_modules${sep}`))
      .map((id) => relative(tree, id));
    const paths = [...new Set([...alwaysSources, ...ours])].sort();
    return Object.fromEntries(paths.map((path) => [path, hashOf(tree, path)]));
  } finally {
    await build.close();
  }
}

/** A built module finds its files where they are in the tree, and starts what is built beside it. */
function asInTree(tree: string): Plugin {
  return {
    name: "baton-programs",
    transform: {
      filter: { id: { exclude: /node_modules/ }, code: /import\.meta\.(url|dirname|filename)/ },
      handler(code, id) {
        return code
          .replace(started, (whole, path: string) => {
            const module = resolve(dirname(id), path);
            if (!existsSync(module)) return whole;
            const reference = this.emitFile({ type: "chunk", id: module, fileName: builtName(module, tree) });
            return `new URL(import.meta.ROLLUP_FILE_URL_${reference})`;
          })
          .replace(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(id).href))
          .replace(/\bimport\.meta\.dirname\b/g, JSON.stringify(dirname(id)))
          .replace(/\bimport\.meta\.filename\b/g, JSON.stringify(id));
      },
    },
  };
}

function putInPlace(aside: string, folder: string): void {
  try {
    renameSync(aside, folder);
  } catch (error) {
    // Somebody else has built the same in the meantime, and was faster.
    if (!existsSync(folder)) throw error;
  }
}

function removeOld(cache: string): void {
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > keptMs) rmSync(path, { recursive: true, force: true });
  }
}
