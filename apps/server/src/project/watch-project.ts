import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { FileWatch, type FileWatchOptions } from "../files/file-watch.ts";
import type { ConfigProblem } from "../files/problem.ts";
import { type ProjectPaths, packFile } from "./paths.ts";
import { type Project, readProject } from "./read-project.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";

export interface ProjectWatchOptions
  extends Pick<FileWatchOptions<Snapshot>, "digest" | "onError" | "intervalMs"> {
  readonly paths: ProjectPaths;
  /** Puts a valid project into force; returns the problems that prevented it. */
  readonly apply: (project: Project) => Promise<readonly ConfigProblem[]>;
  /** The changed files are invalid; the project in force stays. Called once per content. */
  readonly refuse: (problems: readonly ConfigProblem[]) => void;
}

export function watchProject({ paths, apply, refuse, ...options }: ProjectWatchOptions): FileWatch<Snapshot> {
  return new FileWatch({
    ...options,
    paths: () => listFiles(paths),
    read: () => {
      const content = takeSnapshot(paths);
      return { content, digest: content.digest };
    },
    apply: async (snapshot) => {
      const { project, findings } = readProject(snapshot);
      const problems = project
        ? await apply(project)
        : findings.filter(({ severity }) => severity === "error");
      if (problems.length > 0) refuse(problems);
    },
  });
}

async function listFiles(paths: ProjectPaths): Promise<readonly string[]> {
  const { routingPolicy, pipelineTemplates, redactionPolicy, spendLimits, packs } = paths;
  const names = await readdir(packs.path).catch(() => []);
  const packFiles = names.toSorted().map((name) => join(packs.path, name, packFile));
  return [routingPolicy.path, pipelineTemplates.path, redactionPolicy.path, spendLimits.path, ...packFiles];
}
