import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { reasonOf } from "../config/problem.ts";

const starter = fileURLToPath(new URL("../../starter", import.meta.url));
const schemas = fileURLToPath(new URL("../../schemas", import.meta.url));

/** What is written into a project, by the path in it, in the order in which a person would read it. */
const sources: readonly (readonly [path: string, source: string])[] = [
  ...[
    "config/routing-policy.yaml",
    "config/pipeline-templates.yaml",
    "config/redaction-policy.yaml",
    "packs/developer/profession-pack.yaml",
    "packs/reviewer/profession-pack.yaml",
  ].map((path) => [path, join(starter, path)] as const),
  ...["routing-policy", "pipeline-templates", "redaction-policy", "profession-pack"].map(
    (kind) => [`config/schemas/${kind}.schema.json`, join(schemas, `${kind}.schema.json`)] as const,
  ),
];

/** What the hub keeps is not for the repository. */
const ignored = ".baton/";

export interface Written {
  readonly path: string;
  readonly state: "written" | "added to" | "left alone";
}

/** Writes a commented starting set. What is there is left alone, whatever it says. */
export function writeStarter(folder: string): readonly Written[] {
  mkdirSync(folder, { recursive: true });
  return [...sources.map(([path, source]) => writeNew(folder, path, source)), ignore(folder)];
}

function writeNew(folder: string, path: string, source: string): Written {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  try {
    // Refused by the system itself when something is there, also a link that leads nowhere.
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
