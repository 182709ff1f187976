import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ConfigurationKind } from "@baton/kernel";
import { type ConfigProblem, reasonOf } from "../files/problem.ts";
import { readText, type TextReading } from "../files/yaml-file.ts";
import { isWorkflowFile, type ProjectPath, type ProjectPaths, packFile, singleFiles } from "./paths.ts";
import { type PromptFile, readPrompt } from "./read-prompt.ts";

/** A file as it was read. */
export interface SnapshotFile {
  readonly kind: ConfigurationKind;
  readonly path: string;
  readonly reading: TextReading;
  /** Of a pack that names one. */
  readonly prompt?: PromptFile;
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

const maxWorkflows = 1_000;

export function takeSnapshot(paths: ProjectPaths): Snapshot {
  const packs = findPacks(paths.packs);
  const workflows = findWorkflows(paths.workflows);
  const problems = [...packs.problems, ...workflows.problems];
  const files: SnapshotFile[] = [
    ...singleFiles(paths)
      .filter(([, { path, isNamed }]) => isNamed || existsSync(path))
      .map(([kind, { path }]) => ({ kind, path, reading: readText(path) })),
    ...packs.files.map(readPack),
    ...workflows.files.map((path) => ({ kind: "workflow" as const, path, reading: readText(path) })),
  ];
  const hash = createHash("sha256");
  const contents = files.flatMap((file) => (file.prompt ? [file, file.prompt] : [file]));
  for (const { path, reading } of contents) {
    hash.update(JSON.stringify([path, reading.ok ? reading.text : reading.problem.message]));
  }
  hash.update(JSON.stringify(problems));
  return { files, problems, digest: hash.digest("hex") };
}

function readPack(path: string): SnapshotFile {
  const reading = readText(path);
  const prompt = reading.ok ? readPrompt(path, reading.text) : undefined;
  return { kind: "profession-pack", path, reading, ...(prompt && { prompt }) };
}

/** Every `packs/NAME/profession-pack.yaml`, sorted by name. */
function findPacks(folder: ProjectPath): Found {
  return findIn(folder, maxPacks, "packs", (names) =>
    names.map((name) => join(folder.path, name, packFile)).filter((path) => existsSync(path)),
  );
}

/** Every `workflows/NAME.yaml`, sorted by name. */
function findWorkflows(folder: ProjectPath): Found {
  return findIn(folder, maxWorkflows, "workflows", (names) =>
    names.filter(isWorkflowFile).map((name) => join(folder.path, name)),
  );
}

interface Found {
  readonly files: readonly string[];
  readonly problems: readonly ConfigProblem[];
}

/** A folder that is not there has no files, unless it is named. */
function findIn(
  { path: folder, isNamed }: ProjectPath,
  most: number,
  what: string,
  filesOf: (names: readonly string[]) => readonly string[],
): Found {
  try {
    const files = filesOf(readdirSync(folder).toSorted());
    if (files.length <= most) return { files, problems: [] };
    const message = `${files.length} ${what} exceed the limit of ${most}`;
    return unreadable(folder, message, "move some of them to another folder");
  } catch (error) {
    const reason = reasonOf(error);
    if ((reason === "ENOENT" || reason === "ENOTDIR") && !isNamed) return { files: [], problems: [] };
    return unreadable(folder, `the folder cannot be read: ${reason}`, "name an existing, readable folder");
  }
}

function unreadable(at: string, message: string, fix: string): Found {
  return { files: [], problems: [{ code: "BATON-SERVER-012", at, message, fix }] };
}
