import { randomUUID } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { MadePlace, SeenSize } from "@baton/kernel";
import { findWorkspace } from "../evidence/allowed-workspaces.ts";
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
  Restored,
  RestoreJob,
  RunChanges,
  RunChangesJob,
  Survey,
  SurveyJob,
  TellLeft,
  Workspaces,
} from "../ports/outside.ts";
import type { TextSeal } from "../ports/text-seal.ts";
import { git } from "./git.ts";
import { onlyKept } from "./in-commit.ts";
import { InTurn } from "./in-turn.ts";
import { keepWork } from "./keep.ts";
import { copyKept } from "./kept-copy.ts";
import { lookAtArtifacts } from "./look-at-artifacts.ts";
import { Places } from "./places.ts";
import { preparePlace } from "./prepare.ts";
import { releasePlace } from "./release.ts";
import { textOf } from "./repository.ts";
import { restoreBranches } from "./restore-branches.ts";
import { makeRoom } from "./room.ts";
import { measureRun, showRunChanges } from "./run-changes.ts";
import { defaultWorkspaceSettings, type WorkspaceParts, type WorkspaceSettings } from "./settings.ts";
import { showChanges } from "./show-changes.ts";
import { surveyBranches } from "./survey.ts";

export interface GitWorkspacesOptions extends Partial<WorkspaceSettings> {
  /** Where places are made. It belongs to the hub alone. */
  readonly folder: string;
  readonly nowMs?: () => number;
  /** Of the hub's notes about places. */
  readonly seal?: TextSeal;
}

/** Places of git repositories on this machine: a folder and a branch for every attempt. */
export function gitWorkspaces({
  folder,
  nowMs = Date.now,
  seal,
  ...given
}: GitWorkspacesOptions): Workspaces {
  return new GitWorkspaces({
    settings: { ...defaultWorkspaceSettings, ...given },
    places: new Places(placesIn(folder), seal),
    desks: join(folder, "desks", randomUUID()),
    now: nowMs,
  });
}

/** Where the places of the pipelines are, each in a folder that is named after its pipeline. */
export function placesIn(folder: string): string {
  return join(folder, "places");
}

/** What concerns a repository is done in turn: a place that is asked for twice is made once, and cleared away after. */
class GitWorkspaces implements Workspaces {
  readonly #parts: WorkspaceParts;
  readonly #turns = new InTurn();
  readonly #begunAtMs: number;

  constructor(parts: WorkspaceParts) {
    this.#parts = parts;
    this.#begunAtMs = parts.now();
  }

  prepare(job: PrepareJob, signal: AbortSignal): Promise<MadePlace> {
    return this.#turns.do(job.repository, async () => {
      try {
        const noRoom = await this.#makeRoom(signal);
        return noRoom ?? (await preparePlace(this.#parts, job, signal));
      } catch (error) {
        if (signal.aborted) throw error;
        return cannot(this.#parts.places.folder, error);
      }
    });
  }

  async look({ workspace, artifacts, place }: LookJob, signal: AbortSignal): Promise<LeftWork> {
    const { settings, places } = this.#parts;
    if (!place) {
      const found = await findWorkspace(workspace.path || workspace.repository, settings.allowed);
      if (!found.ok) return { changes: undefined, unseen: found.reason };
      return {
        changes: undefined,
        artifacts: await lookAtArtifacts(found.directory, artifacts, settings, signal),
      };
    }
    const kept = await this.#turns.do(workspace.repository, () =>
      keepWork(this.#parts, place.branch, signal),
    );
    if (!kept.ok) return { changes: undefined, unseen: kept.reason };
    const seen = await lookAtArtifacts(places.folderOf(place.branch), artifacts, settings, signal);
    const found = await onlyKept(this.#parts, workspace.repository, kept.commit, seen, signal);
    return { commit: kept.commit, changes: kept.changes, artifacts: found };
  }

  copy(job: KeptJob, signal: AbortSignal): Promise<KeptCopy | NoCopy> {
    return copyKept(this.#parts, job, signal);
  }

  async standsAt(folder: string, signal: AbortSignal): Promise<string | undefined> {
    const found = await findWorkspace(folder, this.#parts.settings.allowed);
    if (!found.ok) return undefined;
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", "HEAD^{commit}"];
    return textOf(await git({ args, directory: found.directory }, signal, glance));
  }

  release(job: ReleaseJob, signal: AbortSignal, left: TellLeft): Promise<void> {
    return this.#turns.do(job.repository, () => releasePlace(this.#parts, job, signal, left));
  }

  changes(job: ChangesJob, signal: AbortSignal): Promise<Changes> {
    return showChanges(job, this.#parts.settings, signal);
  }

  runChanges(job: RunChangesJob, signal: AbortSignal): Promise<RunChanges> {
    return showRunChanges(this.#parts, job, signal);
  }

  measure(job: RunChangesJob, signal: AbortSignal): Promise<SeenSize | undefined> {
    return measureRun(this.#parts, job, signal);
  }

  survey(job: SurveyJob, signal: AbortSignal): Promise<Survey> {
    return this.#turns.do(job.repository, () => surveyBranches(this.#parts, job, signal));
  }

  restore(job: RestoreJob, signal: AbortSignal): Promise<Restored> {
    return this.#turns.do(job.repository, () => restoreBranches(this.#parts, job, signal));
  }

  async tidy(held: ReadonlySet<string>, signal: AbortSignal, left: TellLeft): Promise<void> {
    const { places, desks } = this.#parts;
    for (const other of await readdir(join(desks, "..")).catch(() => []))
      if (other !== basename(desks)) await clearAway(join(desks, "..", other));
    for (const branch of await places.all()) {
      if (held.has(branch)) continue;
      const note = await places.note(branch);
      const madeAtMs = note?.madeAtMs ?? (await changedAtMs(places.folderOf(branch)));
      if (madeAtMs >= this.#begunAtMs) continue; // It is of this life.
      await this.#turns.do(note?.repository ?? branch, () =>
        releasePlace(this.#parts, { branch, completed: false }, signal, left),
      );
    }
    await this.#makeRoom(signal);
    // Those whose time comes while nothing new is made.
    const timer = setInterval(() => void this.#makeRoom(signal).catch(() => {}), roundMs).unref();
    signal.addEventListener("abort", () => clearInterval(timer), { once: true });
  }

  #makeRoom(signal: AbortSignal) {
    return this.#turns.do("room", () => makeRoom(this.#parts, signal));
  }
}

/** Whoever submits a task waits for it. */
const glance = { timeoutMs: 10_000, outputBytes: 1_024 };

const roundMs = 60 * 60_000;

/** A git of a hub that was killed may still write there. What stays is found at the next start. */
async function clearAway(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
}

/** Of one that is half made. */
async function changedAtMs(folder: string): Promise<number> {
  return stat(folder).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

function cannot(folder: string, error: unknown): MadePlace {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    ok: false,
    reason: `it cannot be made in ${folder}: ${reason}`,
    fix: "let the hub write there, or name another folder as workspaces.folder, and answer with retry",
  };
}
