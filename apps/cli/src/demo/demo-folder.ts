import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { cannotRun } from "./cannot-run.ts";

/** A temporary folder with everything that the demonstration writes. */
export interface DemoFolder {
  readonly path: string;
  /** Where the hub keeps what it knows. */
  readonly data: string;
  /** The configuration of the hub. */
  readonly config: string;
  /** The repository that the agents work in. */
  readonly repository: string;
  /** May be called again. */
  remove(): void;
}

export function makeDemoFolder(project: string): DemoFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "baton-demo-")));
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  const repository = join(path, "repository");
  const config = join(path, "baton.yaml");
  try {
    cpSync(project, repository, { recursive: true });
    makeRepository(repository);
    // All that is checked here is part of Baton, so that it can be shown also where no sandbox works.
    writeFileSync(config, "evidence: { sandbox: any }\n");
  } catch (error) {
    remove();
    throw error;
  }
  return { path, data: join(path, "data"), config, repository, remove };
}

/** The hub compares what agents changed with a commit, so there has to be one. */
function makeRepository(folder: string): void {
  git(folder, "init", "--quiet", "--initial-branch=main");
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", "As it was");
}

function git(folder: string, ...args: readonly string[]): void {
  try {
    execFileSync("git", args, { cwd: folder, env: gitEnvironment(), stdio: ["ignore", "ignore", "pipe"] });
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") {
      throw cannotRun("git is not installed", "install git", cause);
    }
    const said = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : String(cause);
    throw cannotRun(`git ${args[0]} failed: ${said.split("\n")[0]}`, "see whether git works here", cause);
  }
}

/** Nothing of the user's settings, and no repository but the one in the folder. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const who = { NAME: "Baton", EMAIL: "baton@localhost" };
  return {
    ...Object.fromEntries(own),
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ALLOW_PROTOCOL: "none",
    ...{ GIT_AUTHOR_NAME: who.NAME, GIT_AUTHOR_EMAIL: who.EMAIL },
    ...{ GIT_COMMITTER_NAME: who.NAME, GIT_COMMITTER_EMAIL: who.EMAIL },
  };
}
