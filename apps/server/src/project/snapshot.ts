import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ConfigurationKind } from "@baton/kernel";
import { type ConfigProblem, reasonOf } from "../config/problem.ts";
import { readText, type TextReading } from "../config/yaml-file.ts";
import { type Place, type ProjectPlaces, packFile } from "./places.ts";

/** A file as it was at one moment. */
export interface SeenFile {
  readonly kind: ConfigurationKind;
  readonly path: string;
  readonly reading: TextReading;
}

/** All files of a project, read one after another, and not again: what is checked is what is used. */
export interface Snapshot {
  readonly files: readonly SeenFile[];
  readonly problems: readonly ConfigProblem[];
  /** The same for the same contents at the same places. */
  readonly digest: string;
}

/** As many as a fleet takes. */
const mostPacks = 1_000;

export function takeSnapshot(places: ProjectPlaces): Snapshot {
  const { paths, problems } = findPacks(places.packs);
  const single = [
    ["routing-policy", places.routingPolicy],
    ["pipeline-templates", places.pipelineTemplates],
    ["redaction-policy", places.redactionPolicy],
  ] as const;
  const files: SeenFile[] = [
    ...single
      .filter(([, place]) => place.isNamed || existsSync(place.path))
      .map(([kind, { path }]) => ({ kind, path, reading: readText(path) })),
    ...paths.map((path) => ({ kind: "profession-pack" as const, path, reading: readText(path) })),
  ];
  const hash = createHash("sha256");
  for (const { path, reading } of files) {
    hash.update(JSON.stringify([path, reading.ok ? reading.text : reading.problem.message]));
  }
  hash.update(JSON.stringify(problems));
  return { files, problems, digest: hash.digest("hex") };
}

/** `packs/NAME/profession-pack.yaml`, in the order of the names. A folder without one is no pack. */
export function findPacks({ path: folder, isNamed }: Place): {
  readonly paths: readonly string[];
  readonly problems: readonly ConfigProblem[];
} {
  try {
    const paths = readdirSync(folder)
      .toSorted()
      .map((name) => join(folder, name, packFile))
      .filter((path) => existsSync(path));
    if (paths.length <= mostPacks) return { paths, problems: [] };
    const message = `${paths.length} packs are more than the ${mostPacks} that are allowed`;
    return { paths: [], problems: [{ ...noFolder(folder), message, fix: "move some of them elsewhere" }] };
  } catch (error) {
    const reason = reasonOf(error);
    if ((reason === "ENOENT" || reason === "ENOTDIR") && !isNamed) return { paths: [], problems: [] };
    return {
      paths: [],
      problems: [{ ...noFolder(folder), message: `the folder cannot be read: ${reason}` }],
    };
  }
}

function noFolder(folder: string): ConfigProblem {
  return {
    code: "BATON-SERVER-012",
    at: folder,
    message: "",
    fix: "name a folder that is there and may be read",
  };
}
