import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cannotRun } from "./cannot-run.ts";

/** The files of examples/implement-and-review, which the demonstration runs. */
export interface Example {
  readonly folder: string;
  readonly project: string;
  readonly task: string;
  /** A task that is incomplete, so that its agent asks a question. */
  readonly question: string;
  readonly routingPolicy: string;
  readonly templates: string;
  /** Programs, each an agent. */
  readonly agents: readonly string[];
}

const exampleFolder = fileURLToPath(new URL("../../../../examples/implement-and-review", import.meta.url));

export function findExample(folder = exampleFolder): Example {
  const file = (name: string) => join(folder, name);
  const example: Example = {
    folder,
    project: file("project"),
    task: file("task.yaml"),
    question: file("open-question.yaml"),
    routingPolicy: file("routing-policy.yaml"),
    templates: file("pipeline-templates.yaml"),
    agents: ["developer.ts", "reviewer.ts", "verifier.ts"].map(file),
  };
  const { project, task, question, routingPolicy, templates, agents } = example;
  const missing = [project, task, question, routingPolicy, templates, ...agents].find(
    (path) => !existsSync(path),
  );
  if (missing === undefined) return example;
  throw cannotRun(
    `${missing} is missing`,
    "run it in a clone of the repository: the story is in its examples",
  );
}
