import { resolve } from "node:path";
import type { CheckpointTarget } from "@baton/runtime";
import type { Setting } from "./setting.ts";

const maxTargets = 8;
const defaultRef = "refs/baton/checkpoints";

/** Reads `audit.checkpoints`, where signed states of the audit record are copied to. */
export function readAudit(setting: Setting, folder: string): readonly CheckpointTarget[] {
  setting.only(["checkpoints"]);
  const targets = setting.at("checkpoints").list();
  if (targets.length > maxTargets) {
    setting.at("checkpoints").refuse(`has ${targets.length} targets`, `name at most ${maxTargets}`);
  }
  return targets.flatMap((target) => readTarget(target, folder) ?? []);
}

function readTarget(setting: Setting, folder: string): CheckpointTarget | undefined {
  setting.only(["folder", "git", "ref", "command"]);
  const kinds = ["folder", "git", "command"].filter((kind) => setting.at(kind).isSet);
  if (kinds.length !== 1) {
    setting.refuse("must name one target", "give one of folder, git and command");
    return undefined;
  }
  const ref = setting.at("ref");
  if (ref.isSet && kinds[0] !== "git") ref.refuse("belongs to git", "remove it, or give git");
  if (kinds[0] === "folder") return { kind: "folder", folder: resolve(folder, setting.at("folder").text()) };
  if (kinds[0] === "git") {
    const name = ref.isSet ? ref.text() : defaultRef;
    if (!/^refs\/[\w./-]+$/.test(name) || name.includes("..")) {
      ref.refuse(`"${name}" is not a ref`, `write a full ref, such as ${defaultRef}`);
    }
    return { kind: "git", repository: resolve(folder, setting.at("git").text()), ref: name };
  }
  const command = setting.at("command").texts();
  if (command.length === 0) setting.at("command").refuse("is empty", "list the program and its arguments");
  return { kind: "command", command };
}
