import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ConfigurationKind } from "@baton/kernel";
import { type ConfigProblem, reasonOf } from "../files/problem.ts";
import { readText, type TextReading } from "../files/yaml-file.ts";
import { type ProjectPath, type ProjectPaths, packFile } from "./paths.ts";

/** A file as it was read. */
export interface SnapshotFile {
  readonly kind: ConfigurationKind;
  readonly path: string;
  readonly reading: TextReading;
}

/** All files of a project, each read once: what is validated is what is used. */
export interface Snapshot {
  readonly files: readonly SnapshotFile[];
  readonly problems: readonly ConfigProblem[];
  /** Of paths and contents. */
  readonly digest: string;
}

/** The limit of a fleet. */
const maxPacks = 1_000;

export function takeSnapshot(paths: ProjectPaths): Snapshot {
  const { packFiles, problems } = findPacks(paths.packs);
  const single = [
    ["routing-policy", paths.routingPolicy],
    ["pipeline-templates", paths.pipelineTemplates],
    ["redaction-policy", paths.redactionPolicy],
    ["spend-limits", paths.spendLimits],
  ] as const;
  const files: SnapshotFile[] = [
    ...single
      .filter(([, { path, isNamed }]) => isNamed || existsSync(path))
      .map(([kind, { path }]) => ({ kind, path, reading: readText(path) })),
    ...packFiles.map((path) => ({ kind: "profession-pack" as const, path, reading: readText(path) })),
  ];
  const hash = createHash("sha256");
  for (const { path, reading } of files) {
    hash.update(JSON.stringify([path, reading.ok ? reading.text : reading.problem.message]));
  }
  hash.update(JSON.stringify(problems));
  return { files, problems, digest: hash.digest("hex") };
}

/** Every `packs/NAME/profession-pack.yaml`, sorted by name. */
function findPacks({ path: folder, isNamed }: ProjectPath): {
  readonly packFiles: readonly string[];
  readonly problems: readonly ConfigProblem[];
} {
  try {
    const packFiles = readdirSync(folder)
      .toSorted()
      .map((name) => join(folder, name, packFile))
      .filter((path) => existsSync(path));
    if (packFiles.length <= maxPacks) return { packFiles, problems: [] };
    const message = `${packFiles.length} packs exceed the limit of ${maxPacks}`;
    return unreadable(folder, message, "move some of them to another folder");
  } catch (error) {
    const reason = reasonOf(error);
    if ((reason === "ENOENT" || reason === "ENOTDIR") && !isNamed) return { packFiles: [], problems: [] };
    return unreadable(folder, `the folder cannot be read: ${reason}`, "name an existing, readable folder");
  }
}

function unreadable(at: string, message: string, fix: string) {
  return { packFiles: [], problems: [{ code: "BATON-SERVER-012", at, message, fix }] };
}
