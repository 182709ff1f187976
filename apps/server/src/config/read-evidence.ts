import { resolve } from "node:path";
import {
  type AllowedWorkspaces,
  checkPath,
  type SandboxChoice,
  type SandboxSettings,
  sandboxChoices,
  type VerifyLimits,
} from "@baton/runtime";
import { defined, type Setting } from "./setting.ts";

/** How the hub verifies evidence. */
export interface EvidenceConfig {
  /** Folders in which the hub may run the commands of a contract. */
  readonly workspaces: AllowedWorkspaces;
  readonly sandbox: SandboxChoice;
  readonly settings: Partial<SandboxSettings>;
  readonly limits: Partial<VerifyLimits>;
  /** Folders of the repository's checkout that are linked into the commit under verification. */
  readonly dependencies: readonly string[];
}

const keys = [
  ...["workspaces", "sandbox", "network", "readable", "timeout", "total_timeout", "output_limit"],
  ...["dependencies", "printed_limit", "memory_limit", "process_limit", "file_limit", "at_once"],
];

/** Who can reach the hub. */
export interface Reach {
  readonly hasKeys: boolean;
  /** Other machines can connect. */
  readonly isOpen: boolean;
}

/** Reads `evidence:` of the configuration. Paths begin at the file. */
export function readEvidence(
  setting: Setting,
  fileFolder: string,
  { hasKeys, isOpen }: Reach,
): EvidenceConfig {
  setting.only(keys);
  const whole = (key: string) => setting.at(key).optional((value) => value.whole());
  const durationMs = (key: string) => setting.at(key).optional((value) => value.durationMs());
  return {
    workspaces: readWorkspaces(setting.at("workspaces"), fileFolder, hasKeys),
    sandbox: readSandbox(setting.at("sandbox"), hasKeys || isOpen),
    settings: defined({
      network: setting.at("network").optional((value) => value.flag()),
      readable: setting
        .at("readable")
        .texts()
        .map((path) => resolve(fileFolder, path)),
      memoryBytes: whole("memory_limit"),
      processes: whole("process_limit"),
      fileBytes: whole("file_limit"),
    }),
    limits: defined({
      timeoutMs: durationMs("timeout"),
      totalMs: durationMs("total_timeout"),
      outputBytes: whole("output_limit"),
      printedBytes: whole("printed_limit"),
      maxConcurrent: whole("at_once"),
    }),
    dependencies: readDependencies(setting.at("dependencies")),
  };
}

/**
 * Without keys only this machine reaches the hub, and commands may run in any folder. With keys, the commands that a tenant
 * submits run in no folder that the configuration does not name.
 */
function readWorkspaces(setting: Setting, fileFolder: string, hasKeys: boolean): AllowedWorkspaces {
  if (!setting.isSet) return hasKeys ? [] : "any";
  return setting.texts().map((path) => resolve(fileFolder, path));
}

/** Only paths that cannot leave the repository. */
function readDependencies(setting: Setting): readonly string[] {
  return setting.texts().filter((path) => {
    const checked = checkPath(path);
    if (!checked.ok)
      setting.refuse(`"${path}" is not a folder of a repository: ${checked.reason}`, dependencyFix);
    return checked.ok;
  });
}

const dependencyFix =
  "write the path relative to the root of the repository, such as node_modules or packages/web/node_modules";

/** Where others may submit tasks, commands run in bubblewrap or not at all. */
function readSandbox(setting: Setting, isShared: boolean): SandboxChoice {
  if (!setting.isSet) return isShared ? "required" : "auto";
  const choice = setting.oneOf(sandboxChoices, "a sandbox") ?? "required";
  if (!isShared) return choice;
  if (choice === "plain" || choice === "namespaces" || choice === "any")
    setting.refuse(
      `"${choice}" does not hide the files of other tenants on a hub with keys or beyond the loopback`,
      "install bubblewrap and use required",
    );
  return choice === "auto" ? "required" : choice;
}
