import { resolve } from "node:path";
import type { CheckpointTarget } from "@baton/runtime";
import type { Given } from "./given.ts";

const mostTargets = 8;
const defaultRef = "refs/baton/checkpoints";

/** Reads `audit.checkpoints`: second places for the signed states of the record. */
export function readAudit(given: Given, folder: string): readonly CheckpointTarget[] {
  given.only(["checkpoints"]);
  const targets = given.at("checkpoints").list();
  if (targets.length > mostTargets) {
    given.at("checkpoints").complain(`has ${targets.length} targets`, `name at most ${mostTargets}`);
  }
  return targets.flatMap((target) => readTarget(target, folder) ?? []);
}

function readTarget(given: Given, folder: string): CheckpointTarget | undefined {
  given.only(["folder", "git", "ref", "command"]);
  const kinds = ["folder", "git", "command"].filter((kind) => given.at(kind).isThere);
  if (kinds.length !== 1) {
    given.complain("must name one target", "give one of folder, git and command");
    return undefined;
  }
  const ref = given.at("ref");
  if (ref.isThere && kinds[0] !== "git") ref.complain("belongs to git", "remove it, or give git");
  if (kinds[0] === "folder") return { kind: "folder", folder: resolve(folder, given.at("folder").text()) };
  if (kinds[0] === "git") {
    const name = ref.isThere ? ref.text() : defaultRef;
    if (!/^refs\/[\w./-]+$/.test(name) || name.includes("..")) {
      ref.complain(`"${name}" is not a ref`, `write it whole, such as ${defaultRef}`);
    }
    return { kind: "git", repository: resolve(folder, given.at("git").text()), ref: name };
  }
  const command = given.at("command").texts();
  if (command.length === 0) given.at("command").complain("is empty", "list the program and its arguments");
  return { kind: "command", command };
}
