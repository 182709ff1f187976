import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ConfigProblem, reasonOf } from "../files/problem.ts";

const starter = fileURLToPath(new URL("../../starter", import.meta.url));
const schemas = fileURLToPath(new URL("../../schemas", import.meta.url));

/** In the order in which a person would read them. */
const starterFiles: readonly Source[] = [
  "config/routing-policy.yaml",
  "config/pipeline-templates.yaml",
  "config/redaction-policy.yaml",
  "packs/developer/profession-pack.yaml",
  "packs/reviewer/profession-pack.yaml",
].map((path) => ({ path, source: join(starter, path) }));
const schemaFiles: readonly Source[] = [
  "routing-policy",
  "pipeline-templates",
  "redaction-policy",
  "guardrails",
  "constitution",
  "spend-limits",
  "webhooks",
  "profession-pack",
  "models",
  "workflow",
  "eval",
].map((kind) => ({
  path: `config/schemas/${kind}.schema.json`,
  source: join(schemas, `${kind}.schema.json`),
}));

interface Source {
  readonly path: string;
  readonly source: string;
}

/** The data of the hub does not belong in the repository. */
const ignored = ".baton/";

export interface Written {
  readonly path: string;
  readonly state: "written" | "added to" | "left alone";
}

/** Writes a commented starter configuration, and never overwrites a file. */
export function writeStarter(folder: string): readonly Written[] {
  mkdirSync(folder, { recursive: true });
  return [...[...starterFiles, ...schemaFiles].map((source) => writeNew(folder, source)), ignore(folder)];
}

/** Overwrites the schemas: they belong to a version of the hub, and nobody edits them. */
export function writeSchemas(folder: string): readonly Written[] {
  return schemaFiles.map(({ path, source }) => {
    if (isSame(join(folder, path), source)) return { path, state: "left alone" };
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), readFileSync(source));
    return { path, state: "written" };
  });
}

/** Finds schemas of other versions: with them an editor would reject what the hub accepts. */
export function findOldSchemas(folder: string): readonly ConfigProblem[] {
  return schemaFiles
    .map(({ path, source }) => ({ at: join(folder, path), source }))
    .filter(({ at, source }) => existsSync(at) && !isSame(at, source))
    .map(({ at }) => ({
      ...{ code: "BATON-CONFIG-005", at, message: "this schema is from another version of Baton" },
      fix: "run `baton init --schemas` to write the schemas of this version",
    }));
}

function isSame(path: string, source: string): boolean {
  try {
    return readFileSync(path).equals(readFileSync(source));
  } catch {
    return false; // Missing or unreadable.
  }
}

function writeNew(folder: string, { path, source }: Source): Written {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  try {
    // Fails when the path exists, even as a dangling link.
    writeFileSync(join(folder, path), readFileSync(source), { flag: "wx" });
    return { path, state: "written" };
  } catch (error) {
    if (reasonOf(error) !== "EEXIST") throw error;
    return { path, state: "left alone" };
  }
}

function ignore(folder: string): Written {
  const path = ".gitignore";
  const file = join(folder, path);
  if (!existsSync(file)) {
    writeFileSync(file, `${ignored}\n`, { flag: "wx" });
    return { path, state: "written" };
  }
  const text = readFileSync(file, "utf8");
  const isIgnored = text.split(/\r?\n/).some((line) => /^\/?\.baton\/?$/.test(line.trim()));
  if (isIgnored) return { path, state: "left alone" };
  appendFileSync(file, `${text === "" || text.endsWith("\n") ? "" : "\n"}${ignored}\n`);
  return { path, state: "added to" };
}
