import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { FileWatch, type FileWatchOptions } from "../files/file-watch.ts";
import type { ConfigProblem } from "../files/problem.ts";
import { isWorkflowFile, type ProjectPaths, packFile, singleFiles } from "./paths.ts";
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
  let prompts: readonly string[] = [];
  return new FileWatch({
    ...options,
    paths: async () => [...(await listFiles(paths)), ...prompts],
    read: () => {
      const content = takeSnapshot(paths);
      prompts = content.files.flatMap(({ prompt }) => prompt?.path ?? []);
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
  const { packs, workflows } = paths;
  const names = await readdir(packs.path).catch(() => []);
  const packFiles = names.toSorted().map((name) => join(packs.path, name, packFile));
  const listed = (await readdir(workflows.path).catch(() => [])).filter(isWorkflowFile).toSorted();
  const workflowFiles = listed.map((name) => join(workflows.path, name));
  return [...singleFiles(paths).map(([, { path }]) => path), ...packFiles, ...workflowFiles];
}
