import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { cannotRun } from "./cannot-run.ts";

/** A temporary folder for everything that the demonstration writes. */
export interface DemoFolder {
  readonly path: string;
  /** The hub's data folder. */
  readonly data: string;
  /** The configuration of the hub. */
  readonly config: string;
  /** The project that the agents work in. */
  readonly repository: string;
  /** Temporary files of the hub. */
  readonly temporary: string;
  /** Idempotent. */
  remove(): void;
}

/** With a copy of a project, which is a git repository unless its agents work without one. */
export function makeDemoFolder(project: string, { isRepository = true } = {}): DemoFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "baton-demo-")));
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  const repository = join(path, "repository");
  const config = join(path, "baton.yaml");
  const temporary = join(path, "tmp");
  try {
    mkdirSync(temporary);
    cpSync(project, repository, { recursive: true });
    if (isRepository) makeRepository(repository);
    // All commands that run here are part of Baton, so the demonstration also works without a sandbox.
    writeFileSync(config, "evidence: { sandbox: any }\n");
  } catch (error) {
    remove();
    throw error;
  }
  return { path, data: join(path, "data"), config, repository, temporary, remove };
}

/** The hub compares changes with a commit, so the repository needs one. */
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
    const reason = cause instanceof Error && "stderr" in cause ? String(cause.stderr).trim() : String(cause);
    throw cannotRun(`git ${args[0]} failed: ${reason.split("\n")[0]}`, "see whether git works here", cause);
  }
}

/** Ignores the user's git settings and any other repository. */
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
