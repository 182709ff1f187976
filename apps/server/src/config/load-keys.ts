import type { KeyEntry } from "../border/keys.ts";
import { Given } from "./given.ts";
import type { ConfigProblem } from "./problem.ts";
import { readKeys } from "./read-keys.ts";
import { readYamlFile } from "./yaml-file.ts";

/** The keys of a file; what is wrong with it is added to the problems. */
export function loadKeys(path: string, problems: ConfigProblem[]): readonly KeyEntry[] {
  const reading = readYamlFile(path);
  if (reading.ok) return readKeys(new Given(reading.file.value ?? {}, reading.file.place, problems));
  problems.push(...reading.problems);
  return [];
}
