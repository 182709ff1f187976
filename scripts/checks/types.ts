/**
 * Type checks of all projects: the pure packages without any runtime's types, and all the rest. What the compiler found is
 * kept, so that the next check looks at what has changed and at what depends on it.
 */
import { dirname, join } from "node:path";
import { capture } from "../command.ts";
import { findFiles } from "../tree.ts";
import { failed, type Outcome, passedWith } from "./step.ts";

export async function checkTypes(): Promise<Outcome> {
  const projects = findFiles("{packages,apps}/*/tsconfig.json").filter(hasSources);
  const runs = [...projects, "tsconfig.json"].map((project) => {
    const kept = join(".cache", "types", `${project.replaceAll("/", "-")}.tsbuildinfo`);
    return capture("tsc", ["--project", project, "--incremental", "--tsBuildInfoFile", kept]);
  });
  const failures = (await Promise.all(runs)).filter((run) => run.code !== 0);
  if (failures.length > 0) return failed(failures.map((run) => run.output).join("\n"));
  return passedWith(["the root", ...projects.map((project) => dirname(project))].join(", "));
}

/** The compiler calls a project without files an error; a package that is only being started is not one. */
function hasSources(project: string): boolean {
  const folder = dirname(project);
  return findFiles(`${folder}/src/**/*.{ts,tsx}`).some((file) => !file.endsWith(".test.ts"));
}
