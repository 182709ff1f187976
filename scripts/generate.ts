/**
 * Writes every generated file. Generated files are committed, so that a reader sees them and a clone runs at once.
 *
 * Everything is written to a temporary folder first and then copied where it differs: a failing generator leaves
 * the tree as it was, a second run changes nothing, and a file that is no longer generated goes away.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { takeArguments } from "./arguments.ts";
import { capture, endTogether } from "./command.ts";
import { withScratch } from "./scratch.ts";
import { inTree, root } from "./tree.ts";

interface Generator {
  readonly name: string;
  /** Folders and files that hold nothing but this generator's output. */
  readonly outputs: readonly string[];
  command(outputRoot: string): readonly [string, readonly string[]];
}

/** In order: the vectors are written by code that imports the generated contract. */
const generators: readonly Generator[] = [
  {
    name: "contract",
    outputs: ["packages/contract/gen", "packages/contract/schemas", "docs/reference/contract.md"],
    command: (outputRoot) => ["buf", ["generate", "--template", "buf.gen.yaml", "-o", outputRoot]],
  },
  {
    name: "server",
    outputs: ["apps/server/gen"],
    command: (outputRoot) => [
      "buf",
      ["generate", "--template", "apps/server/buf.gen.yaml", "-o", outputRoot],
    ],
  },
  {
    name: "vectors",
    outputs: ["conformance/vectors"],
    command: (outputRoot) => [process.execPath, ["conformance/write-vectors.ts", outputRoot]],
  },
  {
    name: "configuration",
    outputs: ["apps/server/schemas"],
    command: (outputRoot) => [
      process.execPath,
      ["scripts/generate/write-configuration-schemas.ts", outputRoot],
    ],
  },
  {
    name: "governed tasks",
    outputs: ["packages/protocols/schemas"],
    command: (outputRoot) => [process.execPath, ["scripts/generate/write-sap-schemas.ts", outputRoot]],
  },
  {
    name: "machines",
    outputs: ["docs/reference/machines.md"],
    command: (outputRoot) => [process.execPath, ["scripts/generate/draw-machines.ts", outputRoot]],
  },
];

/** What differs between freshly generated files and those in the tree; paths relative to the root. */
export interface Differences {
  readonly changed: readonly string[];
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}

/** Writes all generated files below `outputRoot`, using the contract code in the tree for the vectors. */
export async function generate(outputRoot: string): Promise<void> {
  for (const generator of generators) await runGenerator(generator, outputRoot);
}

export function compareGenerated(freshRoot: string, treeRoot: string): Differences {
  const outputs = generators.flatMap((generator) => generator.outputs);
  return compareOutputs(outputs, freshRoot, treeRoot);
}

async function runGenerator(generator: Generator, outputRoot: string): Promise<void> {
  const [command, args] = generator.command(outputRoot);
  const { code, output } = await capture(command, args);
  if (code !== 0) {
    throw new Error(`generating "${generator.name}" failed: ${command} ${args.join(" ")}\n${output}`);
  }
}

function compareOutputs(outputs: readonly string[], freshRoot: string, treeRoot: string): Differences {
  const fresh = new Set(listFiles(freshRoot, outputs));
  const present = new Set(listFiles(treeRoot, outputs));
  const isChanged = (path: string) =>
    !readFileSync(join(freshRoot, path)).equals(readFileSync(join(treeRoot, path)));
  return {
    changed: [...fresh].filter((path) => present.has(path) && isChanged(path)),
    missing: [...fresh].filter((path) => !present.has(path)),
    extra: [...present].filter((path) => !fresh.has(path)),
  };
}

function listFiles(base: string, outputs: readonly string[]): string[] {
  return outputs.flatMap((output) => {
    const path = join(base, output);
    if (!existsSync(path)) return [];
    if (statSync(path).isFile()) return [output];
    return globSync(`${output}/**/*`, { cwd: base })
      .filter((file) => statSync(join(base, file)).isFile())
      .map((file) => file.replaceAll("\\", "/"))
      .sort();
  });
}

function apply({ changed, missing, extra }: Differences, freshRoot: string): void {
  for (const path of [...changed, ...missing]) {
    mkdirSync(dirname(inTree(path)), { recursive: true });
    writeFileSync(inTree(path), readFileSync(join(freshRoot, path)));
    console.log(`wrote    ${path}`);
  }
  for (const path of extra) {
    rmSync(inTree(path));
    console.log(`removed  ${path}`);
  }
}

async function generateIntoTree(): Promise<void> {
  let touched = 0;
  await withScratch(async (scratch) => {
    for (const generator of generators) {
      await runGenerator(generator, scratch);
      const differences = compareOutputs(generator.outputs, scratch, root);
      apply(differences, scratch);
      touched += Object.values(differences).flat().length;
    }
  });
  if (touched === 0) console.log("all generated files are up to date");
}

if (import.meta.main) {
  takeArguments({
    command: "npm run generate",
    purpose: "writes every generated file that is not what it should be",
    notes: ["It writes:", ...generators.flatMap(({ outputs }) => outputs.map((output) => `  ${output}`))],
  });
  endTogether();
  try {
    await generateIntoTree();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
