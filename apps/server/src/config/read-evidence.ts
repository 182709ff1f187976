import { resolve } from "node:path";
import {
  type AllowedWorkspaces,
  checkPath,
  type SandboxChoice,
  type SandboxSettings,
  sandboxChoices,
  type VerifyLimits,
} from "@baton/runtime";
import type { Given } from "./given.ts";

/** How the hub checks evidence itself. */
export interface EvidenceConfig {
  /** Folders in which the hub may run the commands of a contract. */
  readonly workspaces: AllowedWorkspaces;
  readonly sandbox: SandboxChoice;
  readonly settings: Partial<SandboxSettings>;
  readonly limits: Partial<VerifyLimits>;
  /** Folders of a repository's own checkout that commands find beside the commit. */
  readonly dependencies: readonly string[];
}

const keys = ["workspaces", "sandbox", "network", "readable", "timeout", "total_timeout", "output_limit"];
const more = ["dependencies", "printed_limit", "memory_limit", "process_limit", "file_limit", "at_once"];

/** Who can reach the hub. */
export interface Reach {
  readonly hasKeys: boolean;
  /** Others than this machine can connect. */
  readonly isOpen: boolean;
}

/** Reads `evidence:` of the configuration. Paths begin at the file. */
export function readEvidence(given: Given, fileFolder: string, { hasKeys, isOpen }: Reach): EvidenceConfig {
  given.only([...keys, ...more]);
  const whole = (key: string) => (given.at(key).isThere ? given.at(key).whole() : undefined);
  const durationMs = (key: string) => (given.at(key).isThere ? given.at(key).durationMs() : undefined);
  return {
    workspaces: readWorkspaces(given.at("workspaces"), fileFolder, hasKeys),
    sandbox: readSandbox(given.at("sandbox"), hasKeys || isOpen),
    settings: only({
      network: given.at("network").isThere ? given.at("network").flag() : undefined,
      readable: given
        .at("readable")
        .texts()
        .map((path) => resolve(fileFolder, path)),
      memoryBytes: whole("memory_limit"),
      processes: whole("process_limit"),
      fileBytes: whole("file_limit"),
    }),
    limits: only({
      timeoutMs: durationMs("timeout"),
      totalMs: durationMs("total_timeout"),
      outputBytes: whole("output_limit"),
      printedBytes: whole("printed_limit"),
      maxConcurrent: whole("at_once"),
    }),
    dependencies: readDependencies(given.at("dependencies")),
  };
}

/**
 * Without keys, whoever reaches the hub may do everything, and only this machine does. With keys, the commands that a
 * tenant submits run nowhere until somebody says where.
 */
function readWorkspaces(given: Given, fileFolder: string, hasKeys: boolean): AllowedWorkspaces {
  if (!given.isThere) return hasKeys ? [] : "any";
  return given.texts().map((path) => resolve(fileFolder, path));
}

/** Paths in a repository: what could lead out of it is none. */
function readDependencies(given: Given): readonly string[] {
  return given.texts().filter((path) => {
    const checked = checkPath(path);
    if (!checked.ok)
      given.complain(`"${path}" is no folder of a repository: ${checked.reason}`, dependencyFix);
    return checked.ok;
  });
}

const dependencyFix =
  "write the path from the root of the repository, such as node_modules or packages/web/node_modules";

/** Where others may submit tasks, commands run in bubblewrap or not at all. */
function readSandbox(given: Given, isShared: boolean): SandboxChoice {
  if (!given.isThere) return isShared ? "required" : "auto";
  const choice = sandboxChoices.find((known) => known === given.value);
  if (choice === undefined) {
    given.complain(`"${String(given.value)}" is no sandbox`, `use one of: ${sandboxChoices.join(", ")}`);
    return "required";
  }
  if (!isShared) return choice;
  if (choice === "plain" || choice === "namespaces" || choice === "any")
    given.complain(
      `"${choice}" does not hide the files of others, and a hub with keys or beyond the loopback has others`,
      "install bubblewrap, and use required",
    );
  return choice === "auto" ? "required" : choice;
}

/** Without what was not said. */
function only<Values extends object>(
  values: Values,
): { [Key in keyof Values]?: Exclude<Values[Key], undefined> } {
  const said = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said) as { [Key in keyof Values]?: Exclude<Values[Key], undefined> };
}
