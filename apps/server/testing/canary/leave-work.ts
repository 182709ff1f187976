import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Planter } from "./plant.ts";

/** What git ignores begins like this in the repository of the story. */
export const ignoredPrefix = "ignored-";

/** Fills a place with canaries: files and their names, a commit, a branch, and what git ignores. Gives the name of a file. */
export function leaveWork(folder: string, planter: Planter): string {
  const name = `${nameOf(planter, "the name of a file in a place")}.txt`;
  planter.writeFile(join(folder, "committed.txt"), planter.text("a file that an agent commits"));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=bo", "-c", "user.email=bo", ...args], {
      cwd: folder,
      stdio: "pipe",
    });
  git("add", "committed.txt");
  git("commit", "-q", "--allow-empty", "-m", planter.text("a commit of an agent"));
  git("branch", "-f", `agents/${nameOf(planter, "a branch of an agent")}`);
  planter.writeFile(join(folder, name), planter.text("a file that an agent leaves"));
  planter.writeFile(join(folder, `${ignoredPrefix}${nameOf(planter, "the name of an ignored file")}`), "x");
  return name;
}

/** A canary that may be part of a path, and of the name of a branch, as it is. Numbers in longer names are not masked. */
function nameOf(planter: Planter, at: string): string {
  for (;;) {
    const word = planter.word(at);
    if (/^[A-Za-z0-9_-]*qz7wx[A-Za-z0-9_-]*$/i.test(word)) return word;
  }
}
