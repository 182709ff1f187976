import type {
  CancelAgentRequest,
  Environment,
  GetPipelineChangesResponse,
  Ref,
  TaskEnvelope,
  Workspace,
} from "@baton/contract";
import type {
  BranchPlan,
  CheckFinding,
  Command,
  Guarded,
  PreparedWorkspace,
  RecordedBranch,
  RefreshOutcome,
  SeenSize,
  Verification,
  VerifiedChanges,
  WorkAtRisk,
} from "@baton/kernel";
import type { PublishPulses } from "./pulse.ts";

/** The connection to an instance. */
export interface AgentLink {
  readonly tenantId: string;
  readonly packId: string;
  readonly instanceId: string;
  /** Resolves when the envelope may have left; throws when it certainly has not. */
  send(envelope: TaskEnvelope): Promise<void>;
  /** Asks to stop an attempt. Resolves to whether the agent has received it, without waiting for its effect. */
  cancel(request: CancelAgentRequest): Promise<boolean>;
}

/** Checks an answer before anybody sees it. Always decides: what fails or is late blocks. */
export interface Guards {
  check(job: GuardJob, signal: AbortSignal): Promise<Guarded>;
}

export type GuardJob = Omit<Extract<Command, { type: "guard" }>, "type">;

/** Runs the checks of the constitution. A check that fails to run is a finding for a person. */
export interface Alignments {
  check(job: AlignJob, signal: AbortSignal): Promise<readonly CheckFinding[]>;
}

export type AlignJob = Omit<Extract<Command, { type: "align" }>, "type">;

/** Runs the commands of a contract and inspects the files, independently of the agent. */
export interface Verifier {
  /** Publishes the output of the commands while they run. */
  verify(job: VerifyJob, signal: AbortSignal, publish?: PublishPulses): Promise<Verification>;
}

export interface VerifyJob {
  readonly dispatchId: string;
  readonly environment: Environment | undefined;
  /** Commands of the tests check besides the test command. */
  readonly testsToRun?: readonly string[] | undefined;
  readonly workspace: Workspace;
  /** The committed work of a workspace of the hub. */
  readonly kept?: KeptWork | undefined;
}

export interface KeptWork {
  readonly changes: VerifiedChanges | undefined;
  /** Files that differ from the run's first commit; absent when these are the same as those of the attempt. */
  readonly filesSinceRoot?: VerifiedChanges["files"] | undefined;
  /** A checkout for the commands, made on demand; these files are as in the run's first commit. */
  copy(asInBase?: readonly string[]): Promise<KeptCopy | NoCopy>;
}

/** A checkout of the committed work alone, without other files of the agent. */
export interface KeptCopy {
  readonly ok: true;
  readonly directory: string;
  /** Object folders that git reads outside of it. */
  readonly readable: readonly string[];
  readonly dependencies: readonly Dependency[];
  /** Files restored from the earlier commit that differ from the commit. */
  readonly laid: readonly string[];
  /** How its files differ from the commit; undefined if they do not. */
  differs(): Promise<string | undefined>;
  /** Files of the agent's workspace that it lacks because git ignores them. */
  lacks(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface NoCopy {
  readonly ok: false;
  readonly reason: string;
}

/** A folder of the user's checkout, read-only for commands at the same path of the copy. */
export interface Dependency {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** Prepares workspaces, commits the work in them, and removes them. Every call may be repeated, also concurrently. */
export interface Workspaces {
  prepare(job: PrepareJob, signal: AbortSignal): Promise<PreparedWorkspace>;
  /** The work of an agent, before any command runs. */
  look(job: LookJob, signal: AbortSignal): Promise<LeftWork>;
  /** A fresh checkout of committed work, for commands. The caller closes it. */
  copy(job: KeptJob, signal: AbortSignal): Promise<KeptCopy | NoCopy>;
  /** HEAD of a folder that agents share; undefined when it is unknown. */
  standsAt(folder: string, signal: AbortSignal): Promise<string | undefined>;
  /** Removes a workspace, now or later. Its work is committed and reported first. */
  release(job: ReleaseJob, signal: AbortSignal, left: ReportWorkLeft): Promise<void>;
  /** The patch between two commits of the hub. */
  changes(job: ChangesJob, signal: AbortSignal): Promise<Changes>;
  /** Everything that a run changed, file by file. */
  runChanges(job: RunChangesJob, signal: AbortSignal): Promise<RunChanges>;
  /** The size of everything that a run changed; undefined when it is unknown. */
  measure(job: RunChangesJob, signal: AbortSignal): Promise<SeenSize | undefined>;
  /** What restoring branches would change, and the work at risk. */
  survey(job: SurveyJob, signal: AbortSignal): Promise<Survey>;
  /** Restores branches, all or none; their commits are kept under `refs/baton/abandoned`. */
  restore(job: RestoreJob, signal: AbortSignal): Promise<Restored>;
  /** After the start: removes workspaces of earlier processes that no attempt holds. */
  tidy(held: ReadonlySet<string>, signal: AbortSignal, left: ReportWorkLeft): Promise<void>;
}

/** Reports the commit of an ended attempt. Resolves when it is recorded. */
export type ReportWorkLeft = (dispatchId: string, commit: string) => Promise<unknown>;

export type PrepareJob = Omit<Extract<Command, { type: "prepare-workspace" }>, "type">;
export type ReleaseJob = Omit<Extract<Command, { type: "release-workspace" }>, "type">;
export type LookJob = Pick<
  Extract<Command, { type: "verify" }>,
  "workspace" | "artifacts" | "place" | "rootCommit"
>;
export type LeftWork = Pick<Verification, "commit" | "changes" | "artifacts" | "unseen"> &
  Pick<KeptWork, "filesSinceRoot">;

export interface SurveyJob {
  readonly repository: string;
  /** The version in the refs that keep the current commits. */
  readonly abandoned: number;
  /** As recorded, before and after the rewind. */
  readonly present: ReadonlyMap<string, RecordedBranch>;
  readonly past: ReadonlyMap<string, RecordedBranch>;
  readonly branches: BranchPlan;
  /** Branches of workspaces in which an agent works. */
  readonly held: readonly string[];
}

export type Survey =
  | {
      readonly ok: true;
      readonly branches: readonly BranchChange[];
      readonly atRisk: readonly WorkAtRisk[];
      /** Abandoned commits that other branches contain. */
      readonly merged: readonly Merged[];
    }
  | { readonly ok: false; readonly reason: string; readonly fix: string };

export interface Merged {
  readonly branch: string;
  readonly commit: string;
  /** Names of branches. */
  readonly into: readonly string[];
}

/** The change of a branch. */
export interface BranchChange {
  readonly branch: string;
  readonly commitNow: string | undefined;
  readonly commitThen: string | undefined;
  readonly keptAs: string | undefined;
  readonly givenUp: readonly CommitInLine[];
  readonly regained: readonly CommitInLine[];
  readonly files: VerifiedChanges["files"];
}

export interface CommitInLine {
  readonly commit: string;
  readonly subject: string;
}

export type RestoreJob = Omit<Extract<Command, { type: "restore-branches" }>, "type" | "restoreId">;
export type Restored =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly fix: string };

export interface KeptJob {
  readonly branch: string;
  readonly commit: string;
  /** Files to restore from the run's first commit, or to remove if it lacks them. */
  readonly asInBase?: readonly string[] | undefined;
  /** Default: the base commit of the attempt. */
  readonly rootCommit?: string | undefined;
}

export interface ChangesJob {
  readonly repository: string;
  readonly base: string;
  readonly commit: string;
}

export type Changes =
  /** In the format of git; truncated when very large. */
  | { readonly ok: true; readonly patch: string; readonly isCut: boolean }
  | { readonly ok: false; readonly reason: string };

/** From the base commit of a run to a commit of the hub, or to the content of a shared folder. */
export type RunChangesJob = { readonly base: string } & (
  | { readonly repository: string; readonly commit: string }
  | { readonly folder: string }
);

export type RunChanges =
  | { readonly ok: true; readonly base: string; readonly change: WholeChange }
  | { readonly ok: false; readonly reason: string };

export type WholeChange = Pick<
  GetPipelineChangesResponse,
  "files" | "size" | "filesLeftOut" | "linesLeftOut"
>;

/** Refreshes stale references. */
export interface ReferenceReader {
  /** One outcome per reference, in order. Rejects only when the signal has fired. */
  read(job: RefreshJob, signal: AbortSignal): Promise<readonly RefreshOutcome[]>;
}

export interface RefreshJob {
  readonly tenantId: string;
  readonly refs: readonly Ref[];
  /** Base of relative paths. */
  readonly workspace?: Workspace | undefined;
  /** The workspace was prepared by the hub, and no agent has worked in it yet. */
  readonly ownPlace?: boolean | undefined;
}

/** Ids and seeds; deterministic in a simulation. */
export interface Chance {
  uuid(): string;
  /** From zero to 2^32. */
  seed(): number;
}
