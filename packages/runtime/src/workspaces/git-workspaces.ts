import { randomUUID } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { PreparedWorkspace, SeenSize } from "@baton/kernel";
import { KeyedQueue } from "../lib/keyed-queue.ts";
import type {
  Changes,
  ChangesJob,
  KeptCopy,
  KeptJob,
  LeftWork,
  LookJob,
  NoCopy,
  PrepareJob,
  ReleaseJob,
  ReportWorkLeft,
  Restored,
  RestoreJob,
  RunChanges,
  RunChangesJob,
  Survey,
  SurveyJob,
  Workspaces,
} from "../ports/outside.ts";
import type { TextCipher } from "../ports/text-cipher.ts";
import { findWorkspace } from "../processes/allowed-workspaces.ts";
import { attemptPatch } from "./changes/attempt-patch.ts";
import { runDiff, runSize } from "./changes/run-diff.ts";
import { surveyBranches } from "./changes/survey.ts";
import { checkOutCopy } from "./checkout-copy.ts";
import { commitWork } from "./commit-work.ts";
import { inspectArtifacts, markUncommitted } from "./files/inspect-artifacts.ts";
import { git } from "./git/git.ts";
import { textOf } from "./git/repository.ts";
import { prepareWorkspace } from "./prepare.ts";
import { enforceQuota } from "./quota.ts";
import { releaseWorkspace } from "./release.ts";
import { restoreBranches } from "./restore-branches.ts";
import { defaultWorkspaceSettings, type WorkspaceParts, type WorkspaceSettings } from "./settings.ts";
import { WorkspaceRegistry } from "./workspace-registry.ts";

export interface GitWorkspacesOptions extends Partial<WorkspaceSettings> {
  /** Folder of all workspaces. Only the hub may use it. */
  readonly folder: string;
  readonly nowMs?: () => number;
  /** Encrypts the entries of the registry. */
  readonly cipher?: TextCipher;
}

/** Workspaces on this machine: a folder and a branch for each attempt. */
export function gitWorkspaces({
  folder,
  nowMs = Date.now,
  cipher,
  ...given
}: GitWorkspacesOptions): Workspaces {
  return new GitWorkspaces({
    settings: { ...defaultWorkspaceSettings, ...given },
    registry: new WorkspaceRegistry(workspacesIn(folder), cipher),
    scratchFolder: join(folder, "scratch", randomUUID()),
    now: nowMs,
  });
}

/** Parent folder of all workspaces, with a folder for each pipeline. */
export function workspacesIn(folder: string): string {
  return join(folder, "places");
}

/**
 * Operations on one repository are serialised, so that repeated requests prepare a workspace once, before it is
 * removed.
 */
class GitWorkspaces implements Workspaces {
  readonly #parts: WorkspaceParts;
  readonly #queue = new KeyedQueue();
  readonly #startedAtMs: number;

  constructor(parts: WorkspaceParts) {
    this.#parts = parts;
    this.#startedAtMs = parts.now();
  }

  prepare(job: PrepareJob, signal: AbortSignal): Promise<PreparedWorkspace> {
    return this.#queue.run(job.repository, async () => {
      try {
        const quotaFailure = await this.#enforceQuota(signal);
        return quotaFailure ?? (await prepareWorkspace(this.#parts, job, signal));
      } catch (error) {
        if (signal.aborted) throw error;
        return prepareFailure(this.#parts.registry.folder, error);
      }
    });
  }

  async look(
    { workspace, artifacts, place: attempt, rootCommit }: LookJob,
    signal: AbortSignal,
  ): Promise<LeftWork> {
    const { settings, registry } = this.#parts;
    if (!attempt) {
      const found = await findWorkspace(workspace.path || workspace.repository, settings.allowed);
      if (!found.ok) return { changes: undefined, unseen: found.reason };
      return {
        changes: undefined,
        artifacts: await inspectArtifacts(found.directory, artifacts, settings, signal),
      };
    }
    const committed = await this.#queue.run(workspace.repository, () =>
      commitWork(this.#parts, { branch: attempt.branch, rootCommit }, signal),
    );
    if (!committed.ok) return { changes: undefined, unseen: committed.reason };
    const inspected = await inspectArtifacts(registry.folderOf(attempt.branch), artifacts, settings, signal);
    const { commit, changes, filesSinceRoot } = committed;
    const files = await markUncommitted(this.#parts, workspace.repository, commit, inspected, signal);
    return { commit, changes, filesSinceRoot, artifacts: files };
  }

  copy(job: KeptJob, signal: AbortSignal): Promise<KeptCopy | NoCopy> {
    return checkOutCopy(this.#parts, job, signal);
  }

  async standsAt(folder: string, signal: AbortSignal): Promise<string | undefined> {
    const found = await findWorkspace(folder, this.#parts.settings.allowed);
    if (!found.ok) return undefined;
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}"];
    return textOf(await git({ args, directory: found.directory }, signal, headLimits));
  }

  release(job: ReleaseJob, signal: AbortSignal, left: ReportWorkLeft): Promise<void> {
    return this.#queue.run(job.repository, () => releaseWorkspace(this.#parts, job, signal, left));
  }

  changes(job: ChangesJob, signal: AbortSignal): Promise<Changes> {
    return attemptPatch(job, this.#parts.settings, signal);
  }

  runChanges(job: RunChangesJob, signal: AbortSignal): Promise<RunChanges> {
    return runDiff(this.#parts, job, signal);
  }

  measure(job: RunChangesJob, signal: AbortSignal): Promise<SeenSize | undefined> {
    return runSize(this.#parts, job, signal);
  }

  survey(job: SurveyJob, signal: AbortSignal): Promise<Survey> {
    return this.#queue.run(job.repository, () => surveyBranches(this.#parts, job, signal));
  }

  restore(job: RestoreJob, signal: AbortSignal): Promise<Restored> {
    return this.#queue.run(job.repository, () => restoreBranches(this.#parts, job, signal));
  }

  async tidy(held: ReadonlySet<string>, signal: AbortSignal, left: ReportWorkLeft): Promise<void> {
    const { registry, scratchFolder } = this.#parts;
    for (const folderName of await readdir(join(scratchFolder, "..")).catch(() => []))
      if (folderName !== basename(scratchFolder)) await removeFolder(join(scratchFolder, "..", folderName));
    for (const branch of await registry.branches()) {
      if (held.has(branch)) continue;
      const entry = await registry.find(branch);
      const madeAtMs = entry?.madeAtMs ?? (await modifiedAtMs(registry.folderOf(branch)));
      if (madeAtMs >= this.#startedAtMs) continue; // Made by this process.
      await this.#queue.run(entry?.repository ?? branch, () =>
        releaseWorkspace(this.#parts, { branch, completed: false }, signal, left),
      );
    }
    await this.#enforceQuota(signal);
    // Removes expired workspaces also while no new ones are prepared.
    const timer = setInterval(() => void this.#enforceQuota(signal).catch(() => {}), quotaIntervalMs).unref();
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  }

  #enforceQuota(signal: AbortSignal) {
    return this.#queue.run("quota", () => enforceQuota(this.#parts, signal));
  }
}

/** Submitting a task waits for it. */
const headLimits = { timeoutMs: 10_000, outputBytes: 1_024 };

const quotaIntervalMs = 60 * 60_000;

/** A git process that outlived its hub may still write there; the next start removes the rest. */
async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
}

/** Used for workspaces without an entry. */
async function modifiedAtMs(folder: string): Promise<number> {
  return stat(folder).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

function prepareFailure(folder: string, error: unknown): PreparedWorkspace {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    ok: false,
    reason: `it cannot be created in ${folder}: ${reason}`,
    fix: "let the hub write there, or set workspaces.folder to another folder, and answer with retry",
  };
}
